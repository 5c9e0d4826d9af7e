import { createHmac } from 'node:crypto';
import type { Answer } from './answer.ts';
import type { Dialect, Route } from './dialect.ts';
import type { JsonObject } from './pointer.ts';
import { statedMinor, type After, type State, type Transaction } from '../ledger/transaction.ts';

/** The second dialect's words. None of them is in the built-in profile. */
const WORDS: Record<State, string> = {
  initial: 'Opened',
  pending: 'InProgress',
  pin: 'AwaitingPin',
  otp: 'AwaitingPasscode',
  redirect: 'AwaitingAuthentication',
  authorized: 'Reserved',
  succeeded: 'Settled',
  failed: 'Rejected',
  expired: 'Lapsed',
  voided: 'Undone',
};

const AFTER: Record<After, string> = {
  refunded: 'GivenBack',
  partiallyRefunded: 'PartlyGivenBack',
  partlyReversed: 'Undone',
  chargedBack: 'TakenBack',
};

/** The places of fields that are not at `/<name>`. */
const PLACES: Record<string, string> = {
  cardNumber: '/instrument/pan',
  expiryMonth: '/instrument/expiry/month',
  expiryYear: '/instrument/expiry/year',
  cvv: '/instrument/securityCode',
  card_pin: '/instrument/pinBlock',
  nameOnCard: '/instrument/holder',
  amount: '/sum/value',
  currency: '/sum/currency',
  client_ref: '/merchantRef',
  transactionRef: '/paymentId',
  authNotifyUrl: '/urls/back',
  payerEmail: '/customer/email',
  payerPhone: '/customer/msisdn',
  firstName: '/customer/givenName',
  lastName: '/customer/familyName',
  billingStreet: '/address/line1',
  billingCity: '/address/city',
  billingStateProvince: '/address/region',
  billingPostCode: '/address/zip',
  billingCountry: '/address/country',
  javaEnabled: '/browser/java',
  language: '/browser/lang',
  screenHeight: '/browser/height',
  screenWidth: '/browser/width',
  colorDepth: '/browser/depth',
  timeZone: '/browser/zone',
  userAgent: '/browser/agent',
  txnType: '/kind',
  otp: '/passcode',
  bankCode: '/institution',
};

const HEADERS = { 'x-api-version': '2' };
const post = (path: string, constants?: Record<string, unknown>): Route => ({
  method: 'POST',
  path,
  credentials: true,
  headers: HEADERS,
  ...(constants ? { constants } : {}),
});

/** A gateway that differs from the built-in profile in everything that a profile file can adapt. */
export const SECOND: Dialect = {
  name: 'second',
  routes: {
    payCard: post('/v2/charges', { '/channel': 'WEB' }),
    initiateWallet: { ...post('/v2/wallet-orders'), credentials: false },
    validateOtp: post('/v2/charges/passcode'),
    initiateTransfer: post('/v2/virtual-accounts', { '/validity/unit': 'minutes' }),
    transferUssdStatus: post('/v2/enquiries'),
    listUssdBanks: { method: 'GET', path: '/v2/institutions', credentials: true, headers: HEADERS },
    generateUssdCode: post('/v2/dial-codes'),
    transactionStatus: {
      method: 'GET',
      path: '/v2/payments/{client_ref}/state',
      credentials: true,
      headers: HEADERS,
    },
    complete: post('/v2/reservations/settle'),
    void: post('/v2/reservations/undo'),
  },
  place: (field) => PLACES[field] ?? `/${field}`,
  amountIn: 'minor',
  yearDigits: 2,
  colorDepths: [8, 16, 24, 32],
  errorPointer: '/failed',
  encryption: {
    scheme: 'aes-256-gcm',
    envelope: 'sealed',
    encoding: 'base64url',
    siblings: { format: 'sealed-v2' },
  },
  write: (operation, answer) => {
    if (operation === 'listUssdBanks')
      return {
        failed: answer.error,
        note: answer.message,
        institutions: (answer.banks ?? []).map(({ code, name }) => ({ nip: code, label: name })),
      };
    return {
      failed: answer.error,
      note: answer.message,
      reason:
        answer.errorCode === 'NOT_FOUND'
          ? 'NoSuchPayment'
          : answer.errorCode === '91'
            ? 'SwitchDown'
            : answer.errorCode === ''
              ? ''
              : `E-${answer.errorCode}`,
      ...(answer.transaction ? { result: resultOf(answer, answer.transaction) } : {}),
    };
  },
  writeRefusal: (code, message) => ({ failed: true, note: message, reason: `E-${code}` }),
  writeNotification: (transaction) => ({
    kind: 'payment.changed',
    payment: {
      merchantRef: transaction.clientRef,
      id: transaction.transactionRef,
      state: wordOf(transaction),
    },
  }),
  notificationHeaders: (body, secret) => ({
    'x-hook-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
};

function resultOf(answer: Answer, transaction: Transaction): JsonObject {
  const result: JsonObject = {
    id: transaction.transactionRef,
    merchantRef: transaction.clientRef,
    state: answer.word ?? wordOf(transaction),
    sum: {
      value: Number(answer.amountMinor ?? statedMinor(transaction)),
      currency: answer.currency ?? transaction.currency,
      ...(transaction.refundedMinor !== undefined &&
        transaction.after !== 'partlyReversed' && { givenBack: Number(transaction.refundedMinor) }),
    },
  };
  if (answer.redirectUrl !== undefined) result.next = nextOf(answer.redirectUrl, transaction);
  if (transaction.account) {
    const { number, name, bank } = transaction.account;
    result.account = { nuban: number, title: name, institution: bank };
  }
  if (transaction.ussd) result.dial = { string: transaction.ussd.code, institution: transaction.ussd.bank };
  if (transaction.expiresAt !== undefined) result.validUntil = transaction.expiresAt;
  return result;
}

function wordOf({ state, after }: Transaction): string {
  return after !== undefined && state === 'succeeded' ? AFTER[after] : WORDS[state];
}

/** The challenge is reached by a form POST with fields, the cashier by GET. */
function nextOf(url: string, transaction: Transaction): JsonObject {
  if (transaction.state !== 'redirect') return { url, method: 'GET' };
  const { origin, pathname } = new URL(url);
  return { url: origin + pathname, method: 'POST', fields: { token: transaction.token } };
}
