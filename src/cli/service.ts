import { readFileSync } from 'node:fs';
import { parseBaseUrl } from '../config/addresses.js';
import { localAddress } from '../config/local-address.js';
import { namedKeysIn } from '../secrets/named-keys.js';
import { CommandFailure } from './command.js';

/** The service answers a waiting call after at most 30 s; a report may take longer to compare. */
const TIMEOUT_MS = 300_000;

/** One call of the service. */
export interface Call {
  readonly method: string;
  /** Begins with `/`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | Blob;
  readonly timeoutMs?: number;
}

/** Calls the service that the environment names. Throws {@link CommandFailure} where nothing answers. */
export async function callService(env: NodeJS.ProcessEnv, call: Call, key?: string): Promise<Response> {
  const { method, path, headers, body, timeoutMs = TIMEOUT_MS } = call;
  const address = addressOf(env, path, key);
  try {
    return await fetch(address + path, {
      method,
      headers: { accept: 'application/json', ...(key && { authorization: `Bearer ${key}` }), ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body !== undefined && { body }),
    });
  } catch (error) {
    throw new CommandFailure(
      `The service at ${address} does not answer (${reasonOf(error)}). Is it running? TILLFRONT_URL says where to look.`,
    );
  }
}

/** Where a call goes: `TILLFRONT_URL`, else this machine's port that serves the path to the holder of this key. */
export function addressOf(env: NodeJS.ProcessEnv, path: string, key?: string): string {
  const given = env['TILLFRONT_URL'];
  if (!given) return localAddress(env, portOf(env, path, key));
  const url = parseBaseUrl(given);
  if (url === undefined)
    throw new CommandFailure('TILLFRONT_URL must be an http or https address without credentials and query.');
  return url;
}

function portOf(env: NodeJS.ProcessEnv, path: string, key = ''): string {
  const ofOperators = /^\/(?:health|metrics)(?:[/?]|$)/.test(path) && env['MANAGEMENT_PORT'];
  // A payer's call, with a client token or without any key, is served on PORT only.
  const ofMerchants = key !== '' && !key.startsWith('cst_') && env['MERCHANT_PORT'];
  return ofOperators || ofMerchants || env['PORT'] || '3000';
}

/** The key to call with: `TILLFRONT_API_KEY`, else the first of `MERCHANT_API_KEY`, each also as a file. */
export function keyOf(env: NodeJS.ProcessEnv): string {
  const given = valueOf(env, 'TILLFRONT_API_KEY') ?? namedKeysIn(valueOf(env, 'MERCHANT_API_KEY'))[0]?.key;
  if (given) return given;
  throw new CommandFailure('Set TILLFRONT_API_KEY or MERCHANT_API_KEY to a key of the running service.');
}

function valueOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  if (env[name]) return env[name];
  const path = env[`${name}_FILE`];
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new CommandFailure(`${name}_FILE names a file that cannot be read.`);
  }
}

/** The code of a failed connection, such as `ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  const { code, name } = cause as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown reason';
}
