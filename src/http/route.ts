import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    edge?: EdgeRule;
  }
}

/**
 * The listener of a route: `PORT` for payers and the gateway, `MERCHANT_PORT` for the merchant's server and people,
 * `MANAGEMENT_PORT` for machines, and for metrics, which without it are the merchant's. Where a port is not set, `PORT` serves its
 * routes too.
 */
export type Opening = 'payers' | 'merchant' | 'both' | 'management' | 'metrics';

/** Whose credential a route takes: a merchant key of one of three kinds, a session's client token, a payer's link back. */
export type Credential = 'full' | 'read' | 'books' | 'client' | 'reader';

/** How a route differs from the usual rules. */
export interface EdgeRule {
  /** Where it answers. `Access` sets it where a credential is needed; a route without it stops the start. */
  readonly openAt?: Opening;
  /** Whom `Access` lets in. Without it anyone may call. */
  readonly access?: readonly Credential[];
  /** The verb that the audit has for a call with a merchant's key that would change something. */
  readonly audited?: string;
  /** `raw`: bytes of any media type, up to 256 KiB. `csv`: a table as it comes in, which the route bounds. Else JSON up to 32 KiB. */
  readonly body?: 'raw' | 'csv';
}

/** Gives a controller's method rules of its own, besides those that other decorators give it. */
export const EdgeRoute =
  (rule: EdgeRule): MethodDecorator =>
  (target, name, descriptor) => {
    const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, descriptor.value as object) as
      { edge?: EdgeRule } | undefined;
    RouteConfig({ ...config, edge: { ...config?.edge, ...rule } })(target, name, descriptor);
  };

const USUAL: EdgeRule = {};

/** The rules of the route that a request matched. */
export function edgeRule(request: FastifyRequest): EdgeRule {
  return request.routeOptions.config.edge ?? USUAL;
}
