import type { Dialect } from './dialects/dialect.ts';
import { FURTHER_OPERATIONS, type Operation, OPERATIONS } from './dialects/operations.ts';

export interface Call {
  operation: Operation;
  /** The values from the path, decoded. */
  path: Record<string, string>;
}

/** Finds the operation for a method and a path in a dialect. */
export function createRouter(dialect: Dialect): (method: string, pathname: string) => Call | undefined {
  const routes = [...OPERATIONS, ...FURTHER_OPERATIONS].flatMap((operation) => {
    const route = dialect.routes[operation];
    if (!route) return [];
    const { method, path } = route;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
    return { operation, method, names, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`) };
  });
  return (method, pathname) => {
    for (const route of routes) {
      const match = route.method === method ? route.pattern.exec(pathname) : null;
      if (match)
        return {
          operation: route.operation,
          path: Object.fromEntries(
            route.names.map((name, index) => [name, decodeStep(match[index + 1] ?? '')]),
          ),
        };
    }
    return undefined;
  };
}

/** A step of a path, decoded where it can be. */
export function decodeStep(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
