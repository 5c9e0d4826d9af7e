import type { Socket } from 'node:net';
import { type INestApplication, SetMetadata } from '@nestjs/common';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { hasBearer, bearerOf } from '../request/bearer.js';
import { controllerRoutes, type ControllerRoute } from './controller-routes.js';
import { edgeRule } from '../request/edge-route.js';
import type { DescribedGuard } from './described-guard.js';

/** The two listeners: `PORT` for payers and the gateway, `MERCHANT_PORT` for the merchant's server and people. */
export type Door = 'payers' | 'merchant';

/** Where a route answers. */
export type Opening = Door | 'both';

const OPEN_AT = 'tillfront:open-at';

/** Says at which door a route without a guard answers; of a guarded one its guards say it. On a controller, or on a method of it. */
export const OpenAt = (opening: Opening): ClassDecorator & MethodDecorator => SetMetadata(OPEN_AT, opening);

/** A route that answers to nobody in particular, and does not say at which door. */
export class RouteWithoutDoor extends Error {
  override readonly name = 'RouteWithoutDoor';

  constructor(routes: readonly string[]) {
    super(`Say with a guard or OpenAt at which door these routes answer: ${routes.join(', ')}`);
  }
}

/**
 * Keeps payers and the merchant apart where `MERCHANT_PORT` is set: what is not for the door at which a request came in is
 * not there (404). Where a route answers follows from who may call it, so that a new one cannot be forgotten: a route of which
 * nobody has said it stops the start.
 */
export class Doors {
  readonly #served = new Map<string, Opening | undefined>();
  readonly #openings = new Map<string, Opening>();
  readonly #merchantSockets = new WeakSet<Socket>();

  constructor(
    /** Whether there is a door of the merchant's own. */
    readonly apart: boolean,
    /** Whether a bearer secret has the form of a payer's token, valid or not. */
    private readonly isPayersToken: (bearer: string) => boolean,
  ) {}

  /** Called by the server for each route as it is registered. */
  readonly add = (route: RouteOptions): void => {
    for (const method of [route.method].flat()) {
      this.#served.set(`${method} ${route.url}`, route.config?.edge?.openAt);
    }
  };

  /** Called for each connection that comes in at the merchant's door. */
  readonly markMerchants = (socket: Socket): void => {
    this.#merchantSockets.add(socket);
  };

  /** Finds out where each route answers. Throws {@link RouteWithoutDoor}. Call it when all routes are registered. */
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
    if (homeless.length > 0) throw new RouteWithoutDoor(homeless);
  }

  /** Every route with where it answers, as `GET /v1/payments` and the like. */
  get openings(): ReadonlyMap<string, Opening> {
    return this.#openings;
  }

  /** The door at which a request came in; undefined where there is only one. */
  doorOf(request: FastifyRequest): Door | undefined {
    if (!this.apart) return undefined;
    return this.#merchantSockets.has(request.raw.socket) ? 'merchant' : 'payers';
  }

  /** Whether a route is there at the door at which a request came in. */
  isHere(request: FastifyRequest, method: string, url: string): boolean {
    const door = this.doorOf(request);
    const opening = this.#openings.get(`${method} ${url}`);
    return door === undefined || opening === 'both' || opening === door;
  }

  /**
   * Whether the request's route is there for it. Of a call that both may make the bearer secret decides: at the payers' door
   * anything but a payer's token is turned away, right or wrong, so that nobody can try merchant keys there.
   */
  admits(request: FastifyRequest): boolean {
    const door = this.doorOf(request);
    if (door === undefined) return true;
    if (!this.isHere(request, request.method, request.routeOptions.url ?? '')) return false;
    const { authorization } = request.headers;
    if (!hasBearer(authorization) || edgeRule(request).ownCredential === true) return true;
    const bearer = bearerOf(authorization);
    const payers = bearer !== undefined && this.isPayersToken(bearer);
    return payers === (door === 'payers');
  }

  /**
   * Whether a browser's origin is that of the page which the merchant's door itself serves. Its address is nobody's
   * configuration: the browser says by `Host` where it has the page from, and a page of another place cannot make it say so.
   */
  isOwnOrigin(request: FastifyRequest): boolean {
    const [, host] = /^https?:\/\/([^/]+)$/.exec(request.headers.origin ?? '') ?? [];
    return (
      this.doorOf(request) === 'merchant' &&
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
