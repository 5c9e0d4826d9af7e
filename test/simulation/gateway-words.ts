import { major, type Books, type Method, type State, type Transaction } from './money-ledger.ts';

/** What the gateways of the model and of the simulation write, in the words of the built-in profile. */

const WORDS: Readonly<Record<State, string>> = {
  absent: 'NOT_FOUND',
  pending: 'PENDING',
  waiting: 'PENDING',
  otp: 'OTP_REQUIRED',
  pin: 'PIN_REQUIRED',
  redirect: 'REDIRECT_REQUIRED',
  held: 'AUTHORIZED',
  captured: 'SUCCESS',
  declined: 'FAILED',
  expired: 'EXPIRED',
  reversed: 'VOIDED',
};

/** The words about another payment, and the false ones about this. */
export const FALSE_WORDS = ['SUCCESS', 'FAILED', 'VOIDED', 'AUTHORIZED', 'EXPIRED'] as const;
export type FalseWord = (typeof FALSE_WORDS)[number];

export interface Said {
  word: string;
  amount: string;
  currency: string;
  reference: string;
  refundedAmount?: string;
}

/** How a transaction stands, as far as it is told. Minor units. */
export interface Standing {
  reference: string;
  amount: bigint;
  state: State;
  captured: bigint;
  /** All that was given back. */
  refunded: bigint;
  /** How much the gateway names where it calls a part of it reversed; undefined where it calls it refunded. */
  reversed: bigint | undefined;
  disputed: boolean;
  disputeWon: boolean;
}

/** What is said of it. */
export function saidOf(standing: Standing): Said {
  const { reference, amount, state, captured, refunded, reversed, disputed, disputeWon } = standing;
  const plain = { word: WORDS[state], amount: major(amount), currency: 'NGN', reference };
  if (state !== 'captured') return plain;
  const taken = { ...plain, amount: major(captured) };
  const given = refunded === 0n ? {} : { refundedAmount: major(refunded) };
  if (disputed) return { ...taken, word: 'CHARGEBACK', ...given };
  if (disputeWon) return { ...taken, word: 'CHARGEBACK_REVERSED', ...given };
  if (refunded === 0n) return taken;
  if (reversed !== undefined && refunded < captured)
    return { ...plain, word: 'VOIDED', amount: major(reversed) };
  const word = refunded === captured ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  return { ...taken, word, ...given };
}

/** What is true of a transaction of the model. */
export function said(transaction: Transaction, books: Books = transaction.books): Said {
  const { clientRef: reference, amount, pendingRefund } = transaction;
  return saidOf({
    ...books,
    ...{ reference, amount },
    refunded: books.refunded + (books.countsPending ? pendingRefund : 0n),
    reversed: books.reversedInPart ? books.reversed : undefined,
  });
}

/** The gateway's usual answer. */
export function body(
  { word, ...transaction }: Said,
  { error = word === 'FAILED', message = 'Transaction processed', clientRef = transaction.reference } = {},
): object {
  if (word === 'NOT_FOUND') return refusal('NOT_FOUND', 'Transaction not found');
  const address = word === 'REDIRECT_REQUIRED' ? { redirectUrl: 'https://acs.bank.example/challenge' } : {};
  return {
    error,
    message,
    data: {
      transactionRef: `TRX-${clientRef}`,
      transaction: { status: word, ...transaction, ...address },
      date: '2026-01-01',
      errorCode: '',
    },
  };
}

export function refusal(errorCode: string, message: string): object {
  return {
    error: true,
    message,
    data: { transactionRef: '', transaction: {}, date: '2026-01-01', errorCode },
  };
}

/** What a payer needs besides, to pay by this method. */
export function started(method: Method, what: Said): object {
  if (method === 'card') return body(what);
  if (method === 'wallet') return order(what);
  const answer = body(what) as { data: { transaction: object } };
  const { transaction } = answer.data;
  const forPayer =
    method === 'ussd'
      ? { ussdCode: '*737*000*42#' }
      : { accountNumber: '0123456789', accountName: 'Tillfront', bankName: 'Model Bank' };
  return { ...answer, data: { ...answer.data, transaction: { ...transaction, ...forPayer } } };
}

function order({ word, reference, amount, currency }: Said): object {
  return {
    status: 'success',
    message: 'Order created',
    data: {
      code: '00000',
      message: 'SUCCESSFUL',
      data: {
        reference,
        orderNo: `TRX-${reference}`,
        cashierUrl: 'https://cashier.example/pay?token=abc',
        status: word === 'PENDING' ? 'INITIAL' : word,
        amount: { total: Number(amount.replace('.', '')), currency },
        vat: { total: 0, currency },
      },
    },
  };
}
