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
   * What a body may be. `json` (the default): strictly read JSON, up to 32 KiB. `form`: that, or an HTML form, up to 32 KiB;
   * a form's fields become strings. `raw`: any media type, up to 256 KiB, handed over as a `Buffer` without a look into it.
   */
  readonly body?: 'json' | 'form' | 'raw';
  /** Whether requests from any browser origin are served. They get no CORS grant. */
  readonly anyOrigin?: boolean;
  /** At which door a route of no controller answers; of a controller's route its guards or `OpenAt` say it. */
  readonly openAt?: 'payers' | 'merchant' | 'both';
  /** Whether it reads `Authorization` in its own way, where others expect a merchant key or a client token. */
  readonly ownCredential?: boolean;
  /** Whether it answers while the service shuts down, as health checks must. */
  readonly whileShuttingDown?: boolean;
}

const USUAL: EdgeRule = {};

/** Marks a controller's method as a route with rules of its own. */
export const EdgeRoute = (rule: EdgeRule): MethodDecorator => RouteConfig({ edge: rule });

/** The rules of the route that a request goes to. */
export function edgeRule(request: FastifyRequest): EdgeRule {
  return request.routeOptions.config.edge ?? USUAL;
}
