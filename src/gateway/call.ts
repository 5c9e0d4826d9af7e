import { codeOf, failureOf, retryAfterOf } from './answer/http-status.js';
import { judge } from './answer/judge.js';
import { judgePreparation } from './answer/preparation.js';
import { isPage } from './answer/values.js';
import { sealerOf } from './encryption.js';
import type { Fact, FailureCode } from './fact.js';
import type { PaymentFacts } from './payment-facts.js';
import type { CallProfile, OperationName, Profile } from './profile/schema.js';
import { compileCall, type CompiledCall } from './request/compile.js';
import type { Scope } from './request/words.js';
import type { GatewaySettings } from './settings.js';
import { compileTokenRequest, readToken, TokenKeeper, type Fetched } from './token.js';
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

/** How long a busy gateway is left alone where it does not say. */
const BUSY_SECONDS = 5;
const NOBODY: PaymentFacts = { clientRef: '', currency: '' };

/** An exchange with the gateway, or why there was none. */
type Sent = { readonly exchanged: Exchanged; readonly url: string } | Answered;

/** Makes the calls of a profile: write, encrypt, sign, send once, judge. */
export class Caller {
  readonly #calls: ReadonlyMap<string, CompiledCall>;
  readonly #transport: Transport;
  readonly #tokens: TokenKeeper | undefined;

  constructor(
    private readonly profile: Profile,
    private readonly settings: GatewaySettings,
    private readonly observe: Observe,
  ) {
    const { encryption, operations, token } = profile;
    const baseUrl = settings.baseUrl.replace(/\/$/, '');
    const context = { baseUrl, seal: encryption && sealerOf(encryption, settings.encryptionKey?.unwrap()) };
    const calls = Object.entries<CallProfile>(operations) as [OperationName, CallProfile][];
    this.#calls = new Map(calls.map(([name, call]) => [name, compileCall(profile, name, call, context)]));
    this.#transport = new Transport(settings);
    const write = token && compileTokenRequest(token, baseUrl);
    this.#tokens =
      write && new TokenKeeper(() => this.#within({}, (limits) => this.#fetchToken(write, token, limits)));
  }

  get(name: OperationName): CompiledCall | undefined {
    return this.#calls.get(name);
  }

  /** Makes a call, and the one before it. It never throws because of the gateway or the network, and nothing is sent twice. */
  call(name: OperationName, facts: PaymentFacts, options: CallOptions = {}): Promise<Answered> {
    const call = this.#have(name);
    return this.#within(options, async (limits) => {
      let scope = this.#scope(facts);
      if (call.before) {
        const sent = await this.#exchange(call.before, scope, limits, 'before');
        if ('fact' in sent) return sent;
        const prepared = judgePreparation(call.before.reader, sent.exchanged, call.durable, facts);
        if (typeof prepared['is'] === 'string' && 'failure' in prepared)
          return { fact: prepared as Fact, ...busy(sent.exchanged, scope) };
        const kept = prepared as Record<string, string>;
        const durable = Object.fromEntries(Object.entries(kept).filter(([key]) => call.durable.has(key)));
        if (!(await isCommitted(options.commit, durable))) return { fact: notSent('gateway_unavailable') };
        scope = { ...scope, facts: { ...facts, kept: { ...facts.kept, ...kept } } };
      }
      const sent = await this.#exchange(call, scope, limits);
      if ('fact' in sent) return sent;
      const { fact } = judge(call.reader, sent.exchanged, { scope, url: sent.url, mode: this.settings.mode });
      return { fact, ...busy(sent.exchanged, scope) };
    });
  }

  /** One request and its raw answer, for what is about no payment. */
  fetch(name: OperationName, options: CallOptions = {}): Promise<Exchanged> {
    return this.#within(options, async (limits) => {
      const sent = await this.#exchange(this.#have(name), this.#scope(NOBODY), limits);
      return 'fact' in sent ? { kind: 'notSent', why: 'abandoned' } : sent.exchanged;
    });
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #have(name: OperationName): CompiledCall {
    const call = this.#calls.get(name);
    if (!call) throw new Error(`the profile has no operation ${name}`);
    return call;
  }

  #scope(facts: PaymentFacts): Scope {
    const { apiKey, accessToken, notifyUrl } = this.settings;
    const secrets = { apiKey: apiKey?.unwrap(), accessToken: accessToken?.unwrap() };
    return { facts, digits: this.profile.digits ?? {}, notifyUrl, ...secrets, now: new Date() };
  }

  /** One deadline over everything, and the last check only once: what has begun goes on. */
  async #within<T>(options: CallOptions, run: (limits: Limits) => Promise<T>): Promise<T> {
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
  async #exchange(
    call: CompiledCall,
    scope: Scope,
    limits: Limits,
    label: string = call.name,
  ): Promise<Sent> {
    const isQuery = call.reader.kind === 'status' || call.reader.kind === 'refundStatus';
    const without = (why: string, fact: Fact): Answered => ({
      fact: isQuery ? { is: 'unclear', why } : fact,
    });
    const tokens = call.usesToken ? this.#tokens : undefined;
    let token = await tokens?.get(limits);
    for (let isAgain = false; ; isAgain = true) {
      if (token && 'failed' in token) {
        const { busySeconds } = busy(token.failed, scope);
        const fact = notSent(tokenFailure(token.failed), busySeconds);
        return { ...without('no token', fact), ...(busySeconds !== undefined && { busySeconds }) };
      }
      const request = await written(call, token ? { ...scope, token: token.value } : scope);
      if (!request)
        return without('nothing names the payment', { ...notSent('gateway_rejected'), is: 'refused' });
      if (request === 'unwritable') return without('not encrypted', notSent('gateway_unavailable'));
      const exchanged = await this.#send(request, limits, label);
      if (exchanged.kind === 'notSent') return without(exchanged.why, notSent('gateway_unavailable'));
      const sent = { exchanged, url: request.url };
      if (!token || exchanged.kind !== 'answer' || exchanged.status !== 401) return sent;
      tokens?.drop(token.value);
      if (!token.isCached || isAgain) return sent;
      token = await tokens?.get(limits);
      if (token && 'failed' in token) return sent;
    }
  }

  async #send(request: Outgoing, limits: Limits, operation: string): Promise<Exchanged> {
    const begun = performance.now();
    const exchanged = await this.#transport.send(request, limits);
    const outcome = exchanged.kind === 'answer' ? String(exchanged.status) : exchanged.why;
    this.observe({ operation, outcome, seconds: (performance.now() - begun) / 1000 });
    return exchanged;
  }

  async #fetchToken(
    write: (scope: Scope) => Outgoing,
    profile: NonNullable<Profile['token']>,
    limits: Limits,
  ): Promise<Fetched> {
    const scope = this.#scope(NOBODY);
    const exchanged = await this.#send(write(scope), limits, 'token');
    return readToken(profile, exchanged, scope.now) ?? { failed: exchanged };
  }
}

/** An error of a cryptography library can quote what it encrypts, so it ends here. */
async function written(call: CompiledCall, scope: Scope): Promise<Outgoing | 'unwritable' | undefined> {
  try {
    return await call.write(scope);
  } catch {
    return 'unwritable';
  }
}

async function isCommitted(commit: CallOptions['commit'], kept: Record<string, string>): Promise<boolean> {
  try {
    return !commit || Object.keys(kept).length === 0 || (await commit(kept));
  } catch {
    return false;
  }
}

function notSent(
  code: FailureCode,
  retryAfterSeconds?: number,
): Extract<Fact, { is: 'refused' | 'notSent' }> {
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { is: 'notSent', failure: failureOf(code), cardTried: false, ...wait };
}

/** Without a token nothing was sent. Whether for lack of rights or of patience is worth telling. */
function tokenFailure(failed: Exchanged): FailureCode {
  const code = failed.kind === 'answer' ? codeOf(failed.status, isPage(failed.text)) : undefined;
  return code === undefined || code === 'gateway_rejected' ? 'gateway_unavailable' : code;
}

function busy(exchanged: Exchanged, { now }: Scope): Pick<Answered, 'busySeconds'> {
  if (exchanged.kind !== 'answer' || exchanged.status !== 429) return {};
  return { busySeconds: retryAfterOf(exchanged.retryAfter, now) ?? BUSY_SECONDS };
}
