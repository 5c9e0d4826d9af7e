import { readAmount, writeMajor } from '../amounts.js';
import type { Fact, NextAction, Seen } from '../fact.js';
import { readPointer, writePointer, type Pointer } from '../profile/pointer.js';
import { foldCase, type Meaning, type Place } from '../profile/schema.js';
import type { Scope } from '../request/words.js';
import type { Exchanged } from '../transport/transport.js';
import { failureOf, judgeStatus, retryAfterOf, type Reasons } from './http-status.js';
import { isQuery, isStartKind, type AnswerReader } from './reader.js';
import { SentSecrets } from './secrets.js';
import {
  first,
  isDay,
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
  const isDecisive = status >= 200 && status <= 202;
  const mayBeKnown = isStartKind(reader.kind) && (isDecisive || [400, 409, 422].includes(status));
  if (mayBeKnown && reading.saysReferenceUsed())
    return { ...unclear('reference used'), meaning: 'referenceUsed' };
  if (isDecisive && document === undefined) return unclear(text === undefined ? 'cut' : 'no JSON');
  const isRead = reader.at.readStatuses?.includes(status) ?? false;
  if (isDecisive || (isRead && reading.decides())) return reading.judge();
  const wait = retryAfterOf(exchanged.retryAfter, asked.scope.now);
  return { fact: judgeStatus(reader.kind, status, isPage(text), () => reading.reasons(), wait) };
}

/** Words about money, and those that only wait. */
const MONEY = 'succeeded authorized refunded partiallyRefunded chargedBack disputeWon'.split(' ');
const WAITING = 'processing otp pin redirect unsupported'.split(' ');
/** What a word says of a payment, and of a refund, where that is all. */
const OF_PAYMENT: Partial<Record<Meaning, Fact>> = {
  succeeded: { is: 'paid' },
  authorized: { is: 'held' },
  voided: { is: 'reversed' },
  refunded: { is: 'givenBack', whole: true },
  partiallyRefunded: { is: 'givenBack', whole: false },
  chargedBack: { is: 'chargedBack' },
  disputeWon: { is: 'disputeWon' },
};
const OF_REFUND: Partial<Record<Meaning, Fact>> = {
  succeeded: { is: 'refundDone' },
  refunded: { is: 'refundDone' },
  partiallyRefunded: { is: 'refundDone' },
  failed: { is: 'refundFailed' },
};

/** The word that decides, and what stands beside it. */
interface Deciding {
  readonly meaning?: Meaning;
  readonly pointer?: Pointer;
  /** The first word before it that nothing lists. */
  readonly unlisted?: string | undefined;
  readonly contradicts: boolean;
}

type AmountKey = 'amount' | 'refundedAmount' | 'disputedAmount';

/** One document under one profile. */
class Reading {
  readonly #secrets: SentSecrets;

  constructor(
    private readonly reader: AnswerReader,
    private readonly document: unknown,
    private readonly asked: Asked,
  ) {
    this.#secrets = new SentSecrets(asked.scope);
  }

  saysReferenceUsed(): boolean {
    const { status = [], code = [] } = this.reader.at;
    return [...status, ...code].some((pointer) => this.#meaningAt(pointer) === 'referenceUsed');
  }

  /** Whether a listed word stands at a status pointer. */
  decides(): boolean {
    return this.#first('status', (word) => this.#meaningOf(word)) !== undefined;
  }

  /** Rules 3 to 7, for a body that decides. */
  judge(): Judged {
    const error = this.#first('error', (value) => value);
    if (error !== undefined && typeof error !== 'boolean') return unclear('error is no boolean');
    const { meaning, pointer, unlisted, contradicts } = this.#decide(error === true);
    if (meaning === undefined) {
      if (error === true) return { fact: this.#with(this.#refused()) };
      return unlisted === undefined
        ? unclear('no word')
        : { fact: this.#with({ is: 'unlisted', word: unlisted }) };
    }
    const fact = this.#weigh(meaning, error === true, unlisted, contradicts);
    const word = pointer && scalarText(this.#value(pointer));
    const decidedBy =
      pointer && word !== undefined ? { decidedBy: { pointer: writePointer(pointer), word } } : {};
    return { fact, meaning, ...decidedBy };
  }

  #weigh(meaning: Meaning, isError: boolean, unlisted: string | undefined, contradicts: boolean): Fact {
    if (contradicts) return this.#with({ is: 'unclear', why: 'contradiction' });
    const isMoney = MONEY.includes(meaning);
    if (isMoney && unlisted !== undefined) return this.#with({ is: 'unlisted', word: unlisted });
    const isMet = (this.reader.at.require ?? []).every(({ pointer, values }) =>
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
    const message = this.#first('message', readMessage);
    const code = this.#first('code', readText);
    const [byCode, byMessage] = [code, message].map((text = '') =>
      this.reader.declines.get(foldCase(text.trim())),
    );
    return {
      message: message && this.#secrets.scrub(message),
      reason: byCode ?? byMessage ?? null,
      gatewayCode: this.#secrets.codeOf(code),
    };
  }

  /** Rule 4. Beside an error, a code is looked up as well: it may say that nothing is decided. */
  #decide(isError: boolean): Deciding {
    const { status = [], code = [] } = this.reader.at;
    const stated = status.filter((pointer) => ![undefined, null, ''].includes(this.#value(pointer) as null));
    const meanings = stated.map((pointer) => this.#meaningAt(pointer));
    const at = meanings.findIndex((one) => one !== undefined);
    const [before] = at === 0 ? [] : stated;
    const unlisted = before && this.#secrets.scrub(readText(this.#value(before)) ?? 'no word');
    const hasMoney = meanings.some((one) => one && MONEY.includes(one));
    const contradicts = hasMoney && (isError || meanings.includes('failed'));
    const pointer =
      stated[at] ?? (isError ? code.find((one) => this.#meaningAt(one) !== undefined) : undefined);
    const meaning = pointer && this.#meaningAt(pointer);
    if (!meaning || (at < 0 && meaning === 'failed')) return { unlisted, contradicts };
    return { meaning, pointer, unlisted, contradicts: contradicts || (at < 0 && MONEY.includes(meaning)) };
  }

  #value(pointer: Pointer): unknown {
    return readPointer(this.document, pointer);
  }

  /** The value at the first of a key's pointers that has a readable one. */
  #first<T>(key: Place, read: (value: unknown) => T | undefined): T | undefined {
    return first(this.document, this.reader.at[key], read);
  }

  #meaningAt(pointer: Pointer): Meaning | undefined {
    return this.#meaningOf(this.#value(pointer));
  }

  #meaningOf(word: unknown): Meaning | undefined {
    return this.reader.words.get(foldCase(scalarText(word)?.trim() ?? ''));
  }

  /** Rule 7, but for the amount, which is compared with the row as it is when the fact is written. */
  #differs(): 'reference' | 'currency' | undefined {
    const { clientRef, refundRef, currency } = this.asked.scope.facts;
    const reference = this.#first('reference', (value) => scalarText(value)?.trim() || undefined);
    const isOwn = reference === clientRef || (this.#isOfRefund && reference === refundRef);
    if (reference !== undefined && !isOwn) return 'reference';
    const said = this.#first('currency', readCurrency) ?? currency;
    return said === currency ? undefined : 'currency';
  }

  /** Why a word about money is not believed. */
  #lacks(meaning: Meaning): string | undefined {
    const { amount: pointers = [], amountOptional = false } = this.reader.at;
    const amount = this.#amount('amount');
    if (amount === 'unreadable') return 'unreadable amount';
    const isDone = this.#isOfRefund && OF_REFUND[meaning]?.is === 'refundDone';
    const isSuccess = meaning === 'succeeded' || meaning === 'authorized' || isDone;
    const isNeeded = isSuccess && pointers.length > 0 && !amountOptional;
    return isNeeded && amount === undefined ? 'no amount' : undefined;
  }

  #amount(key: AmountKey): bigint | 'unreadable' | undefined {
    const { at, digits } = this.reader;
    const { currency } = this.asked.scope.facts;
    return this.#first(key, (value) => readAmount(value, at.amountUnit ?? 'major', currency, digits));
  }

  get #isOfRefund(): boolean {
    return this.reader.kind === 'refund' || this.reader.kind === 'refundStatus';
  }

  #refused(): Fact {
    const { kind } = this.reader;
    if (isQuery(kind)) return { is: 'unclear', why: 'refused' };
    return { is: 'refused', failure: failureOf('declined', this.reasons()), cardTried: kind === 'card' };
  }

  /** An operation on what the gateway does not know is refused if that is an error. Of a start it says nothing. */
  #unknown(isError: boolean): Fact {
    const { kind } = this.reader;
    if (isQuery(kind)) return { is: 'denied' };
    return isError && !isStartKind(kind) ? this.#refused() : { is: 'unclear', why: 'unknown transaction' };
  }

  /** A word as a fact. What an operation cannot be told by it is unclear. */
  #mean(meaning: Meaning): Fact {
    const { kind } = this.reader;
    if (WAITING.includes(meaning)) {
      if (this.#isOfRefund || kind === 'complete' || kind === 'void') return { is: 'accepted' };
      const action = this.#action(meaning);
      const again = kind === 'code' && (meaning === 'otp' || meaning === 'pin');
      return { is: 'waiting', ...(action && { action }), ...(again && { again: true }) };
    }
    if (this.#isOfRefund) return OF_REFUND[meaning] ?? { is: 'unclear', why: `${meaning} of a refund` };
    if (kind === 'start' && (meaning === 'succeeded' || meaning === 'authorized')) {
      const action = this.#action(meaning);
      return action ? { is: 'waiting', action } : { is: 'unclear', why: 'a start cannot be paid' };
    }
    if (meaning === 'failed') return { is: 'failed', failure: failureOf('declined', this.reasons()) };
    if (meaning === 'expired') return { is: 'expired', failure: failureOf('expired', this.reasons()) };
    return OF_PAYMENT[meaning] ?? { is: 'unclear', why: meaning };
  }

  /** What the payer must do. Where a start names an address, an account or a code to dial, it is that. */
  #action(meaning: Meaning): NextAction | undefined {
    const { kind, at, asks } = this.reader;
    if (meaning === 'otp' || meaning === 'pin' || meaning === 'unsupported') {
      const message = this.#first(at.otpMessage ? 'otpMessage' : 'message', readMessage);
      const type = meaning !== 'unsupported' && asks[meaning] ? meaning : 'unsupported';
      return { type, ...(message !== undefined && { message: this.#secrets.scrub(message) }) };
    }
    if (meaning !== 'redirect' && !isStartKind(kind)) return undefined;
    const account = kind === 'start' ? this.#account() : undefined;
    if (account) return account;
    const { scope, url, mode } = this.asked;
    const redirect = this.reader.redirect(this.document, scope, url, mode);
    return redirect && !this.#secrets.isIn(redirect.url) ? { type: 'redirect', ...redirect } : undefined;
  }

  #account(): NextAction | undefined {
    const { amount = 0n, currency } = this.asked.scope.facts;
    const code = this.#first('ussdCode', readText);
    const accountNumber = this.#first('accountNumber', readText);
    const bankName = this.#first('bankName', readText);
    if (code !== undefined) return { type: 'ussd', code, ...(bankName !== undefined && { bankName }) };
    if (accountNumber === undefined) return undefined;
    const ends = this.#time('expiresAt', true);
    return {
      type: 'transfer',
      bankName: bankName ?? '',
      accountNumber,
      accountName: this.#first('accountName', readText) ?? null,
      amount: writeMajor(amount, currency, this.reader.digits) ?? '',
      ...(ends !== undefined && { expiresAt: new Date(ends).toISOString() }),
    };
  }

  #time(key: Place, zoned: boolean): number | undefined {
    return this.#first(key, (value) => readTime(value, zoned));
  }

  /** Adds what else the answer says, as far as it is about this payment. What is not understood moves no totals. */
  #with(fact: Fact): Fact {
    if (this.#differs()) return fact;
    const isUnderstood = !['unclear', 'unlisted', 'refused'].includes(fact.is);
    const isStatus = isUnderstood && this.reader.kind === 'status';
    const isClean = (text: string): boolean => !this.#secrets.isIn(text);
    const kept = readKept(this.reader.keep, (pointer) => this.#value(pointer), isClean);
    const name = (value: unknown): string | undefined =>
      [readText(value) ?? ''].find((one) => one && isClean(one));
    const total = (key: AmountKey): bigint | undefined => {
      const amount = this.#amount(key);
      return amount === 'unreadable' ? undefined : amount;
    };
    const paid = this.#first('paidAt', (value) => {
      const at = readTime(value, false);
      return at === undefined ? undefined : { at, isDay: isDay(value) };
    });
    const seen: { [K in keyof Seen]: Seen[K] | undefined } = {
      transactionRef: this.#isOfRefund ? undefined : this.#first('transactionRef', name),
      expiresAt: this.#time('expiresAt', true),
      kept: Object.keys(kept).length > 0 ? kept : undefined,
      ...(isUnderstood && {
        amount: total('amount'),
        paidAt: paid?.at,
        paidOnDay: paid?.isDay || undefined,
      }),
      ...(isStatus && {
        refundedTotal: total('refundedAmount'),
        disputedTotal: total('disputedAmount'),
        refundedAt: this.#time('refundedAt', false),
      }),
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
