import type { UnlistedAnswer } from '../../gateway/gateway-result.js';
import { formatMajor, minorDigits } from '../../money/money.js';
import type { PaymentRecord } from '../../store/schema.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import type { Mismatch } from './answer.js';
import { dispute, type Disputed } from './proposed-transition.js';

/** What the gateway said of the money, for whoever compares it with what was asked for. Pure. */
export function saidOf(answer: Disputed, payment: PaymentRecord): Record<string, string> {
  const { meaning, amount } = answer;
  const currency = (answer.currency ?? payment.currency).toUpperCase();
  const isMoney = typeof amount === 'bigint' && minorDigits(currency) !== undefined;
  return { meaning, ...(isMoney && { amount: formatMajor(amount, currency), currency }) };
}

/**
 * What follows from an answer that names another reference, amount or currency: it is about another payment, so nothing is
 * moved and no operation is settled, whatever it says. A person must look. It counts as an answer, so the payment can no
 * longer be closed as never received. Pure.
 */
export function foreignAnswer(
  payment: PaymentRecord,
  answer: Disputed,
  differing: readonly Mismatch[],
): PaymentUpdate {
  return {
    answered: true,
    timelineNote: { type: 'mismatch', detail: { differs: differing.join(' '), ...saidOf(answer, payment) } },
    ...dispute(payment, 'mismatch', answer),
  };
}

/** Longer words are cut: a person reads them in a timeline. */
const MAX_WORD = 64;

/** What follows from an answer that says nothing clear: a line in the timeline. */
export function inconclusive(reason: string): PaymentUpdate {
  return { timelineNote: { type: 'inconclusive', detail: { reason } } };
}

/**
 * What follows from a word that the profile does not list. After a success or a hold it may say that the money went
 * elsewhere, so a person must look, once for each word. Pure.
 */
export function unlistedWord(said: UnlistedAnswer, payment: PaymentRecord): PaymentUpdate {
  const word = said.word.slice(0, MAX_WORD);
  const note: PaymentUpdate = {
    timelineNote: { type: 'inconclusive', detail: { reason: 'unrecognised', ...(word && { word }) } },
  };
  const moneyMoved = payment.status === 'succeeded' || payment.status === 'authorized';
  if (!moneyMoved || payment.unlistedWord === word) return note;
  return {
    ...note,
    unlistedWord: word,
    ...dispute(payment, 'unlisted_word', { ...said, meaning: `unlisted ${word}` }),
  };
}
