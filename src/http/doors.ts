import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from './problems/problem.js';
import type { Opening } from './route.js';

/** A listener: `PORT`, `MERCHANT_PORT`, `MANAGEMENT_PORT`. */
export type Door = 'payers' | 'merchant' | 'management';

interface Ports {
  readonly merchantPort?: number;
  readonly managementPort?: number;
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

/** What is said of an address where nothing is. */
export function nothingHere(): Problem {
  return new Problem('not-found', 'There is nothing at this address.');
}

/** Notes where each route answers. One that does not say so stops the start. */
export class Doors {
  /** The methods by door and address. */
  readonly #methods = new Map<string, Set<string>>();
  readonly #addresses = new Set<string>();
  #finishing = false;

  constructor(
    private readonly server: FastifyInstance,
    ports: Ports,
  ) {
    const openings = openingsOf(ports);
    server.addHook('onRoute', ({ url, method, config }) => {
      // The route of preflights, and those that answer 405.
      if (url === '*' || this.#finishing) return;
      const opening = config?.edge?.openAt ?? openingOfFiles(url);
      if (opening === undefined) throw new Error(`Say with Access or EdgeRoute where ${url} answers`);
      this.#addresses.add(url);
      for (const door of openings[opening]) {
        const place = `${door} ${url}`;
        this.#methods.set(place, new Set([...(this.#methods.get(place) ?? []), ...[method].flat()]));
      }
    });
  }

  /** Adds a route for the other methods of each address, once all routes are there. They never get to their handler. */
  finish(): void {
    this.#finishing = true;
    for (const url of this.#addresses) {
      const others = this.server.supportedMethods.filter((method) => !this.server.hasRoute({ url, method }));
      if (others.length > 0) this.server.route({ url, method: others, handler: (_request, reply) => reply });
    }
    this.#finishing = false;
  }

  /** What refuses a request at another door, where there is nothing at its address, and one by another method. */
  refusal(request: FastifyRequest): Problem | undefined {
    const allowed = this.#methods.get(`${doorOf(request)} ${request.routeOptions.url ?? ''}`);
    if (!allowed) return nothingHere();
    if (allowed.has(request.method)) return undefined;
    const allow = [...allowed].sort();
    return new Problem('method-not-allowed', 'This method is not allowed here.', { allow });
  }
}

/** The doors of each opening. Where a port is not set, `PORT` serves its routes. */
function openingsOf({ merchantPort, managementPort }: Ports): Readonly<Record<Opening, readonly Door[]>> {
  const merchant: Door = merchantPort === undefined ? 'payers' : 'merchant';
  const both: readonly Door[] = ['payers', merchant];
  const hasManagement = managementPort !== undefined;
  return {
    ...{ payers: ['payers'], merchant: [merchant], both },
    management: hasManagement ? ['management'] : both,
    metrics: [hasManagement ? 'management' : merchant],
  };
}

/** Routes of files have no rules of their own. Those of `/docs` come late, as `/docs*`. */
function openingOfFiles(url: string): Opening | undefined {
  const [, folder = ''] = url.split(/[/*]/);
  if (['kit', 'checkout'].includes(folder)) return 'payers';
  return ['console', 'docs', 'openapi.json'].includes(folder) ? 'merchant' : undefined;
}
