import { readAmount, writeMajor } from '../amounts.js';
import type { Fact, NextAction, Seen } from '../fact.js';
import { readPointer, writePointer, type Pointer } from '../profile/pointer.js';
import type { Meaning } from '../profile/schema.js';
import type { Scope } from '../request/words.js';
import type { Exchanged } from '../transport/transport.js';
import { failureOf, judgeStatus, retryAfterOf, type Reasons } from './http-status.js';
import { isStartKind, type AnswerReader } from './reader.js';
import { SentSecrets } from './secrets.js';
import {
  first,
  foldCase,
  isPage,
  parseAnswer,
  readCurrency,
  readKept,
  readMessage,
  readText,
  readTime,
  scalarText,
} from './values.js';

/** The payment that an answer should be about. */
export interface Asked {
  readonly scope: Scope;
  /** The address that was called. */
  readonly url: string;
  readonly mode: 'test' | 'live';
}

/** What an answer means, and what decided. */
export interface Judged {
  readonly fact: Fact;
  readonly meaning?: Meaning;
  readonly decidedBy?: { readonly pointer: string; readonly word: string };
}

/** The one judge of every answer: first the HTTP status, then the body's words, in the order of the rules. Never throws. */
export function judge(reader: AnswerReader, exchanged: Exchanged, asked: Asked): Judged {
  if (exchanged.kind !== 'answer') return unclear(exchanged.why);
  const { status, text } = exchanged;
  const document = text === undefined || isPage(text) ? undefined : parseAnswer(text);
  const reading = new Reading(reader, document, asked);
  if (
    isStartKind(reader.kind) &&
    [200, 201, 202, 400, 409, 422].includes(status) &&
    reading.saysReferenceUsed()
  )
    return { ...unclear('reference used'), meaning: 'referenceUsed' };
  const isDecisive = status >= 200 && status <= 202;
  if (isDecisive && document === undefined) return unclear(text === undefined ? 'cut' : 'no JSON');
  if (isDecisive || (reader.readStatuses.has(status) && reading.decides())) return reading.judge();
  const wait = retryAfterOf(exchanged.retryAfter, asked.scope.now);
  return { fact: judgeStatus(reader.kind, status, isPage(text), () => reading.reasons(), wait) };
}

const MONEY: ReadonlySet<Meaning> = new Set([
  ...(['succeeded', 'authorized', 'refunded', 'partiallyRefunded', 'chargedBack', 'disputeWon'] as const),
]);
const WAITING: ReadonlySet<Meaning> = new Set([
  'processing',
  'otp',
  'pin',
  'redirect',
  'unsupported',
] as const);
/** What a word says of a payment, and of a refund, where that is all. */
const OF_PAYMENT: Partial<Record<Meaning, 'paid' | 'held' | 'reversed' | 'chargedBack' | 'disputeWon'>> = {
  ...{ succeeded: 'paid', authorized: 'held', voided: 'reversed' },
  ...{ chargedBack: 'chargedBack', disputeWon: 'disputeWon' },
};
const OF_REFUND: Partial<Record<Meaning, 'refundDone' | 'refundFailed'>> = {
  ...{
    succeeded: 'refundDone',
    refunded: 'refundDone',
    partiallyRefunded: 'refundDone',
    failed: 'refundFailed',
  },
};

/** The word that decides, and what stands beside it. */
interface Deciding {
  readonly meaning?: Meaning;
  readonly pointer?: Pointer;
  /** The first word before it that nothing lists. */
  readonly unlisted?: string | undefined;
  readonly contradicts: boolean;
}

/** One document under one profile. */
class Reading {
  readonly #secrets: SentSecrets;

  constructor(
    private readonly reader: AnswerReader,
    private readonly document: unknown,
    private readonly asked: Asked,
  ) {
    this.#secrets = new SentSecrets(asked.scope.facts);
  }

  saysReferenceUsed(): boolean {
    const { status, code } = this.reader.at;
    return [...status, ...code].some((pointer) => this.#meaningAt(pointer) === 'referenceUsed');
  }

  /** Whether a listed word stands at a status pointer. */
  decides(): boolean {
    return this.reader.at.status.some((pointer) => this.#meaningAt(pointer) !== undefined);
  }

  /** Rules 3 to 7, for a body that decides. */
  judge(): Judged {
    const error = this.reader.at.error
      .map((pointer) => this.#value(pointer))
      .find((value) => value !== undefined);
    if (error !== undefined && typeof error !== 'boolean') return unclear('error is no boolean');
    const { meaning, pointer, unlisted, contradicts } = this.#decide(error === true);
    if (meaning === undefined) {
      if (error === true) return { fact: this.#refused() };
      if (unlisted === undefined) return unclear('no word');
      return { fact: this.#with({ is: 'unlisted', word: unlisted }) };
    }
    const fact = this.#weigh(meaning, error === true, unlisted, contradicts);
    const word = pointer && scalarText(this.#value(pointer));
    return {
      fact,
      meaning,
      ...(pointer && word !== undefined && { decidedBy: { pointer: writePointer(pointer), word } }),
    };
  }

  #weigh(meaning: Meaning, isError: boolean, unlisted: string | undefined, contradicts: boolean): Fact {
    if (contradicts) return this.#with({ is: 'unclear', why: 'contradiction' });
    if (MONEY.has(meaning) && unlisted !== undefined) return this.#with({ is: 'unlisted', word: unlisted });
    const isMet = this.reader.require.every(({ pointer, values }) =>
      values.has(scalarText(this.#value(pointer)) ?? ''),
    );
    if (!isMet) {
      const isRefused = isError && (meaning === 'processing' || meaning === 'failed');
      return isRefused ? this.#refused() : { is: 'unclear', why: 'require missed' };
    }
    if (meaning === 'unknownTransaction') return this.#unknown(isError);
    const differs = this.#differs();
    if (differs) return { is: 'foreign', differs };
    const why = this.#lacks(meaning);
    return this.#with(why === undefined ? this.#mean(meaning) : { is: 'unclear', why });
  }

  /** Message, code and reason, as far as the answer has them. */
  reasons(): Reasons {
    const { at, declines } = this.reader;
    const message = first(this.document, at.message, readMessage);
    const code = first(this.document, at.code, readText);
    const [byCode, byMessage] = [code, message].map((text = '') => declines.get(text.trim().toLowerCase()));
    return {
      message: message && this.#secrets.scrub(message),
      reason: byCode ?? byMessage ?? null,
      gatewayCode: code === undefined ? null : this.#secrets.scrub(code.slice(0, 100)),
    };
  }

  /** Rule 4. Beside an error, a code is looked up as well: it may say that nothing is decided. */
  #decide(isError: boolean): Deciding {
    const { status, code } = this.reader.at;
    const stated = status.filter((pointer) => ![undefined, null, ''].includes(this.#value(pointer) as null));
    const meanings = stated.map((pointer) => this.#meaningAt(pointer));
    const at = meanings.findIndex((one) => one !== undefined);
    const before = stated
      .slice(0, at < 0 ? undefined : at)
      .map((pointer) => readText(this.#value(pointer)) ?? 'no word');
    const hasMoney = meanings.some((one) => one && MONEY.has(one));
    const contradicts = hasMoney && (isError || meanings.includes('failed'));
    const unlisted = before[0] === undefined ? undefined : this.#secrets.scrub(before[0]);
    const pointer =
      stated[at] ?? (isError ? code.find((one) => this.#meaningAt(one) !== undefined) : undefined);
    const meaning = pointer && this.#meaningAt(pointer);
    if (!meaning || (at < 0 && meaning === 'failed')) return { unlisted, contradicts };
    return { meaning, pointer, unlisted, contradicts: contradicts || (at < 0 && MONEY.has(meaning)) };
  }

  #value(pointer: Pointer): unknown {
    return readPointer(this.document, pointer);
  }

  #meaningAt(pointer: Pointer): Meaning | undefined {
    return this.reader.words.get(foldCase(scalarText(this.#value(pointer))?.trim() ?? ''));
  }

  /** Rule 7, but for the amount, which is compared with the row as it is when the fact is written. */
  #differs(): 'reference' | 'currency' | undefined {
    const { clientRef, refundRef, currency } = this.asked.scope.facts;
    const { at, kind } = this.reader;
    const reference = first(this.document, at.reference, (value) => scalarText(value)?.trim() || undefined);
    const isOwn = reference === clientRef || (kind.startsWith('refund') && reference === refundRef);
    if (reference !== undefined && !isOwn) return 'reference';
    return (first(this.document, at.currency, readCurrency) ?? currency) === currency
      ? undefined
      : 'currency';
  }

  /** Why a word about money is not believed. */
  #lacks(meaning: Meaning): string | undefined {
    const amount = this.#amount(this.reader.at.amount);
    if (amount === 'unreadable') return 'unreadable amount';
    const isDone = this.reader.kind.startsWith('refund') && OF_REFUND[meaning] === 'refundDone';
    const isSuccess = meaning === 'succeeded' || meaning === 'authorized' || isDone;
    return isSuccess && this.reader.needsAmount && amount === undefined ? 'no amount' : undefined;
  }

  #amount(pointers: readonly Pointer[]): bigint | 'unreadable' | undefined {
    const { unit, digits } = this.reader;
    return first(this.document, pointers, (value) =>
      readAmount(value, unit, this.asked.scope.facts.currency, digits),
    );
  }

  #refused(): Fact {
    const { kind } = this.reader;
    if (kind === 'status' || kind === 'refundStatus') return { is: 'unclear', why: 'refused' };
    return { is: 'refused', failure: failureOf('declined', this.reasons()), cardTried: kind === 'card' };
  }

  /** An operation on what the gateway does not know is refused if that is an error. Of a start it says nothing. */
  #unknown(isError: boolean): Fact {
    const { kind } = this.reader;
    if (kind === 'status' || kind === 'refundStatus') return { is: 'denied' };
    return isError && !isStartKind(kind) ? this.#refused() : { is: 'unclear', why: 'unknown transaction' };
  }

  /** A word as a fact. What an operation cannot be told by it is unclear. */
  #mean(meaning: Meaning): Fact {
    const { kind } = this.reader;
    const isRefund = kind.startsWith('refund');
    if (WAITING.has(meaning)) {
      if (isRefund || kind === 'complete' || kind === 'void') return { is: 'accepted' };
      const action = this.#action(meaning);
      const again = kind === 'code' && (meaning === 'otp' || meaning === 'pin');
      return { is: 'waiting', ...(action && { action }), ...(again && { again: true }) };
    }
    if (isRefund)
      return OF_REFUND[meaning]
        ? { is: OF_REFUND[meaning] }
        : { is: 'unclear', why: `${meaning} of a refund` };
    if (kind === 'start' && (meaning === 'succeeded' || meaning === 'authorized')) {
      const action = this.#action(meaning);
      return action ? { is: 'waiting', action } : { is: 'unclear', why: 'a start cannot be paid' };
    }
    if (OF_PAYMENT[meaning]) return { is: OF_PAYMENT[meaning] };
    if (meaning === 'failed') return { is: 'failed', failure: failureOf('declined', this.reasons()) };
    if (meaning === 'expired') return { is: 'expired', failure: failureOf('expired', this.reasons()) };
    if (meaning === 'refunded' || meaning === 'partiallyRefunded')
      return { is: 'givenBack', whole: meaning === 'refunded' };
    return { is: 'unclear', why: meaning };
  }

  /** What the payer must do. Where a start names an address, an account or a code to dial, it is that. */
  #action(meaning: Meaning): NextAction | undefined {
    const { kind, at, asks } = this.reader;
    if (meaning === 'otp' || meaning === 'pin' || meaning === 'unsupported') {
      const message = first(this.document, at.otpMessage, readMessage);
      const type = meaning !== 'unsupported' && asks[meaning] ? meaning : 'unsupported';
      return { type, ...(message !== undefined && { message: this.#secrets.scrub(message) }) };
    }
    if (meaning !== 'redirect' && !isStartKind(kind)) return undefined;
    const { scope, url, mode } = this.asked;
    const account = kind === 'start' ? this.#account() : undefined;
    const redirect = account ? undefined : this.reader.redirect(this.document, scope, url, mode);
    return (
      account ??
      (redirect && !this.#secrets.isIn(redirect.url) ? { type: 'redirect', ...redirect } : undefined)
    );
  }

  #account(): NextAction | undefined {
    const { at, digits } = this.reader;
    const { amount = 0n, currency } = this.asked.scope.facts;
    const text = (pointers: readonly Pointer[]): string | undefined =>
      first(this.document, pointers, readText);
    const [code, accountNumber, bankName] = [text(at.ussdCode), text(at.accountNumber), text(at.bankName)];
    if (code !== undefined) return { type: 'ussd', code, ...(bankName !== undefined && { bankName }) };
    if (accountNumber === undefined) return undefined;
    const ends = this.#expiresAt();
    return {
      ...{
        type: 'transfer',
        bankName: bankName ?? '',
        accountNumber,
        accountName: text(at.accountName) ?? null,
      },
      amount: writeMajor(amount, currency, digits) ?? '',
      ...(ends !== undefined && { expiresAt: new Date(ends).toISOString() }),
    };
  }

  #expiresAt(): number | undefined {
    return first(this.document, this.reader.at.expiresAt, (value) => readTime(value, true));
  }

  /** Adds what else the answer says, as far as it is about this payment. What is not understood moves no totals. */
  #with(fact: Fact): Fact {
    if (fact.is === 'refused' || this.#differs()) return fact;
    const { at, kind, keep } = this.reader;
    const isUnderstood = fact.is !== 'unclear' && fact.is !== 'unlisted';
    const isStatus = isUnderstood && kind === 'status';
    const total = (counts: boolean, pointers: readonly Pointer[]): bigint | undefined => {
      const amount = counts ? this.#amount(pointers) : undefined;
      return amount === 'unreadable' ? undefined : amount;
    };
    const time = (counts: boolean, pointers: readonly Pointer[]): number | undefined =>
      counts ? first(this.document, pointers, (value) => readTime(value, false)) : undefined;
    const isClean = (text: string): boolean => !this.#secrets.isIn(text);
    const kept = readKept(keep, (pointer) => this.#value(pointer), isClean);
    const seen: { [K in keyof Seen]: Seen[K] | undefined } = {
      transactionRef: kind.startsWith('refund')
        ? undefined
        : first(this.document, at.transactionRef, (value) =>
            [readText(value) ?? ''].find((text) => text !== '' && isClean(text)),
          ),
      amount: total(isUnderstood, at.amount),
      refundedTotal: total(isStatus, at.refundedAmount),
      disputedTotal: total(isStatus, at.disputedAmount),
      paidAt: time(isUnderstood, at.paidAt),
      refundedAt: time(isStatus, at.refundedAt),
      expiresAt: this.#expiresAt(),
      kept: Object.keys(kept).length > 0 ? kept : undefined,
    };
    return {
      ...fact,
      ...(Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== undefined)) as Seen),
    };
  }
}

function unclear(why: string): Judged {
  return { fact: { is: 'unclear', why } };
}
