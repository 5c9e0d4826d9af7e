import { createSecureContext } from 'node:tls';
import { Agent, Pool, ProxyAgent, type buildConnector, type Dispatcher } from 'undici';

/**
 * An idle connection is closed after this time, well before common servers close theirs (Node after 5 s, others after 60 s or more): a
 * request on a connection that is just being closed has an unknown outcome.
 */
const KEEP_ALIVE_MS = 4_000;

/** Nothing was sent while connecting, and the payer is waiting. */
const CONNECT_TIMEOUT_MS = 5_000;

export interface DispatcherOptions {
  /** The client's certificate and key, PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** `EGRESS_PROXY_URL`: everything goes through a tunnel of it. */
  readonly proxyUrl?: string;
  /** How many at once; unlimited where absent. */
  readonly connections?: number;
}

/**
 * Connections to the world outside, of the gateway and the webhook: kept alive for a while, TLS 1.2 or later, always verified, nothing
 * taken from the environment but `NODE_EXTRA_CA_CERTS`.
 */
export function createDispatcher({ tls, proxyUrl: uri, connections: most }: DispatcherOptions): Dispatcher {
  const secureContext = createSecureContext({ minVersion: 'TLSv1.2', ...tls });
  const proxyTls = { timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: true, allowH2: false };
  const connect = { ...proxyTls, secureContext };
  const keepAlive = { keepAliveTimeout: KEEP_ALIVE_MS, keepAliveMaxTimeout: KEEP_ALIVE_MS, pipelining: 1 };
  const connections = { ...keepAlive, ...(most !== undefined && { connections: most }) };
  if (uri === undefined) return new Agent({ ...connections, connect });
  const factory = (origin: string | URL, options: { connect?: buildConnector.connector }): Dispatcher =>
    new Pool(origin, { ...options, ...(options.connect && { connect: once(options.connect) }) });
  return new ProxyAgent({
    ...connections,
    uri,
    requestTls: connect,
    proxyTls,
    factory,
  });
}

/** undici takes a proxy that hangs up for a passing fault of a socket and connects again without an end. */
function once(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    connect(options, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error) callback(Object.assign(new Error('no tunnel'), { code: 'NO_TUNNEL' }), null);
      else callback(null, socket);
    });
  };
}
