import { type INestApplication, RequestMethod, type Type } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';

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
