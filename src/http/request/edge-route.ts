import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    edge?: EdgeRule;
  }
}

/** How a route differs from the API's usual rules. */
export interface EdgeRule {
  /**
   * Which bodies are accepted. `json` (the default): strict JSON, up to 32 KiB. `form`: the same, or an HTML form, up to 32
   * KiB; its fields become strings. `raw`: any media type, up to 256 KiB, passed on unparsed as a `Buffer`. `csv`: text/csv in
   * UTF-8, passed on unread as a stream: `readUpload` reads it, with its own limits.
   */
  readonly body?: 'json' | 'form' | 'raw' | 'csv';
  /** Whether requests from any browser origin are served. They get no CORS grant. */
  readonly anyOrigin?: boolean;
  /**
   * The listener of a route that belongs to no controller. The listener of a controller's route follows from its guards or
   * `OpenAt`.
   */
  readonly openAt?: 'payers' | 'merchant' | 'both';
  /** Whether the route reads `Authorization` in its own way. Other routes expect a merchant key or a client token there. */
  readonly ownCredential?: boolean;
  /**
   * What a request of this route asks of a busy service: a new payment or session (`start`), refused first where more is asked than can be
   * answered in time, or a step of a payment that there is (`step`), refused last. Others are never refused for that. A route that
   * says it calls `intended` as soon as it has committed what it begins, if it waits for anything after that.
   */
  readonly load?: 'start' | 'step';
  /** Whether the route still answers while the service shuts down, as health checks must. */
  readonly whileShuttingDown?: boolean;
}

const USUAL: EdgeRule = {};

/** Gives a controller's method rules of its own. */
export const EdgeRoute = (rule: EdgeRule): MethodDecorator => RouteConfig({ edge: rule });

/** The rules of the route that a request matched. */
export function edgeRule(request: FastifyRequest): EdgeRule {
  return request.routeOptions.config.edge ?? USUAL;
}
