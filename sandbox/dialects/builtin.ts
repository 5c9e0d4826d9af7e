import type { Answer } from './answer.ts';
import type { Dialect } from './dialect.ts';
import { writeMajor } from '../ledger/money.ts';
import type { JsonObject } from './pointer.ts';
import { statedMinor, type After, type State, type Transaction } from '../ledger/transaction.ts';

const WORDS: Record<State, string> = {
  initial: 'INITIAL',
  pending: 'PENDING',
  pin: 'PIN_REQUIRED',
  otp: 'OTP_REQUIRED',
  redirect: 'REDIRECT_REQUIRED',
  authorized: 'AUTHORIZED',
  succeeded: 'SUCCESS',
  failed: 'FAILED',
  expired: 'EXPIRED',
  voided: 'VOIDED',
};

/** What becomes of a paid one. */
const AFTER: Record<After, string> = {
  refunded: 'REFUNDED',
  partiallyRefunded: 'PARTIALLY_REFUNDED',
  partlyReversed: 'REVERSED',
  chargedBack: 'CHARGEBACK',
};

/** Order states of the wallet's cashier. */
const WALLET_WORDS: Record<State, string> = { ...WORDS, failed: 'FAIL', expired: 'CLOSE' };

/** The gateway's own description, with the assumptions of the built-in profile. */
export const BUILTIN: Dialect = {
  name: 'builtin',
  routes: {
    payCard: { method: 'POST', path: '/payment/card', credentials: true },
    initiateWallet: { method: 'POST', path: '/init-partner', credentials: false },
    validateOtp: { method: 'POST', path: '/payment/validate-otp', credentials: true },
    initiateTransfer: { method: 'POST', path: '/payment/transfer', credentials: true },
    transferUssdStatus: { method: 'POST', path: '/payment/status', credentials: true },
    listUssdBanks: { method: 'GET', path: '/ussd/banks', credentials: true },
    generateUssdCode: { method: 'POST', path: '/ussd/code', credentials: true },
    transactionStatus: { method: 'GET', path: '/transaction/{client_ref}', credentials: true },
    complete: { method: 'POST', path: '/payment/completion', credentials: true },
    void: { method: 'POST', path: '/payment/void', credentials: true },
    // Beyond the description: for a profile that has refunds, such as sandbox/refunds.profile.json.
    refund: {
      method: 'POST',
      path: '/payment/refund',
      credentials: true,
      fields: {
        client_ref: 'text',
        transactionRef: 'text',
        refundRef: 'text',
        amount: 'amount',
        currency: 'currency',
      },
    },
    refundStatus: {
      method: 'GET',
      path: '/transaction/{client_ref}/refunds/{refundRef}',
      credentials: true,
      fields: {},
    },
  },
  place: (field) => `/${field}`,
  amountIn: 'major',
  yearDigits: 4,
  // The depths of EMV 3-D Secure.
  colorDepths: [1, 4, 8, 15, 16, 24, 32, 48],
  errorPointer: '/error',
  encryption: { scheme: 'none' },
  write: (operation, answer) => {
    if (operation === 'listUssdBanks')
      return { error: answer.error, message: answer.message, data: [...(answer.banks ?? [])] };
    return operation === 'initiateWallet' ? writeOrder(answer) : writeTransaction(answer);
  },
  writeRefusal: (code, message) => ({
    error: true,
    message,
    data: { transactionRef: '', transaction: {}, date: today(), errorCode: code },
  }),
  writeNotification: (transaction) => ({
    client_ref: transaction.clientRef,
    transactionRef: transaction.transactionRef,
    status: wordOf(transaction),
    amount: writeMajor(statedMinor(transaction), transaction.currency),
    currency: transaction.currency,
    date: today(),
  }),
  notificationHeaders: (_body, secret) => ({ 'x-notification-secret': secret }),
};

function writeTransaction(answer: Answer): JsonObject {
  const { transaction } = answer;
  return {
    error: answer.error,
    message: answer.message,
    data: {
      transactionRef: transaction?.transactionRef ?? '',
      transaction: transaction ? detailsOf(answer, transaction) : {},
      date: today(),
      errorCode: answer.errorCode,
    },
  };
}

function detailsOf(answer: Answer, transaction: Transaction): JsonObject {
  const currency = answer.currency ?? transaction.currency;
  const details: JsonObject = {
    status: answer.word ?? wordOf(transaction),
    amount: writeMajor(answer.amountMinor ?? statedMinor(transaction), currency),
    currency,
  };
  if (transaction.refundedMinor !== undefined && transaction.after !== 'partlyReversed')
    details.refundedAmount = writeMajor(transaction.refundedMinor, currency);
  if (answer.refund) {
    details.status = answer.word ?? AFTER.refunded;
    details.refundRef = answer.refund.ref;
    details.amount = writeMajor(answer.refund.minor, currency);
  }
  if (answer.redirectUrl !== undefined) details.redirectUrl = answer.redirectUrl;
  if (transaction.account) {
    details.accountNumber = transaction.account.number;
    details.accountName = transaction.account.name;
    details.bankName = transaction.account.bank;
  }
  if (transaction.ussd) {
    details.ussdCode = transaction.ussd.code;
    details.bankName = transaction.ussd.bank;
  }
  if (transaction.expiresAt !== undefined) details.expiresAt = transaction.expiresAt;
  return details;
}

/** The wallet's own answer: a wrapper around the cashier's order. */
function writeOrder(answer: Answer): JsonObject {
  const { transaction } = answer;
  if (!transaction)
    return {
      error: true,
      status: 'failed',
      message: answer.message,
      data: { code: answer.errorCode, message: answer.message, data: {} },
    };
  const currency = answer.currency ?? transaction.currency;
  return {
    status: answer.error ? 'failed' : 'success',
    message: answer.error ? answer.message : 'Order created',
    data: {
      code: answer.error ? answer.errorCode || '02000' : '00000',
      message: answer.error ? answer.message : 'SUCCESSFUL',
      data: {
        reference: transaction.clientRef,
        orderNo: transaction.transactionRef,
        cashierUrl: answer.redirectUrl ?? '',
        status: answer.word ?? wordOf(transaction),
        amount: { total: Number(answer.amountMinor ?? transaction.amountMinor), currency },
        vat: { total: 0, currency },
      },
    },
  };
}

function wordOf(transaction: Transaction): string {
  if (transaction.after !== undefined && transaction.state === 'succeeded') return AFTER[transaction.after];
  return (transaction.method === 'wallet' ? WALLET_WORDS : WORDS)[transaction.state];
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
