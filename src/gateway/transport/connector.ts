import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { Config } from '../../config/config.js';
import { tlsFileProblems } from '../../config/watch-files.js';
import { causeOf } from '../../telemetry/error-fields.js';
import type { NotSentReason } from '../gateway-result.js';

/** A connection that takes longer is given up. Nothing was sent, and the payer is waiting. */
const CONNECT_TIMEOUT_MS = 5_000;

/** How often certificate files are checked for changes. */
const RE_READ_AFTER_MS = 10_000;

type TlsFiles = Config['gateway']['tls'];

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
 * Opens the connections of a pool: TLS 1.2 or later, always verified, with the extra CA besides the system's own and the
 * client certificate, if there are any. Failures are {@link ConnectFailure}. That type tells a request that never left from
 * one that may have arrived.
 */
export function createConnector(
  files: TlsFiles,
  timeoutMs: number,
  reReadAfterMs = RE_READ_AFTER_MS,
): buildConnector.connector {
  const secureContext = reloadingSecureContext(files, reReadAfterMs);
  const timeout = Math.min(timeoutMs, CONNECT_TIMEOUT_MS);
  let current = secureContext();
  let connect = build(current, timeout);
  return (options, callback) => {
    const context = secureContext();
    if (context !== current) {
      current = context;
      connect = build(context, timeout);
    }
    connect(options, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error) callback(new ConnectFailure(reasonOf(error, options.protocol), causeOf(error)), null);
      else callback(null, socket);
    });
  };
}

function build(secureContext: SecureContext, timeout: number): buildConnector.connector {
  return buildConnector({ secureContext, timeout, rejectUnauthorized: true, allowH2: false });
}

/**
 * The TLS settings from the files. They are read again when a file has changed, because certificates are renewed while the
 * service runs. If a file cannot be used, the last good settings stay in use.
 */
function reloadingSecureContext(files: TlsFiles, reReadAfterMs: number): () => SecureContext {
  const paths = Object.values(files).filter((path) => path !== undefined);
  let changedAt = modificationTimes(paths);
  let context = readSecureContext(files);
  let checkedAt = performance.now();
  return () => {
    if (paths.length === 0 || performance.now() - checkedAt < reReadAfterMs) return context;
    checkedAt = performance.now();
    try {
      const times = modificationTimes(paths);
      // OpenSSL takes a CA file without any certificate for one that adds none.
      if (times === changedAt || tlsFileProblems(files).length > 0) return context;
      context = readSecureContext(files);
      changedAt = times;
    } catch {
      // Certificate and key are rarely replaced at the same instant. The next check finds both.
    }
    return context;
  };
}

function modificationTimes(paths: readonly string[]): string {
  return paths.map((path) => statSync(path).mtimeMs).join();
}

/** One context for all connections. Parsing more than a hundred CA certificates for each would cost milliseconds. */
function readSecureContext({ caFile, clientCertFile, clientKeyFile }: TlsFiles): SecureContext {
  return createSecureContext({
    minVersion: 'TLSv1.2',
    ...(caFile !== undefined && { ca: [...getCACertificates('default'), readFileSync(caFile, 'utf8')] }),
    ...(clientCertFile !== undefined && { cert: readFileSync(clientCertFile) }),
    ...(clientKeyFile !== undefined && { key: readFileSync(clientKeyFile) }),
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
