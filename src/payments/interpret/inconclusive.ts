import type { UnlistedAnswer } from '../../gateway/gateway-result.js';
import type { PaymentRecord } from '../../store/schema.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { dispute } from './proposed-transition.js';

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
