/**
 * Headers that say who asks, for what, from where, and how to read the body. If such a header stands twice, some proxies
 * and servers take the first and some the last (Node drops or joins them), so each could read a different request.
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

/** The name of a header that may stand only once but stands twice. Undefined where there is none. */
export function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? '';
    // Most names differ from these in length alone, which is quick to check.
    if (!LENGTHS.has(raw.length)) continue;
    const name = raw.toLowerCase();
    if (!ONCE.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}
