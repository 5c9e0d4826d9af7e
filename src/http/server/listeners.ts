import type { Socket } from 'node:net';
import { type INestApplication, SetMetadata } from '@nestjs/common';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { hasBearer, bearerOf } from '../request/request.js';
import { edgeRule } from '../request/edge-route.js';
import { controllerRoutes, type ControllerRoute, type DescribedGuard } from './controller-routes.js';

/** The two listeners: `PORT` for payers and the gateway, `MERCHANT_PORT` for the merchant's server and people. */
export type Listener = 'payers' | 'merchant';

/** Where a route answers. */
export type Opening = Listener | 'both';

const OPEN_AT = 'tillfront:open-at';

/**
 * Says at which listener a route without a guard answers. Guards say it for the routes that they protect. Use it on a
 * controller or on one of its methods.
 */
export const OpenAt = (opening: Opening): ClassDecorator & MethodDecorator => SetMetadata(OPEN_AT, opening);

/** A route has neither a guard nor `OpenAt`, so nobody has said at which listener it answers. */
export class RouteWithoutListener extends Error {
  override readonly name = 'RouteWithoutListener';

  constructor(routes: readonly string[]) {
    super(`Say with a guard or OpenAt at which listener these routes answer: ${routes.join(', ')}`);
  }
}

/**
 * Keeps payers and the merchant apart where `MERCHANT_PORT` is set. A route that does not belong to the listener of a request
 * is not found there (404). The listener of a route follows from who may call it, so a new route cannot be forgotten: one that
 * says nothing stops the start.
 */
export class Listeners {
  readonly #served = new Map<string, Opening | undefined>();
  readonly #openings = new Map<string, Opening>();
  readonly #merchantSockets = new WeakSet<Socket>();

  constructor(
    /** Whether the merchant has a listener of its own. */
    readonly apart: boolean,
    /** Whether a bearer secret has the form of a payer's token, valid or not. */
    private readonly isPayersToken: (bearer: string) => boolean,
  ) {}

  /** Called by the server for each route as it is registered. */
  readonly add = (route: RouteOptions): void => {
    for (const method of [route.method].flat()) {
      this.#served.set(`${method} ${route.url}`, route.config?.edge?.openAt ?? openingOfFiles(route.url));
    }
  };

  /** Called for each connection that arrives at the merchant's listener. */
  readonly markMerchants = (socket: Socket): void => {
    this.#merchantSockets.add(socket);
  };

  /** Finds the listeners of all routes. Throws {@link RouteWithoutListener}. Call it after all routes are registered. */
  settle(app: INestApplication): void {
    const byRoute = new Map(
      controllerRoutes(app).map((route) => [`${route.method} ${route.url}`, openingOf(route)]),
    );
    const homeless: string[] = [];
    for (const [route, said] of this.#served) {
      const opening = said ?? byRoute.get(route) ?? byRoute.get(route.replace(/^HEAD /, 'GET '));
      if (opening === undefined) homeless.push(route);
      else this.#openings.set(route, opening);
    }
    if (homeless.length > 0) throw new RouteWithoutListener(homeless);
  }

  /** Every route, as `GET /v1/payments` and the like, with its listeners. */
  get openings(): ReadonlyMap<string, Opening> {
    return this.#openings;
  }

  /** The listener that a request came in by. Undefined where there is only one. */
  listenerOf(request: FastifyRequest): Listener | undefined {
    if (!this.apart) return undefined;
    return this.#merchantSockets.has(request.raw.socket) ? 'merchant' : 'payers';
  }

  /** Whether a route exists at the listener that a request came in by. */
  isHere(request: FastifyRequest, method: string, url: string): boolean {
    const listener = this.listenerOf(request);
    const opening = this.#openings.get(`${method} ${url}`);
    return listener === undefined || opening === 'both' || opening === listener;
  }

  /**
   * Whether the request's route exists for this request. Where both payers and the merchant may call a route, the bearer
   * secret decides. The payers' listener turns away everything but a payer's token, valid or not, so that nobody can try
   * merchant keys there.
   */
  admits(request: FastifyRequest): boolean {
    const listener = this.listenerOf(request);
    if (listener === undefined) return true;
    if (!this.isHere(request, request.method, request.routeOptions.url ?? '')) return false;
    const { authorization } = request.headers;
    if (!hasBearer(authorization) || edgeRule(request).ownCredential === true) return true;
    const bearer = bearerOf(authorization);
    const payers = bearer !== undefined && this.isPayersToken(bearer);
    return payers === (listener === 'payers');
  }

  /**
   * Whether a browser's origin is that of the page which the merchant's listener itself serves. Its address is not configured
   * anywhere. The browser's `Host` header names it, and a page from elsewhere cannot change that header.
   */
  isOwnOrigin(request: FastifyRequest): boolean {
    const [, host] = /^https?:\/\/([^/]+)$/.exec(request.headers.origin ?? '') ?? [];
    return (
      this.listenerOf(request) === 'merchant' &&
      host !== undefined &&
      host === request.headers.host?.toLowerCase()
    );
  }
}

function openingOf(route: ControllerRoute): Opening | undefined {
  const said = route.metadata(OPEN_AT) as Opening | undefined;
  if (said !== undefined) return said;
  const taken = new Set(
    (route.guards as readonly DescribedGuard[]).flatMap((guard) => guard.apiSecurity ?? []),
  );
  const payers = taken.has('clientToken') || taken.has('returnToken');
  if (taken.has('merchantKey')) return payers ? 'both' : 'merchant';
  return payers ? 'payers' : undefined;
}

/** Routes of files say nothing themselves. */
function openingOfFiles(url: string): Opening | undefined {
  const [, folder = ''] = url.split('/');
  if (['kit', 'checkout'].includes(folder)) return 'payers';
  return ['console', 'docs', 'openapi.json'].includes(folder) ? 'merchant' : undefined;
}
