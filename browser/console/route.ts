/** Where the console is: a path, and what it is filtered by, both in the address’s fragment. A key is never part of it. */
export interface Route {
  /** `payments`, then an id; empty for the overview. */
  path: readonly string[];
  query: Readonly<Record<string, string>>;
}

export type Query = Readonly<Record<string, string | undefined>>;

/** Reads a fragment. That of a former version, a payment’s id alone, is its payment. Pure. */
export function readRoute(fragment: string): Route {
  const [path = '', search = ''] = fragment.replace(/^#/, '').split('?');
  const parts = path.split('/').filter((part) => part !== '');
  const query = Object.fromEntries([...new URLSearchParams(search)].filter(([, value]) => value !== ''));
  const isFormer = parts.length === 1 && (parts[0]?.startsWith('pay_') ?? false);
  return { path: isFormer ? ['payments', ...parts] : parts.map(decoded), query };
}

/** The address of a place in the console, for links. Filters that are empty are left out. Pure. */
export function hrefOf(path: string, query: Query = {}): string {
  const search = queryText(query);
  return `#${path}${search === '' ? '' : `?${search}`}`;
}

/** `status=failed&method=card`, without what is empty. Pure. */
export function queryText(query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return new URLSearchParams(given).toString();
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
