/** Scheme and authority of a target in absolute form, which proxies and some unusual clients send. */
const ORIGIN = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

/**
 * The path of a request target (RFC 9112) without origin, query and fragment. `/` where there is no path, as in `OPTIONS
 * *`.
 */
export function targetPath(target: string): string {
  const path = target.replace(ORIGIN, '').split(/[?#]/, 1)[0] ?? '';
  return path.startsWith('/') ? path : '/';
}
