import { createHmac } from 'node:crypto';
import type { Answer } from './answer.ts';
import type { Dialect, Route } from './dialect.ts';
import type { FieldKind } from './field-kind.ts';
import { FIELDS } from './fields.ts';
import { writeMajor } from '../ledger/money.ts';
import type { JsonObject } from './pointer.ts';
import { statedMinor, type After, type State, type Transaction } from '../ledger/transaction.ts';

/** The third dialect's words. */
const WORDS: Record<State, string> = {
  initial: 'CREATED',
  pending: 'CREATED',
  pin: 'PIN',
  otp: 'CODE',
  redirect: 'AUTHENTICATE',
  authorized: 'HELD',
  succeeded: 'TAKEN',
  failed: 'REFUSED',
  expired: 'TIMED_OUT',
  voided: 'CANCELLED',
};

const AFTER: Record<After, string> = {
  refunded: 'RETURNED',
  partiallyRefunded: 'PART_RETURNED',
  partlyReversed: 'CANCELLED',
  chargedBack: 'DISPUTED',
};

const PLACES: Record<string, string> = { client_ref: '/reference', refundRef: '/id', otp: '/code' };

const ORDER_PLACES: Record<string, string> = {
  client_ref: '/order/reference',
  amount: '/order/amount',
  currency: '/order/currency',
  payerEmail: '/payer/email',
  firstName: '/payer/name',
  authNotifyUrl: '/urls/back',
};

/** What is said of the card, once there is an order. */
const ORDERED = new Set([
  ...['amount', 'currency', 'client_ref', 'authNotifyUrl', 'payerEmail', 'payerPhone'],
  ...['firstName', 'lastName', 'card_pin'],
]);
const CARD = Object.fromEntries(Object.entries(FIELDS.payCard).filter(([field]) => !ORDERED.has(field)));

const call = (
  method: Route['method'],
  path: string,
  fields: Record<string, FieldKind>,
  encode?: Route['encode'],
): Route => ({ method, path, credentials: true, fields, ...(encode && { encode }) });

/**
 * A gateway that uses what the other two do not: a token that is fetched, signed requests, an order before the payment, the PIN
 * after the card, amounts as numbers, forms and queries, HTTP statuses that mean something, refunds, notifications by GET.
 */
export const THIRD: Dialect = {
  name: 'third',
  routes: {
    createOrder: {
      ...call(
        'POST',
        '/v3/orders',
        {
          client_ref: 'text',
          amount: 'amount',
          currency: 'currency',
          payerEmail: 'email',
          firstName: 'text',
          authNotifyUrl: 'url',
        },
        'json-sorted',
      ),
      places: ORDER_PLACES,
    },
    payCard: call('POST', '/v3/orders/{orderId}/card', CARD),
    initiateWallet: call('POST', '/v3/orders/{orderId}/wallet', {}),
    validatePin: call('POST', '/v3/orders/{orderId}/pin', { pin: 'digits' }, 'form'),
    validateOtp: call('POST', '/v3/orders/{orderId}/code', { otp: 'digits' }, 'form'),
    transactionStatus: call('GET', '/v3/payments', { client_ref: 'text' }, 'query'),
    complete: call('PUT', '/v3/orders/{orderId}/take', { amount: 'amount' }),
    void: call('PUT', '/v3/orders/{orderId}/cancel', {}),
    refund: call('POST', '/v3/orders/{orderId}/returns', { refundRef: 'text', amount: 'amount' }),
    refundStatus: call('GET', '/v3/orders/{orderId}/returns/{refundRef}', {}),
  },
  place: (field) => PLACES[field] ?? `/${field}`,
  amountIn: 'major-number',
  yearDigits: 2,
  colorDepths: [8, 16, 24, 32],
  errorPointer: '/ok',
  encryption: { scheme: 'none' },
  signed: true,
  asksPinLater: true,
  statusOf: ({ error, transaction, errorCode }) => {
    if (errorCode === 'NOT_FOUND') return 404;
    // What the bank has not decided is no fault of the request.
    return error && transaction === undefined && errorCode !== '91' ? 400 : 200;
  },
  write: (_, answer) => ({
    ok: !answer.error,
    note: answer.message,
    ...(answer.errorCode !== '' && { why: answer.errorCode }),
    ...(answer.orderId !== undefined && { order: { id: answer.orderId } }),
    ...(answer.transaction && paymentOf(answer, answer.transaction)),
  }),
  writeRefusal: (code, message) => ({ ok: false, note: message, why: code }),
  writeNotification: ({ clientRef, transactionRef, ...rest }) => ({
    ref: clientRef,
    id: transactionRef,
    state: wordOf({ clientRef, transactionRef, ...rest }),
  }),
  notificationHeaders: () => ({}),
  notifiesByQuery: {
    write: (fields, secret) => {
      const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
      const text = ['ref', 'id', 'state'].map((name) => query.get(name) ?? '').join('|');
      query.set('sig', createHmac('sha3-512', secret).update(text).digest('hex'));
      return query;
    },
    isWanted: (answer) => answer === '{"accepted":"yes"}',
  },
};

function paymentOf(answer: Answer, transaction: Transaction): JsonObject {
  const currency = answer.currency ?? transaction.currency;
  const number = (minor: bigint): number => Number(writeMajor(minor, currency));
  const { refund } = answer;
  return {
    payment: {
      id: transaction.transactionRef,
      ref: transaction.clientRef,
      state: answer.word ?? wordOf(transaction),
      amount: number(answer.amountMinor ?? statedMinor(transaction)),
      currency,
      ...(transaction.refundedMinor !== undefined &&
        transaction.after !== 'partlyReversed' && { returned: number(transaction.refundedMinor) }),
      ...(answer.redirectUrl !== undefined && nextOf(answer.redirectUrl, transaction)),
    },
    ...(refund && { return: { id: refund.ref, state: 'DONE', amount: number(refund.minor), currency } }),
  };
}

/** Parts of an address, which the caller puts together. */
function nextOf(address: string, { token }: Transaction): JsonObject {
  return { at: new URL(address).origin, token };
}

function wordOf({ state, after }: Transaction): string {
  return after !== undefined && state === 'succeeded' ? AFTER[after] : WORDS[state];
}
