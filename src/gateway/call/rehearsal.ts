import { foldCase, scalarText } from '../answers/answer-values.js';
import { readExchange, type Conversation } from '../answers/http-status.js';
import { meanAnswer } from '../answers/meaning.js';
import type { GatewayResult } from '../gateway-result.js';
import { headersOf } from '../plan/words.js';
import { type OperationPlan, planProfile, type ProfilePlan } from '../plan/operation-plan.js';
import type { Profile } from '../profile/format.js';
import { readPointer } from '../profile/pointer.js';
import { encodeBody } from '../requests/encode.js';
import type { CallFacts } from '../requests/payment-fields.js';
import { compileTemplate, fillTemplate } from '../templates/template.js';

/** A request as it would be sent, with the names of credentials in the place of their values. */
export interface RehearsedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** What is encrypted beside it, in clear. */
  readonly encrypted: string | undefined;
}

/** A request that would not be sent, and the fields and kept values that the payment lacks for it. */
export interface UnsentRequest {
  readonly lacks: readonly string[];
}

/** An answer of the gateway, as somebody has recorded it. */
export interface RecordedAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter?: string | undefined;
}

/** What was read of an answer, and what decided. */
export interface RehearsedAnswer {
  readonly result: GatewayResult;
  /** The pointer and the word there. Undefined where no listed word did. */
  readonly decidedBy: { readonly pointer: string; readonly word: string } | undefined;
}

/** A profile tried without a gateway: the requests that it makes, and what recorded answers mean by it. */
export class Rehearsal {
  readonly #profile: Profile;
  readonly #plans: ProfilePlan;

  constructor(profile: Profile) {
    this.#profile = profile;
    this.#plans = planProfile(profile);
  }

  /** Whether the gateway has an operation. */
  has(operation: string): boolean {
    return this.#plans.has(operation);
  }

  /** The requests of a call, the one before it first. */
  requests(operation: string, facts: CallFacts): (RehearsedRequest | UnsentRequest)[] {
    const plan = this.#plans.get(operation);
    if (!plan) return [];
    return [...(plan.before ? [this.#request(plan.before, facts)] : []), this.#request(plan, facts)];
  }

  /** What an answer means. */
  read(operation: string, facts: CallFacts, { status, text, retryAfter }: RecordedAnswer): RehearsedAnswer {
    const plan = this.#plans.get(operation);
    if (!plan) return { result: { kind: 'not-sent', reason: 'abandoned' }, decidedBy: undefined };
    const exchange = { kind: 'response', status, body: { text }, retryAfter } as const;
    const conversation = readExchange(exchange, plan);
    const result = meanAnswer(plan, conversation, {
      ...{ facts, prepared: {}, currency: facts.currency ?? 'NGN' },
      supports: (key) => this.#plans.has(key),
    });
    return { result, decidedBy: decidedBy(plan, conversation) };
  }

  #request(plan: OperationPlan, facts: CallFacts): RehearsedRequest | UnsentRequest {
    const composed = plan.compose(facts);
    if (!composed) return { lacks: plan.lacks(facts) };
    const { open, sealed } = composed.body ?? {};
    const { plaintext, operations, scheme } = this.#profile.encryption;
    const isEncrypted = scheme !== 'none' && operations.includes(plan.key);
    const template =
      isEncrypted && plaintext !== undefined
        ? fillTemplate(compileTemplate(plaintext), { word: plan.word(facts) })
        : undefined;
    const encoded = open && encodeBody(open, plan.encode);
    return {
      method: plan.method,
      path: composed.path,
      headers: {
        ...(encoded && { 'content-type': encoded.contentType }),
        ...composed.headers,
        ...this.#credentials(plan),
      },
      body: encoded?.text,
      encrypted: template ?? (sealed && JSON.stringify(sealed)),
    };
  }

  #credentials({ credentials }: OperationPlan): Record<string, string> {
    if (credentials === undefined) return {};
    const set = this.#profile.credentials[credentials];
    if (!set) return { 'x-api-key': '{apiKey}', 'access-token': '{accessToken}' };
    return Object.fromEntries(headersOf(set).map(([name, text]) => [name.toLowerCase(), text]));
  }
}

function decidedBy({ reader }: OperationPlan, conversation: Conversation): RehearsedAnswer['decidedBy'] {
  if (conversation.kind !== 'document') return undefined;
  for (const pointer of reader.pointers.status) {
    const word = scalarText(readPointer(conversation.document, pointer));
    if (word !== undefined && reader.meanings.has(foldCase(word))) {
      return {
        pointer: pointer.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
        word,
      };
    }
  }
  return undefined;
}
