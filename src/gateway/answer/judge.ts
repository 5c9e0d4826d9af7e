import { readAmount, writeMajor } from '../amounts.js';
import type { Fact, NextAction, Seen } from '../fact.js';
import { readPointer, writePointer, type Pointer } from '../profile/pointer.js';
import type { Meaning } from '../profile/schema.js';
import type { Scope } from '../request/words.js';
import type { Exchanged } from '../transport/transport.js';
import { failureOf } from './failure.js';
import { judgeStatus, retryAfterOf } from './http-status.js';
import type { AnswerReader } from './reader.js';
import { SentSecrets } from './secrets.js';
import {
  first,
  foldCase,
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

/** Words that say that money moved or is held. */
const MONEY: ReadonlySet<Meaning> = new Set([
  ...(['succeeded', 'authorized', 'refunded', 'partiallyRefunded', 'chargedBack', 'disputeWon'] as const),
]);

/** The one judge of every answer: first the HTTP status, then the body's words, in the order of the rules. Never throws. */
export function judge(reader: AnswerReader, exchanged: Exchanged, asked: Asked): Judged {
  if (exchanged.kind !== 'answer') return { fact: { is: 'unclear', why: exchanged.why } };
  const { status, text } = exchanged;
  const isPage = text !== undefined && /^[\s\uFEFF]*</.test(text);
  const document = text === undefined || isPage ? undefined : parseAnswer(text);
  const reading = new Reading(reader, document, asked);
  const byStatus = judgeStatus(
    reader.kind,
    status,
    isPage,
    () => reading.reasons(),
    retryAfterOf(exchanged.retryAfter, asked.scope.now),
  );
  if (document !== undefined) {
    if (isAnyStart(reader) && [200, 201, 202, 400, 409, 422].includes(status) && reading.saysReferenceUsed())
      return { fact: { is: 'unclear', why: 'reference used' }, meaning: 'referenceUsed' };
    if (byStatus === 'body' || (reader.readStatuses.has(status) && reading.decides())) return reading.judge();
  }
  return {
    fact: byStatus === 'body' ? { is: 'unclear', why: text === undefined ? 'cut' : 'no JSON' } : byStatus,
  };
}

function isAnyStart({ kind }: AnswerReader): boolean {
  return kind === 'card' || kind === 'start';
}

/** The word that decides, what stands before it, and whether the answer contradicts itself. */
interface Deciding {
  readonly meaning?: Meaning;
  readonly word?: string;
  readonly pointer?: Pointer;
  /** The first word before it that nothing lists. */
  readonly unlisted?: string;
  readonly hasFailed: boolean;
  readonly hasMoney: boolean;
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

  /** Rule 2: on a start, a word that says so at any status or code pointer. */
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
    const error = first(this.document, this.reader.at.error, (value) => ({ value }))?.value;
    if (error !== undefined && typeof error !== 'boolean') return unclear('error is no boolean');
    const deciding = this.#decide(error === true);
    const { meaning, word, pointer, unlisted } = deciding;
    if (meaning === undefined) {
      if (error === true) return { fact: this.#refused() };
      return unlisted === undefined
        ? unclear('no word')
        : { fact: this.#with({ is: 'unlisted', word: unlisted }) };
    }
    const judged = (fact: Fact): Judged => ({
      fact,
      meaning,
      ...(word !== undefined && pointer && { decidedBy: { pointer: writePointer(pointer), word } }),
    });
    if (deciding.hasMoney && (deciding.hasFailed || error === true))
      return judged(this.#with({ is: 'unclear', why: 'contradiction' }));
    if (MONEY.has(meaning) && unlisted !== undefined)
      return judged(this.#with({ is: 'unlisted', word: unlisted }));
    if (!this.#meetsRequire()) {
      const isRefused = error === true && (meaning === 'processing' || meaning === 'failed');
      return judged(isRefused ? this.#refused() : { is: 'unclear', why: 'require missed' });
    }
    if (meaning !== 'unknownTransaction') {
      const differs = this.#differs();
      if (differs) return judged({ is: 'foreign', differs });
      const why = this.#lacks(meaning);
      if (why !== undefined) return judged(this.#with({ is: 'unclear', why }));
    }
    return judged(this.#with(this.#mean(meaning, error === true)));
  }

  /** Message, code and reason, as far as the answer has them. */
  reasons(): Parameters<typeof failureOf>[1] & object {
    const { at, declines } = this.reader;
    const message = first(this.document, at.message, readMessage);
    const code = first(this.document, at.code, readText);
    const reasonOf = (text = ''): ReturnType<typeof declines.get> => declines.get(text.trim().toLowerCase());
    return {
      ...(message !== undefined && { message: this.#secrets.scrub(message) }),
      reason: reasonOf(code) ?? reasonOf(message) ?? null,
      gatewayCode: code === undefined ? null : this.#secrets.scrub(code.slice(0, 100)),
    };
  }

  /** Rule 4. Beside an error, a code is looked up as well: it may say that nothing is decided. */
  #decide(isError: boolean): Deciding {
    const { status, code } = this.reader.at;
    let found: Pick<Deciding, 'meaning' | 'word' | 'pointer'> = {};
    let unlisted: string | undefined;
    let hasFailed = false;
    let hasMoney = false;
    for (const pointer of status) {
      const word = scalarText(readPointer(this.document, pointer));
      if (word === undefined) {
        // An object or a list where a word should be is none that anything lists.
        if (!found.meaning && typeof readPointer(this.document, pointer) === 'object')
          unlisted ??= readPointer(this.document, pointer) === null ? undefined : 'no text';
        continue;
      }
      const meaning = this.#meaningOf(word);
      if (meaning === undefined && !found.meaning) unlisted ??= readText(word) ?? 'unreadable';
      hasFailed ||= meaning === 'failed';
      hasMoney ||= meaning !== undefined && MONEY.has(meaning);
      if (meaning !== undefined && !found.meaning) found = { meaning, word, pointer };
    }
    if (!found.meaning && isError) {
      const pointer = code.find((one) => this.#meaningAt(one) !== undefined);
      const meaning = pointer && this.#meaningAt(pointer);
      if (meaning !== undefined && meaning !== 'failed')
        return {
          meaning,
          word: scalarText(readPointer(this.document, pointer ?? [])) ?? '',
          pointer,
          hasFailed,
          hasMoney: MONEY.has(meaning),
        };
    }
    return {
      ...found,
      ...(unlisted !== undefined && { unlisted: this.#secrets.scrub(unlisted) }),
      hasFailed,
      hasMoney,
    };
  }

  #meaningAt(pointer: Pointer): Meaning | undefined {
    const word = scalarText(readPointer(this.document, pointer));
    return word === undefined ? undefined : this.#meaningOf(word);
  }

  #meaningOf(word: string): Meaning | undefined {
    return this.reader.words.get(foldCase(word.trim()));
  }

  #meetsRequire(): boolean {
    return this.reader.require.every(({ pointer, values }) => {
      const text = scalarText(readPointer(this.document, pointer));
      return text !== undefined && values.has(text);
    });
  }

  /** Rule 7, but for the amount, which is compared with the row as it is when the fact is written. */
  #differs(): 'reference' | 'currency' | undefined {
    const { clientRef, refundRef, currency } = this.asked.scope.facts;
    const { at, kind } = this.reader;
    const reference = first(this.document, at.reference, readText);
    const isOwn = reference === clientRef || (kind.startsWith('refund') && reference === refundRef);
    if (reference !== undefined && !isOwn) return 'reference';
    const named = first(this.document, at.currency, readCurrency);
    return named === undefined || named === currency ? undefined : 'currency';
  }

  /** Why a word about money is not believed. */
  #lacks(meaning: Meaning): string | undefined {
    const amount = this.#amount();
    if (amount === 'unreadable') return 'unreadable amount';
    const { kind, needsAmount } = this.reader;
    const isSuccess =
      meaning === 'succeeded' ||
      meaning === 'authorized' ||
      (kind.startsWith('refund') && (meaning === 'refunded' || meaning === 'partiallyRefunded'));
    return isSuccess && needsAmount && amount === undefined ? 'no amount' : undefined;
  }

  #amount(): bigint | 'unreadable' | undefined {
    return first(this.document, this.reader.at.amount, (value) => this.#read(value));
  }

  #read(value: unknown): bigint | 'unreadable' | undefined {
    const { unit, digits } = this.reader;
    return readAmount(value, unit, this.asked.scope.facts.currency, digits);
  }

  #refused(): Fact {
    const { kind } = this.reader;
    if (kind === 'status' || kind === 'refundStatus') return { is: 'unclear', why: 'refused' };
    return { is: 'refused', failure: failureOf('declined', this.reasons()), cardTried: kind === 'card' };
  }

  /** A word as a fact. What an operation cannot be told by it is unclear. */
  #mean(meaning: Meaning, isError: boolean): Fact {
    const { kind } = this.reader;
    if (kind === 'refund' || kind === 'refundStatus') return this.#meanOfRefund(meaning, isError);
    switch (meaning) {
      case 'succeeded':
      case 'authorized': {
        if (kind !== 'start') return { is: meaning === 'succeeded' ? 'paid' : 'held' };
        const action = this.#action(meaning);
        return action ? { is: 'waiting', action } : { is: 'unclear', why: 'a start cannot be paid' };
      }
      case 'failed':
        return { is: 'failed', failure: failureOf('declined', this.reasons()) };
      case 'expired':
        return { is: 'expired', failure: failureOf('expired', this.reasons()) };
      case 'voided':
        return { is: 'reversed' };
      case 'refunded':
      case 'partiallyRefunded':
        return { is: 'givenBack', whole: meaning === 'refunded' };
      case 'chargedBack':
      case 'disputeWon':
        return { is: meaning };
      case 'unknownTransaction':
        return kind === 'status' ? { is: 'denied' } : this.#unknownTo(isError);
      case 'undecided':
      case 'referenceUsed':
        return { is: 'unclear', why: meaning };
      case 'processing':
      case 'otp':
      case 'pin':
      case 'redirect':
      case 'unsupported': {
        if (kind === 'complete' || kind === 'void') return { is: 'accepted' };
        const action = this.#action(meaning);
        const again = kind === 'code' && (meaning === 'otp' || meaning === 'pin');
        return { is: 'waiting', ...(action && { action }), ...(again && { again: true }) };
      }
    }
  }

  #meanOfRefund(meaning: Meaning, isError: boolean): Fact {
    switch (meaning) {
      case 'succeeded':
      case 'refunded':
      case 'partiallyRefunded':
        return { is: 'refundDone' };
      case 'failed':
        return { is: 'refundFailed' };
      case 'processing':
      case 'otp':
      case 'pin':
      case 'redirect':
      case 'unsupported':
        return { is: 'accepted' };
      case 'unknownTransaction':
        return this.reader.kind === 'refundStatus' ? { is: 'denied' } : this.#unknownTo(isError);
      default:
        return { is: 'unclear', why: `${meaning} of a refund` };
    }
  }

  /** An operation on what the gateway does not know is refused if it is called an error, else nobody knows. */
  #unknownTo(isError: boolean): Fact {
    if (isError && !isAnyStart(this.reader)) return this.#refused();
    return { is: 'unclear', why: 'unknown transaction' };
  }

  /** What the payer must do. Where a start names an address, an account or a code to dial, it is that. */
  #action(meaning: Meaning): NextAction | undefined {
    const { kind, at, asks } = this.reader;
    if (meaning === 'otp' || meaning === 'pin' || meaning === 'unsupported') {
      const message = first(this.document, at.otpMessage, readMessage);
      const isAsked = meaning !== 'unsupported' && asks[meaning];
      return {
        type: isAsked ? meaning : 'unsupported',
        ...(message !== undefined && { message: this.#secrets.scrub(message) }),
      };
    }
    if (meaning !== 'redirect' && !isAnyStart(this.reader)) return undefined;
    return (kind === 'start' ? this.#account() : undefined) ?? this.#redirect();
  }

  #redirect(): NextAction | undefined {
    const { scope, url, mode } = this.asked;
    const redirect = this.reader.redirect(this.document, scope, url, mode);
    return redirect && !this.#secrets.isIn(redirect.url) ? { type: 'redirect', ...redirect } : undefined;
  }

  #account(): NextAction | undefined {
    const { at, digits } = this.reader;
    const { amount, currency } = this.asked.scope.facts;
    const [accountNumber, accountName, bankName, code] = [
      at.accountNumber,
      at.accountName,
      at.bankName,
      at.ussdCode,
    ].map((pointers) => first(this.document, pointers, readText));
    if (code !== undefined) return { type: 'ussd', code, ...(bankName !== undefined && { bankName }) };
    if (accountNumber === undefined) return undefined;
    const ends = this.#expiresAt();
    return {
      type: 'transfer',
      ...{ bankName: bankName ?? '', accountNumber, accountName: accountName ?? null },
      amount: amount === undefined ? '' : (writeMajor(amount, currency, digits) ?? ''),
      ...(ends !== undefined && { expiresAt: new Date(ends).toISOString() }),
    };
  }

  #expiresAt(): number | undefined {
    return first(this.document, this.reader.at.expiresAt, (value) => readTime(value, true));
  }

  /** Adds what else the answer says, as far as it is about this payment. */
  #with(fact: Fact): Fact {
    const { at, kind, keep } = this.reader;
    if (fact.is === 'refused' || fact.is === 'denied' || this.#differs()) return fact;
    const amount = this.#amount();
    const text = first(this.document, at.transactionRef, readText);
    const isStatus = kind === 'status';
    const total = (pointers: readonly Pointer[]): bigint | undefined => {
      const value = first(this.document, pointers, (one) => this.#read(one));
      return value === 'unreadable' ? undefined : value;
    };
    const seen: { [K in keyof Seen]: Seen[K] | undefined } = {
      transactionRef:
        text !== undefined && !this.#secrets.isIn(text) && !kind.startsWith('refund') ? text : undefined,
      amount: amount === 'unreadable' ? undefined : amount,
      refundedTotal: isStatus ? total(at.refundedAmount) : undefined,
      disputedTotal: isStatus ? total(at.disputedAmount) : undefined,
      paidAt: first(this.document, at.paidAt, (value) => readTime(value, false)),
      refundedAt: isStatus
        ? first(this.document, at.refundedAt, (value) => readTime(value, false))
        : undefined,
      expiresAt: this.#expiresAt(),
    };
    // What is not understood moves no totals.
    if (fact.is === 'unclear' || fact.is === 'unlisted')
      for (const name of ['amount', 'refundedTotal', 'disputedTotal', 'paidAt', 'refundedAt'] as const)
        seen[name] = undefined;
    const known = Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== undefined)) as Seen;
    const kept = readKept(keep, (pointer) => readPointer(this.document, pointer));
    for (const [name, value] of Object.entries(kept)) if (this.#secrets.isIn(value)) delete kept[name];
    return { ...fact, ...known, ...(Object.keys(kept).length > 0 && { kept }) };
  }
}

function unclear(why: string): Judged {
  return { fact: { is: 'unclear', why } };
}
