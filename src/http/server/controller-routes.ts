import { type INestApplication, RequestMethod, type Type } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import type { RouteOptions } from 'fastify';
import { Problem } from '../problems/problem.js';
import { targetPath } from '../request/request.js';

/** A controller's method that answers requests. */
export interface ControllerRoute {
  readonly controller: Type;
  /** The method's name. */
  readonly name: string;
  /** `GET`, `POST` and the like. */
  readonly method: string;
  /** The path as the server knows it: `/v1/payments/:id`. */
  readonly url: string;
  /** The class's guards, followed by the method's own. */
  readonly guards: readonly Type[];
  /** A member of the method's metadata, or else of its class's. */
  metadata(key: unknown): unknown;
}

/** Every route of every controller, read from the decorators. */
export function controllerRoutes(app: INestApplication): ControllerRoute[] {
  const modules = [...app.get(ModulesContainer, { strict: false }).values()];
  const controllers = new Set(
    modules.flatMap((module) => [...module.controllers.values()].map((c) => c.metatype)),
  );
  return [...controllers].flatMap((controller) =>
    typeof controller === 'function' ? routesOf(controller as Type) : [],
  );
}

function routesOf(controller: Type): ControllerRoute[] {
  // Read through the descriptor, because a getter would run on the bare prototype.
  const members = Object.entries(Object.getOwnPropertyDescriptors(controller.prototype as object));
  return members.flatMap(([name, { value }]: [string, PropertyDescriptor]) => {
    if (typeof value !== 'function') return [];
    const handler: object = value as () => unknown;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    return pathsOf(controller).flatMap((prefix) =>
      pathsOf(handler).map((path) => ({
        controller,
        name,
        method: RequestMethod[method],
        url: joined(prefix, path),
        guards: [...guardsOf(controller), ...guardsOf(handler)],
        metadata: (key: unknown): unknown =>
          Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller),
      })),
    );
  });
}

function pathsOf(target: object): string[] {
  const path = Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined;
  return [path ?? ''].flat();
}

function joined(prefix: string, path: string): string {
  return `/${[prefix, path]
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;
}

function guardsOf(target: object): Type[] {
  return (Reflect.getMetadata(GUARDS_METADATA, target) as Type[] | undefined) ?? [];
}

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

/** The names of the bearer credentials in the API description. */
export type SecurityScheme = 'merchantKey' | 'clientToken' | 'returnToken';

/** A guard lists in its static `apiSecurity` the credentials that it accepts. Any one of them is enough. */
export interface DescribedGuard {
  readonly apiSecurity?: readonly SecurityScheme[];
}
