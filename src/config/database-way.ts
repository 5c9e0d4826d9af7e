import { parse, type ConnectionOptions } from 'pg-connection-string';
import { isLoopbackHost } from './addresses.js';

/**
 * How the connection to the database is protected: it stays on this machine (loopback or a socket), it uses TLS with a
 * checked certificate, or it is unprotected. `unreadable`: the address names certificate files that cannot be read, or
 * parameters that exclude each other.
 */
export type DatabaseWay = 'local' | 'secured' | 'open' | 'unreadable';

/** Modes that use TLS or refuse to connect. `prefer` and `allow` use TLS only if the server offers it. */
const TLS_OR_NOTHING: readonly unknown[] = ['require', 'verify-ca', 'verify-full'];

/**
 * Classifies a well-formed `DATABASE_URL` the way the driver understands it. A `host` parameter overrides the host. With
 * `uselibpqcompat=true`, an `sslmode=require` without `sslrootcert` trusts any certificate, as `no-verify` always does.
 */
export function wayToDatabase(url: string): DatabaseWay {
  let client: ConnectionOptions;
  try {
    client = parse(url);
  } catch {
    return 'unreadable';
  }
  const { host, ssl, sslmode } = client;
  if (host?.startsWith('/') || isLoopbackHost(host ?? '')) return 'local';
  if (sslmode !== undefined && !TLS_OR_NOTHING.includes(sslmode)) return 'open';
  const checked = ssl === true || (typeof ssl === 'object' && ssl.rejectUnauthorized !== false);
  return checked ? 'secured' : 'open';
}
