import { failureOf } from './answer/failure.js';
import { judge, type Asked } from './answer/judge.js';
import { judgePreparation } from './answer/preparation.js';
import { judgeStatus, retryAfterOf } from './answer/http-status.js';
import { sealerOf, type Seal } from './encryption.js';
import type { Fact } from './fact.js';
import type { PaymentFacts } from './payment-facts.js';
import type { OperationName, Profile } from './profile/schema.js';
import { compileCall, type CompiledCall } from './request/compile.js';
import type { Scope } from './request/words.js';
import type { GatewaySettings } from './settings.js';
import { compileTokenRequest, readToken, TokenKeeper } from './token.js';
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

/** Called after each request, a token's and a call's before another included. Nothing sent or received is in it. */
export type Observe = (call: {
  readonly operation: string;
  readonly outcome: string;
  readonly seconds: number;
}) => void;

/** How long a gateway that is busy is left alone where it does not say. */
const BUSY_SECONDS = 5;

/** Makes the calls of a profile: write, encrypt, sign, send once, judge. */
export class Caller {
  readonly #calls = new Map<string, CompiledCall>();
  readonly #transport: Transport;
  readonly #tokens: TokenKeeper | undefined;

  constructor(
    private readonly profile: Profile,
    private readonly settings: GatewaySettings,
    private readonly observe: Observe,
  ) {
    const seal: Seal | undefined =
      profile.encryption && sealerOf(profile.encryption, settings.encryptionKey?.unwrap());
    const baseUrl = settings.baseUrl.replace(/\/+$/, '');
    for (const [name, operation] of Object.entries(profile.operations) as [
      OperationName,
      Parameters<typeof compileCall>[2],
    ][])
      this.#calls.set(name, compileCall(profile, name, operation, { baseUrl, seal }));
    this.#transport = new Transport(settings);
    this.#tokens =
      profile.token && this.#keepTokens(compileTokenRequest(profile.token, baseUrl), profile.token);
  }

  get(name: OperationName): CompiledCall | undefined {
    return this.#calls.get(name);
  }

  /** Makes a call, and the one before it. It never throws because of the gateway or the network, and nothing is sent twice. */
  async call(name: OperationName, facts: PaymentFacts, options: CallOptions = {}): Promise<Answered> {
    const call = this.#calls.get(name);
    if (!call) throw new Error(`the profile has no operation ${name}`);
    return this.#within(options, async (limits) => {
      let scope = this.scope(facts);
      if (call.before) {
        const prepared = await this.#prepare(call, call.before, scope, limits, options.commit);
        if ('fact' in prepared) return prepared;
        scope = { ...scope, facts: { ...facts, kept: { ...facts.kept, ...prepared.kept } } };
      }
      const sent = await this.#exchange(call, scope, limits);
      if ('fact' in sent) return sent;
      const asked: Asked = { scope, url: sent.url, mode: this.settings.mode };
      return { fact: judge(call.reader, sent.exchanged, asked).fact, ...busy(sent.exchanged, scope) };
    });
  }

  /** One request and its raw answer, for what is no payment. */
  async fetch(name: OperationName, options: CallOptions = {}): Promise<Exchanged> {
    const call = this.#calls.get(name);
    if (!call) throw new Error(`the profile has no operation ${name}`);
    return this.#within(options, async (limits) => {
      const sent = await this.#exchange(call, this.scope({ clientRef: '', currency: '' }), limits);
      return 'fact' in sent ? { kind: 'notSent', why: 'abandoned' } : sent.exchanged;
    });
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  scope(facts: PaymentFacts): Scope {
    const { apiKey, accessToken, notifyUrl } = this.settings;
    return {
      facts,
      digits: this.profile.digits ?? {},
      notifyUrl,
      apiKey: apiKey?.unwrap(),
      accessToken: accessToken?.unwrap(),
      now: new Date(),
    };
  }

  /** One deadline over everything, and the last check only once: what has begun goes on. */
  async #within<T>(options: CallOptions, run: (limits: Limits) => Promise<T>): Promise<T> {
    const { deadline = performance.now() + this.settings.timeoutMs, mayBegin = () => true } = options;
    const controller = new AbortController();
    const left = deadline - performance.now();
    const timer = setTimeout(() => controller.abort(), Math.max(left, 0));
    let hasBegun = false;
    try {
      return await run({ signal: controller.signal, mayBegin: () => left > 0 && (hasBegun ||= mayBegin()) });
    } finally {
      clearTimeout(timer);
    }
  }

  async #prepare(
    call: CompiledCall,
    before: CompiledCall,
    scope: Scope,
    limits: Limits,
    commit: CallOptions['commit'],
  ): Promise<{ readonly kept: Record<string, string> } | Answered> {
    const sent = await this.#exchange(before, scope, limits, 'before');
    if ('fact' in sent) return sent;
    const prepared = judgePreparation(before.reader, sent.exchanged, call.durable, scope.facts);
    if ('fact' in prepared) return { ...prepared, ...busy(sent.exchanged, scope) };
    const durable = Object.fromEntries(
      Object.entries(prepared.kept).filter(([name]) => call.durable.has(name)),
    );
    if (commit && Object.keys(durable).length > 0 && !(await isCommitted(commit, durable)))
      return { fact: notSent('gateway_unavailable') };
    return prepared;
  }

  /** Sends a request once, and a second time only where a cached token was refused: that proves that nothing was done. */
  async #exchange(
    call: CompiledCall,
    scope: Scope,
    limits: Limits,
    label: string = call.name,
  ): Promise<{ readonly exchanged: Exchanged; readonly url: string } | Answered> {
    const tokens = call.usesToken ? this.#tokens : undefined;
    const isQuery = call.reader.kind === 'status' || call.reader.kind === 'refundStatus';
    const without = (
      code: Parameters<typeof failureOf>[0],
      why: string,
      is: 'refused' | 'notSent' = 'notSent',
    ): Answered => ({
      fact: isQuery ? { is: 'unclear', why } : { ...notSent(code), is },
    });
    let token = await tokens?.get(limits);
    for (let isAgain = false; ; isAgain = true) {
      if (token && 'failed' in token) return withoutToken(token.failed, isQuery, scope);
      const request = await written(call, token ? { ...scope, token: token.value } : scope);
      if (request === undefined) return without('gateway_rejected', 'nothing names the payment', 'refused');
      if (request === 'unwritable') return without('gateway_unavailable', 'not encrypted');
      const exchanged = await this.#send(request, limits, label);
      if (exchanged.kind === 'notSent') return without('gateway_unavailable', exchanged.why);
      const isRefused = exchanged.kind === 'answer' && exchanged.status === 401;
      if (!isRefused || !token) return { exchanged, url: request.url };
      tokens?.drop(token.value);
      if (!token.isCached || isAgain) return { exchanged, url: request.url };
      token = await tokens?.get(limits);
      if (token && 'failed' in token) return { exchanged, url: request.url };
    }
  }

  async #send(request: Outgoing, limits: Limits, operation: string): Promise<Exchanged> {
    const begun = performance.now();
    const exchanged = await this.#transport.send(request, limits);
    const outcome = exchanged.kind === 'answer' ? String(exchanged.status) : exchanged.why;
    this.observe({ operation, outcome, seconds: (performance.now() - begun) / 1000 });
    return exchanged;
  }

  #keepTokens(write: (scope: Scope) => Outgoing, profile: NonNullable<Profile['token']>): TokenKeeper {
    return new TokenKeeper(() =>
      this.#within({}, async (limits) => {
        const scope = this.scope({ clientRef: '', currency: '' });
        const exchanged = await this.#send(write(scope), limits, 'token');
        const token = readToken(profile, exchanged, scope.now);
        return token ? { token } : { failed: exchanged };
      }),
    );
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

async function isCommitted(
  commit: NonNullable<CallOptions['commit']>,
  kept: Record<string, string>,
): Promise<boolean> {
  try {
    return await commit(kept);
  } catch {
    return false;
  }
}

function notSent(code: Parameters<typeof failureOf>[0]): Extract<Fact, { is: 'refused' | 'notSent' }> {
  return { is: 'notSent', failure: failureOf(code), cardTried: false };
}

/** Without a token nothing was sent. Whether for lack of rights or of patience is worth telling. */
function withoutToken(failed: Exchanged, isQuery: boolean, scope: Scope): Answered {
  const isPage = failed.kind === 'answer' && /^\s*</.test(failed.text ?? '');
  const said =
    failed.kind === 'answer' ? judgeStatus('void', failed.status, isPage, () => ({}), undefined) : 'body';
  const code = said !== 'body' && said.is === 'refused' ? said.failure.code : 'gateway_unavailable';
  const isTold = code === 'gateway_credentials_rejected' || code === 'gateway_busy';
  const pause = busy(failed, scope);
  if (isQuery) return { fact: { is: 'unclear', why: 'no token' }, ...pause };
  const fact = notSent(isTold ? code : 'gateway_unavailable');
  return {
    fact: pause.busySeconds === undefined ? fact : { ...fact, retryAfterSeconds: pause.busySeconds },
    ...pause,
  };
}

function busy(exchanged: Exchanged, { now }: Scope): Pick<Answered, 'busySeconds'> {
  if (exchanged.kind !== 'answer' || exchanged.status !== 429) return {};
  return { busySeconds: retryAfterOf(exchanged.retryAfter, now) ?? BUSY_SECONDS };
}
