import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { Problem } from './problems/problem.js';
import type { Opening } from './route.js';

declare module 'fastify' {
  interface RouteConstraint {
    door?: string;
  }
}

/** A listener: `PORT`, `MERCHANT_PORT`, `MANAGEMENT_PORT`. */
export type Door = 'payers' | 'merchant' | 'management';

/** The doors of each opening. */
export type Doors = Readonly<Record<Opening, readonly Door[]>>;

/** Where a port is not set, `PORT` serves its routes. */
export function doorsOf(ports: {
  readonly merchantPort?: number | undefined;
  readonly managementPort?: number | undefined;
}): Doors {
  const merchant: Door = ports.merchantPort === undefined ? 'payers' : 'merchant';
  const both: readonly Door[] = merchant === 'payers' ? ['payers'] : ['payers', 'merchant'];
  const hasManagement = ports.managementPort !== undefined;
  return {
    ...{ payers: ['payers'], merchant: [merchant], both },
    management: hasManagement ? ['management'] : both,
    metrics: [hasManagement ? 'management' : merchant],
  };
}

const doors = new WeakMap<IncomingMessage, Door>();

/** Notes the door of a request, before the framework looks for its route. */
export function enterBy(door: Door, request: IncomingMessage): void {
  doors.set(request, door);
}

/** The door that a request came in by. */
export function doorOf(request: { readonly raw: IncomingMessage }): Door {
  return doors.get(request.raw) ?? 'payers';
}

/** Adds a route for the other methods of each address, once all routes are there. */
type FinishRoutes = () => void;

/**
 * Gives each route its doors by one route constraint: elsewhere there is nothing at its address (404). A route that does not
 * say where it answers stops the start.
 */
export function installDoors(server: FastifyInstance, openings: Doors): FinishRoutes {
  server.addConstraintStrategy({
    name: 'door',
    // One key for all doors of a route, and one for each of them.
    storage: () => {
      const handlers = new Map<unknown, never>();
      return {
        get: (key) => handlers.get(key) ?? null,
        set: (key, handler) => {
          const bits = handler as unknown as number;
          for (const one of new Set([key, ...String(key).split(' ')]))
            handlers.set(one, ((handlers.get(one) ?? 0) | bits) as never);
        },
      };
    },
    deriveConstraint: (request) => doors.get(request) ?? 'payers',
  });
  const methods = new Map<string, Set<string>>();
  const addresses = new Set<string>();
  let finished = false;
  server.addHook('onRoute', (route: RouteOptions) => {
    // The route of preflights and those that answer 405.
    if (finished || route.url === '*') return;
    const opening = route.config?.edge?.openAt ?? openingOfFiles(route.url);
    if (opening === undefined) throw new Error(`Say with Access or EdgeRoute where ${route.url} answers`);
    route.constraints = { ...route.constraints, door: openings[opening].join(' ') };
    addresses.add(route.url);
    for (const door of openings[opening]) {
      const place = `${door} ${route.url}`;
      methods.set(place, new Set([...(methods.get(place) ?? []), ...[route.method].flat()]));
    }
  });
  return () => {
    finished = true;
    for (const [place, allowed] of methods) {
      const [door = '', url = ''] = place.split(' ', 2);
      const others = server.supportedMethods.filter((method) => !allowed.has(method));
      const allow = [...allowed].sort();
      server.route({
        ...{ url, method: others, constraints: { door } },
        // Before a body is read.
        onRequest: (_request, _reply, done) => {
          done(new Problem('method-not-allowed', 'This method is not allowed here.', { allow }));
        },
        handler: (_request, reply) => reply,
      });
    }
    // An address of another door must not be taken for a name: /v1/payments/card is no /v1/payments/:id.
    const used = new Set(Object.values(openings).flat());
    for (const url of addresses)
      for (const door of used) {
        if (url.includes(':') || url.includes('*') || methods.has(`${door} ${url}`)) continue;
        server.route({
          ...{ url, method: [...server.supportedMethods], constraints: { door } },
          onRequest: (_request, _reply, done) => done(nothingHere()),
          handler: (_request, reply) => reply,
        });
      }
  };
}

/** What is said of an address where nothing is. */
export function nothingHere(): Problem {
  return new Problem('not-found', 'There is nothing at this address.');
}

/** Routes of files have no rules of their own. */
function openingOfFiles(url: string): Opening | undefined {
  const [, folder = ''] = url.split('/');
  if (['kit', 'checkout'].includes(folder)) return 'payers';
  return ['console', 'docs', 'openapi.json'].includes(folder) ? 'merchant' : undefined;
}
