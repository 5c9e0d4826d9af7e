import type { Config } from '../../config/config.js';
import { ConfigError } from '../../config/read-env.js';
import { readExchange, type Conversation, type SettledResult } from '../answers/http-status.js';
import { BodyEncryption } from '../encryption/body-encryption.js';
import type { KeptValues, SendGate } from '../gateway-input.js';
import {
  type ComposedRequest,
  type OperationPlan,
  planProfile,
  type ProfilePlan,
} from '../plan/operation-plan.js';
import type { Profile } from '../profile/format.js';
import { encodeBody } from '../requests/encode.js';
import type { CallFacts } from '../requests/payment-fields.js';
import type { ObserveToken } from '../credentials/tokens.js';
import { Sender, type Sending } from './sender.js';
import { parseAnswer } from '../answers/answer-json.js';
import { readKept, sourceOf } from '../answers/answer-values.js';
import { meetsRequirements, readRefusal, saysError } from '../answers/outcome.js';
import type { Exchanges, TransportResult } from '../transport/transport.js';

/** Called after every request beside the operations themselves: for a token, an encryption, a call before the call. */
export type ObserveBeside = (operation: string, outcome: string, seconds: number) => void;

/** A call's answer, and what the call before it brought. */
export interface Called {
  readonly conversation: Conversation;
  readonly prepared: KeptValues;
  /** What the call was made with: the payment's facts and what was kept just before it. */
  readonly facts: CallFacts;
}

const ABANDONED: SettledResult = { kind: 'not-sent', reason: 'abandoned' };

/** Runs the operations of a profile: compose, encrypt, encode, sign, send, and read the answer's form. */
export class OperationCaller {
  readonly #config: Config['gateway'];
  readonly #plans: ProfilePlan;
  readonly #observe: ObserveBeside;
  readonly #encryption: BodyEncryption;
  readonly #sender: Sender;

  /** Throws {@link ConfigError} where the profile's encryption needs a key and there is no usable one. */
  constructor(config: Config['gateway'], profile: Profile, observe: ObserveBeside, transport?: Exchanges) {
    this.#config = config;
    this.#observe = observe;
    this.#plans = planProfile(profile);
    this.#encryption = new BodyEncryption(profile, config.encryptionKey);
    const problem = this.#encryption.keyProblem();
    if (problem !== undefined) {
      throw new ConfigError([{ variable: 'GATEWAY_ENCRYPTION_KEY', message: problem }]);
    }
    const observeToken: ObserveToken = (outcome, seconds) => {
      observe('token', outcome, seconds);
    };
    this.#sender = new Sender(config, profile, observeToken, transport);
  }

  /** The plan of an operation. Undefined where the gateway lacks it. */
  plan(key: string): OperationPlan | undefined {
    return this.#plans.get(key);
  }

  /** Makes one call, and the one before it if the profile has one. The deadline covers everything. */
  async call(plan: OperationPlan, facts: CallFacts, gate?: SendGate): Promise<Called> {
    const deadline = performance.now() + this.#config.timeoutMs;
    if (!plan.before) {
      return { conversation: await this.#perform(plan, facts, deadline, gate), prepared: {}, facts };
    }
    const preparation = await this.#prepare(plan.before, facts, deadline, gate);
    if (!('kept' in preparation)) return { conversation: preparation, prepared: {}, facts };
    const prepared = preparation.kept;
    const known = { ...facts, kept: { ...facts.kept, ...prepared } };
    if (!(await mayGoOn(prepared, gate))) return { conversation: ABANDONED, prepared: {}, facts };
    return { conversation: await this.#perform(plan, known, deadline, gate), prepared, facts: known };
  }

  async close(): Promise<void> {
    await this.#sender.close();
  }

  async #perform(
    plan: OperationPlan,
    facts: CallFacts,
    deadline: number,
    gate: SendGate | undefined,
  ): Promise<Conversation> {
    const sending = await this.#send(plan, facts, deadline, gate);
    return 'unsent' in sending ? sending.unsent : readExchange(sending.exchange, plan);
  }

  async #prepare(
    plan: OperationPlan,
    facts: CallFacts,
    deadline: number,
    gate: SendGate | undefined,
  ): Promise<{ readonly kept: KeptValues } | SettledResult> {
    const begun = performance.now();
    const sending = await this.#send(plan, facts, deadline, gate);
    const result = 'unsent' in sending ? UNPREPARED : readPreparation(sending.exchange, plan);
    const outcome = 'kept' in result ? 'prepared' : result.kind;
    this.#observe(plan.key, outcome, (performance.now() - begun) / 1000);
    return result;
  }

  async #send(
    plan: OperationPlan,
    facts: CallFacts,
    deadline: number,
    gate: SendGate | undefined,
  ): Promise<Sending> {
    const composed = compose(plan, facts);
    if (!composed) return { unsent: ABANDONED };
    const word = plan.word(facts);
    const encrypted = await this.#encryption.encrypt(plan.key, composed.body, word, (endpoint, body) =>
      this.#encryptAtGateway(endpoint, body, deadline),
    );
    if ('kind' in encrypted) return { unsent: encrypted };
    const { body } = encrypted;
    return this.#sender.send(plan, {
      path: composed.path,
      headers: composed.headers,
      body: body && encodeBody(body, plan.encode),
      word,
      deadline,
      gate,
    });
  }

  /** Posts what is to be encrypted to the gateway's own operation for it, which moves no money. */
  async #encryptAtGateway(
    key: string,
    body: Record<string, unknown>,
    deadline: number,
  ): Promise<Conversation> {
    const plan = this.#plans.get(key);
    const composed = plan && compose(plan, {});
    if (!plan || !composed) return ABANDONED;
    const begun = performance.now();
    const sending = await this.#sender.send(plan, {
      ...composed,
      body: encodeBody(body, plan.encode),
      word: plan.word({}),
      deadline,
      gate: undefined,
    });
    const read = 'unsent' in sending ? sending.unsent : readExchange(sending.exchange, plan);
    const outcome = read.kind === 'document' ? 'encrypted' : read.kind;
    this.#observe(key, outcome, (performance.now() - begun) / 1000);
    return read;
  }
}

/** What the call before brought is committed before the call is made: an answer that is lost must not lose it too. */
async function mayGoOn(kept: KeptValues, gate: SendGate | undefined): Promise<boolean> {
  if (!gate?.afterPreparation) return true;
  try {
    return await gate.afterPreparation(kept);
  } catch {
    return false;
  }
}

/** Undefined where the payment lacks what the request needs. */
function compose(plan: OperationPlan, facts: CallFacts): ComposedRequest | undefined {
  try {
    return plan.compose(facts);
  } catch {
    // A lone surrogate cannot be percent-encoded. No payment has such a reference.
    return undefined;
  }
}

/** The call before the call could not be made, or nobody knows what became of it. The call itself was not made. */
const UNPREPARED: SettledResult = { kind: 'not-sent', reason: 'preparation' };

/**
 * What became of a call that is made before another. It moves no money, so whatever it was, nothing was charged: it has
 * succeeded, the gateway is not available, or it has rejected it.
 */
function readPreparation(
  exchange: TransportResult,
  { keep, reader }: Pick<OperationPlan, 'keep' | 'reader'>,
): { readonly kept: KeptValues } | SettledResult {
  if (exchange.kind !== 'response') return UNPREPARED;
  const { status, body } = exchange;
  if (status >= 500 || status === 401 || status === 403 || status === 429) return UNPREPARED;
  const answer = 'text' in body ? parseAnswer(body.text) : undefined;
  const document = answer?.ok ? answer.document : undefined;
  if (status >= 200 && status <= 299) {
    const kept = readKept(keep, sourceOf(document));
    const isComplete = Object.keys(kept).length === keep.length;
    if (isComplete && !saysError(reader, document) && meetsRequirements(reader, document)) return { kept };
  }
  return {
    kind: 'rejected',
    status: status === 400 || status === 404 ? status : 422,
    preparation: true,
    ...readRefusal(reader, document),
  };
}
