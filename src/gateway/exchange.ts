import { codeOf, failureOf, retryAfterOf } from './answer/http-status.js';
import { isQuery } from './answer/reader.js';
import { isPage } from './answer/values.js';
import type { Fact, FailureCode } from './fact.js';
import type { TokenProfile } from './profile/schema.js';
import type { CompiledCall, CompiledRequest } from './request/compile.js';
import type { Scope } from './request/words.js';
import type { GatewaySettings } from './settings.js';
import { readToken, TokenKeeper, type Fetched } from './token.js';
import type { Limits } from './transport/adapter.js';
import { Transport, type Exchanged, type Outgoing } from './transport/transport.js';

/** How a call may go on. */
export interface CallOptions {
  /** When all of it must have ended: a `performance.now()` timestamp. By default the gateway's timeout from now. */
  readonly deadline?: number;
  /** Asked once, right before the first byte of the first of its calls (token, before, its own). False: nothing is sent. */
  readonly mayBegin?: () => boolean;
  /** Makes durable what the call before brought, before the call itself is sent. Unless it resolves to true, that is not sent. */
  readonly commit?: (kept: Record<string, string>) => Promise<boolean>;
}

/** What came of a call. */
export interface Answered {
  readonly fact: Fact;
  /** HTTP 429: the gateway wants to be left alone for so long. */
  readonly busySeconds?: number;
}

/** Called after each request, also for a token or before another call. Nothing that is sent or received is in it. */
export type Observe = (call: {
  readonly operation: string;
  readonly outcome: string;
  readonly seconds: number;
}) => void;

/** An exchange with the gateway, or why there was none. */
export type Sent =
  | {
      readonly exchanged: Exchanged;
      readonly url: string;
      /** With the token that it carried. */
      readonly scope: Scope;
    }
  | Answered;

/** How the profile's token is fetched, and with which words. */
interface TokenSource {
  readonly profile: TokenProfile;
  readonly request: CompiledRequest;
  readonly scope: () => Scope;
}

/** How long a busy gateway is left alone where it does not say. */
const BUSY_SECONDS = 5;

/** Writes, encrypts, signs and sends requests, each once, within the time of its call. */
export class Exchanger {
  readonly #transport: Transport;
  readonly #tokens: TokenKeeper | undefined;

  constructor(
    private readonly settings: GatewaySettings,
    private readonly observe: Observe,
    token: TokenSource | undefined,
  ) {
    this.#transport = new Transport(settings);
    this.#tokens =
      token && new TokenKeeper(() => this.within({}, (limits) => this.#fetchToken(token, limits)));
  }

  /** One deadline over everything, and the last check only once: what has begun goes on. */
  async within<T>(options: CallOptions, run: (limits: Limits) => Promise<T>): Promise<T> {
    const { deadline = performance.now() + this.settings.timeoutMs, mayBegin = () => true } = options;
    const left = deadline - performance.now();
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), Math.max(left, 0));
    let hasBegun = false;
    try {
      return await run({ signal: controller.signal, mayBegin: () => left > 0 && (hasBegun ||= mayBegin()) });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a request once, and a second time only where a cached token was refused: that proves that nothing was done. */
  async send(call: CompiledCall, scope: Scope, limits: Limits, label: string = call.name): Promise<Sent> {
    const without = (why: string, fact: Fact): Answered =>
      isQuery(call.reader.kind) ? { fact: { is: 'unclear', why } } : { fact };
    const tokens = call.usesToken ? this.#tokens : undefined;
    let token = await tokens?.get(limits);
    for (let isAgain = false; ; isAgain = true) {
      if (token && 'failed' in token) {
        const busy = busyOf(token.failed, scope);
        const fact = notSent(tokenFailure(token.failed), busy.busySeconds);
        return { ...without('no token', fact), ...busy };
      }
      const own = token ? { ...scope, token: token.value } : scope;
      const request = await written(call, own);
      if (!request)
        return without('nothing names the payment', { ...notSent('gateway_rejected'), is: 'refused' });
      if (request === 'unwritable') return without('not encrypted', notSent('gateway_unavailable'));
      const exchanged = await this.#send(request, limits, label);
      if (exchanged.kind === 'notSent') return without(exchanged.why, notSent('gateway_unavailable'));
      const sent = { exchanged, url: request.url, scope: own };
      if (!token || exchanged.kind !== 'answer' || exchanged.status !== 401) return sent;
      tokens?.drop(token.value);
      if (!token.isCached || isAgain) return sent;
      token = await tokens?.get(limits);
      if (token && 'failed' in token) return sent;
    }
  }

  /** Waits for what is under way, then closes the connections. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  async #send(request: Outgoing, limits: Limits, operation: string): Promise<Exchanged> {
    const begun = performance.now();
    const exchanged = await this.#transport.send(request, limits);
    this.observe({ operation, outcome: outcomeOf(exchanged), seconds: (performance.now() - begun) / 1000 });
    return exchanged;
  }

  async #fetchToken({ profile, request, scope: scopeOf }: TokenSource, limits: Limits): Promise<Fetched> {
    const scope = scopeOf();
    const written = await request.write(scope);
    if (!written) return { failed: { kind: 'notSent', why: 'no address' } };
    const exchanged = await this.#send(written, limits, 'token');
    return readToken(profile, exchanged, scope.now) ?? { failed: exchanged };
  }
}

/** What came of a request, in the words of docs/metrics.md. Where a firewall answers, nothing got to the gateway. */
function outcomeOf(exchanged: Exchanged): string {
  if (exchanged.kind !== 'answer') return exchanged.kind === 'notSent' ? 'not-sent' : 'unknown';
  const { status, text } = exchanged;
  const code = codeOf(status, isPage(text));
  if (code === undefined) return status >= 200 && status <= 202 ? 'answered' : 'unknown';
  return code === 'gateway_unavailable' ? 'not-sent' : code.replace('gateway_', '').replace('_', '-');
}

/** How long a gateway that answers 429 is left alone. */
export function busyOf(exchanged: Exchanged, { now }: Scope): Pick<Answered, 'busySeconds'> {
  if (exchanged.kind !== 'answer' || exchanged.status !== 429) return {};
  return { busySeconds: retryAfterOf(exchanged.retryAfter, now) ?? BUSY_SECONDS };
}

export function notSent(
  code: FailureCode,
  retryAfterSeconds?: number,
): Extract<Fact, { is: 'refused' | 'notSent' }> {
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { is: 'notSent', failure: failureOf(code), cardTried: false, ...wait };
}

/** An error of a cryptography library can quote what it encrypts, so it ends here. */
async function written(call: CompiledCall, scope: Scope): Promise<Outgoing | 'unwritable' | undefined> {
  try {
    return await call.write(scope);
  } catch {
    return 'unwritable';
  }
}

/** Without a token nothing was sent. Whether for lack of rights or of patience is worth telling. */
function tokenFailure(failed: Exchanged): FailureCode {
  const code = failed.kind === 'answer' ? codeOf(failed.status, isPage(failed.text)) : undefined;
  return code === undefined || code === 'gateway_rejected' ? 'gateway_unavailable' : code;
}
