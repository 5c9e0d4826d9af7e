/** A place in the console: a path and filters, both in the address's fragment. A key is never part of it. */
export interface Route {
  /** `payments`, then an id; empty for the overview. */
  path: readonly string[];
  query: Readonly<Record<string, string>>;
}

export type Query = Readonly<Record<string, string | undefined>>;

/** Reads a fragment. Pure. */
export function readRoute(fragment: string): Route {
  const [path = '', search = ''] = fragment.replace(/^#/, '').split('?');
  const parts = path.split('/').filter((part) => part !== '');
  return { path: parts.map(decoded), query: given(Object.fromEntries(new URLSearchParams(search))) };
}

/** The address of a place in the console. Empty filters are left out. Pure. */
export function hrefOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams(given(query)).toString();
  return `#${path}${search === '' ? '' : `?${search}`}`;
}

/** A query without its empty values. Pure. */
export function given(query: Query): Record<string, string> {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(entries);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
