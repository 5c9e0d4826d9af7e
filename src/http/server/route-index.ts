import type { RouteOptions } from 'fastify';
import { Problem } from '../problems/problem.js';
import { targetPath } from '../request/request-target.js';

/**
 * Knows the methods of each address, so that a known address with another method is a 405 and not a 404. It is used only
 * for requests that match no route, so it need not be fast.
 */
export class RouteIndex {
  readonly #routes = new Map<string, { readonly path: RegExp; readonly methods: Set<string> }>();

  /** Called by the server for each route as it is registered. */
  readonly add = (route: RouteOptions): void => {
    const known = this.#routes.get(route.url) ?? { path: pathPattern(route.url), methods: new Set() };
    for (const method of [route.method].flat()) known.methods.add(method);
    this.#routes.set(route.url, known);
  };

  /**
   * Why a request matched no route: the address does not exist, or not with this method. Routes for which `isHere` is false
   * are ignored.
   */
  whyNotFound(target: string, isHere: (method: string, url: string) => boolean = () => true): Problem {
    const path = targetPath(target);
    const methods = new Set<string>();
    for (const [url, route] of this.#routes) {
      if (!route.path.test(path)) continue;
      for (const method of route.methods) if (isHere(method, url)) methods.add(method);
    }
    return methods.size === 0
      ? new Problem('not-found', 'There is nothing at this address.')
      : new Problem('method-not-allowed', 'This method is not allowed here.', { allow: [...methods].sort() });
  }
}

/** A route's pattern as a regular expression: `:name` matches one segment, `*` the rest. */
function pathPattern(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment.includes(':')) return '[^/]+';
    return segment.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  });
  return new RegExp(`^${segments.join('/')}$`);
}
