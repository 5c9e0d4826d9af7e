/**
 * Headers that say who asks, for what, from where and how a body is to be read. Of two, proxies and servers take now the first,
 * now the last (Node drops or joins them), so that each could read another request.
 */
const ONCE: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'origin',
  'content-type',
  'content-length',
  'transfer-encoding',
  'x-notification-secret',
]);

const LENGTHS: ReadonlySet<number> = new Set([...ONCE].map((name) => name.length));

/** The name of a header that may stand once and stands twice in a request; undefined where there is none. */
export function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? '';
    // Most names are told by their length alone.
    if (!LENGTHS.has(raw.length)) continue;
    const name = raw.toLowerCase();
    if (!ONCE.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}
