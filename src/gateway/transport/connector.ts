import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { Config } from '../../config/config.js';
import { causeOf } from '../../telemetry/error-fields.js';
import type { NotSentReason } from '../gateway-result.js';

/** A connection that takes longer is given up. Nothing was sent, and the payer is waiting. */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * The connection was never secured, so no byte of a request can have left. `reset` is a plain connection that was open for
 * a moment; nothing proves what the other side made of it.
 */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';

  constructor(
    readonly reason: NotSentReason | 'reset',
    /** The system's, the resolver's or the TLS library's. Never their messages, which name hosts. */
    readonly causeCode?: string,
  ) {
    super(`no connection to the gateway: ${reason}`);
  }
}

/**
 * Opens the connections of a pool: TLS 1.2 or later, always verified, with the client certificate and through the proxy, if
 * there are any. Failures are {@link ConnectFailure}. That type tells a request that never left from one that may have arrived.
 */
export function createConnector(
  { tls, egressProxy }: Pick<Config['gateway'], 'tls' | 'egressProxy'>,
  timeoutMs: number,
): buildConnector.connector {
  const { clientCertFile, clientKeyFile } = tls;
  // One context for all connections. Parsing more than a hundred CA certificates for each would cost milliseconds.
  const secureContext = createSecureContext({
    minVersion: 'TLSv1.2',
    ...(clientCertFile !== undefined && { cert: readFileSync(clientCertFile) }),
    ...(clientKeyFile !== undefined && { key: readFileSync(clientKeyFile) }),
  });
  const timeout = Math.min(timeoutMs, CONNECT_TIMEOUT_MS);
  const connect = buildConnector({ secureContext, timeout, rejectUnauthorized: true, allowH2: false });
  return (options, callback) => {
    const secured: buildConnector.Callback = (...[error, socket]) => {
      if (error) callback(new ConnectFailure(reasonOf(error, options.protocol), causeOf(error)), null);
      else callback(null, socket);
    };
    if (egressProxy === undefined) connect(options, secured);
    else
      tunnel(new URL(egressProxy.unwrap()), options, timeout).then(
        (httpSocket) => {
          if (options.protocol === 'https:') connect({ ...options, httpSocket }, secured);
          else secured(null, httpSocket);
        },
        (error: unknown) => {
          callback(new ConnectFailure('refused', causeOf(error)), null);
        },
      );
  };
}

/** A connection through a forward proxy. Rejects where the proxy makes none. */
function tunnel(
  proxy: URL,
  { hostname, port, protocol }: buildConnector.Options,
  timeout: number,
): Promise<Socket> {
  const path = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
  const credentials = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const headers = { host: path, ...(proxy.username !== '' && { 'proxy-authorization': authorization }) };
  return new Promise((resolve, reject) => {
    (proxy.protocol === 'https:' ? secureRequest : request)(proxy, {
      ...{ method: 'CONNECT', path, headers, agent: false },
      signal: AbortSignal.timeout(timeout),
    })
      .once('connect', ({ statusCode }, socket: Socket) => {
        if (statusCode === 200) resolve(socket);
        else {
          socket.destroy();
          reject(new Error('The proxy refuses the connection.'));
        }
      })
      .once('error', reject)
      .end();
  });
}

const DNS_CODES: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
]);
const TIMEOUT_CODES: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

function reasonOf(error: Error, protocol: string | undefined): ConnectFailure['reason'] {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && DNS_CODES.has(code)) return 'dns';
  if (code !== undefined && TIMEOUT_CODES.has(code)) return 'connect-timeout';
  if (code === 'ECONNRESET' && protocol !== 'https:') return 'reset';
  // Several addresses were tried and none accepted the connection, so TLS never began.
  if (error instanceof AggregateError || syscall === 'connect') return 'refused';
  return protocol === 'https:' ? 'tls' : 'reset';
}
