/** A JSON object from outside. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A string member of an object, or the fallback. */
export function textOf(object: JsonObject, name: string, otherwise: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : otherwise;
}

/** Reads the value at a JSON pointer (RFC 6901). Undefined where there is none. */
export function readPointer(document: unknown, pointer: string): unknown {
  return steps(pointer).reduce<unknown>(
    (value, step) => (isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined),
    document,
  );
}

/** Writes a value at a JSON pointer and creates missing objects on the way. */
export function writePointer(document: JsonObject, pointer: string, value: unknown): void {
  const path = steps(pointer);
  const last = path.pop() ?? '';
  const parent = path.reduce<JsonObject>((object, step) => {
    const next = object[step];
    if (isObject(next)) return next;
    const made: JsonObject = {};
    object[step] = made;
    return made;
  }, document);
  parent[last] = value;
}

/** Every pointer to a value that is not an object, in order. */
export function leaves(document: unknown, at = ''): string[] {
  if (!isObject(document) || document.constructor !== Object) return [at];
  return Object.entries(document).flatMap(([name, value]) =>
    leaves(value, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

function steps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
