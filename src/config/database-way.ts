import { parse, type ConnectionOptions } from 'pg-connection-string';
import { isLoopbackHost } from './addresses.js';

/**
 * How the way to the database is guarded: on this machine (loopback or a socket), by TLS with a checked certificate, or not.
 * `unreadable`: the address names certificate files that cannot be read, or parameters that exclude each other.
 */
export type DatabaseWay = 'local' | 'secured' | 'open' | 'unreadable';

/** Modes that mean TLS or no connection. `prefer` and `allow` mean TLS where the other side likes it. */
const TLS_OR_NOTHING: readonly unknown[] = ['require', 'verify-ca', 'verify-full'];

/**
 * Judges a well-formed `DATABASE_URL` by what the driver makes of it: a `host` parameter wins over the host, and with
 * `uselibpqcompat=true` an `sslmode=require` without `sslrootcert` trusts any certificate, as `no-verify` always does.
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
