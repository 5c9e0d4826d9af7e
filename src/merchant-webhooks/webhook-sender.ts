import { Agent, ProxyAgent, type Dispatcher } from 'undici';
import type { Secret } from '../secrets/secret.js';
import { causeOf } from '../telemetry/error-fields.js';
import { signatureHeaders } from './signature.js';

/** The timeout of a whole attempt: connecting, sending and the head of the answer. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
/** Only the status of an answer matters. This much of the body is read so that the connection can be reused. */
const BODY_LIMIT_BYTES = 4_096;
const BODY_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Idle connections are closed before common servers close them, so that an event never meets a closed one. */
const IDLE_TIMEOUT_MS = 4_000;
const LONGEST_IDLE_MS = 60_000;

/** The outcome of an attempt: the status that the merchant's server answered with, or why there is none. */
export type Attempt =
  | { kind: 'answered'; status: number }
  | {
      kind: 'failed';
      reason: FailureReason;
      /** The code that it ends in, such as `ENOTFOUND` or `CERT_HAS_EXPIRED`, where there is one. */
      cause?: string;
    };

export type FailureReason =
  | 'timeout'
  /** No connection could be made. */
  | 'unreachable'
  /** The connection broke, or the answer was not HTTP. */
  | 'no_answer'
  | 'tls'
  | 'no_secret'
  /** We ended it ourselves. */
  | 'interrupted';

export interface WebhookSenderOptions {
  url: string;
  /** Each one signs. */
  secrets: Secret<readonly string[]>;
  /** A forward proxy. */
  proxy?: Secret | undefined;
  /** The maximum number of connections. */
  connections: number;
  timeoutMs?: number;
}

/** Posts events to the merchant's server: signed, without redirects, and with a timeout. */
export class WebhookSender {
  /** Scheme, host and port, for logs: the path may hold a secret. */
  readonly origin: string;
  private readonly path: string;
  private readonly agent: Dispatcher;
  private readonly underWay = new Set<AbortController>();

  constructor(private readonly options: WebhookSenderOptions) {
    const url = new URL(options.url);
    this.origin = url.origin;
    this.path = url.pathname + url.search;
    const tls = { minVersion: 'TLSv1.2', timeout: CONNECT_TIMEOUT_MS } as const;
    const agent = {
      connections: options.connections,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      keepAliveMaxTimeout: LONGEST_IDLE_MS,
    };
    this.agent = options.proxy
      ? new ProxyAgent({ ...agent, uri: options.proxy.unwrap(), requestTls: tls })
      : new Agent({ ...agent, connect: { ...tls, allowH2: false } });
  }

  /** Makes one attempt. Never throws. */
  async send(event: { id: string; body: string }): Promise<Attempt> {
    const secrets = this.options.secrets.unwrap();
    if (secrets.length === 0) return { kind: 'failed', reason: 'no_secret' };
    const attempt = new AbortController();
    const timer = setTimeout(() => {
      attempt.abort('timeout' satisfies FailureReason);
    }, this.options.timeoutMs ?? ATTEMPT_TIMEOUT_MS);
    this.underWay.add(attempt);
    try {
      const { statusCode, body } = await this.agent.request({
        origin: this.origin,
        path: this.path,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Tillfront',
          ...signatureHeaders(event, Date.now(), secrets),
        },
        body: event.body,
        signal: attempt.signal,
      });
      await discard(body);
      return { kind: 'answered', status: statusCode };
    } catch (error) {
      if (attempt.signal.aborted) return { kind: 'failed', reason: attempt.signal.reason as FailureReason };
      const cause = causeOf(error);
      return { kind: 'failed', reason: reasonOf(error), ...(cause !== undefined && { cause }) };
    } finally {
      clearTimeout(timer);
      this.underWay.delete(attempt);
    }
  }

  /** Ends the attempts that are under way, as `interrupted`. */
  interrupt(): void {
    for (const attempt of this.underWay) attempt.abort('interrupted' satisfies FailureReason);
  }

  /** Closes the connections. Nothing can be sent after that. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

/**
 * Reads the rest of a short answer so that the connection can be reused; otherwise closes it. The status counts in any
 * case.
 */
async function discard(body: Dispatcher.ResponseData['body']): Promise<void> {
  const timer = setTimeout(() => body.destroy(), BODY_TIMEOUT_MS);
  await body.dump({ limit: BODY_LIMIT_BYTES }).catch(() => undefined);
  clearTimeout(timer);
}

const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);
/** How Node.js error codes of a failed handshake or an unacceptable certificate begin. */
const TLS_CODE =
  /^(?:ERR_(?:TLS|SSL)_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;

function reasonOf(error: unknown): FailureReason {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && TIMEOUT_CODES.has(code)) return 'timeout';
  if (code !== undefined && TLS_CODE.test(code)) return 'tls';
  // Several addresses were tried, and none accepted the connection.
  const neverConnected =
    error instanceof AggregateError || syscall === 'connect' || syscall === 'getaddrinfo';
  return neverConnected ? 'unreachable' : 'no_answer';
}
