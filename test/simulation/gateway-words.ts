import { major, type Charge, type Method, type Money } from './book.ts';

/** What the simulated gateway writes, in the words of the built-in profile. */

const WORDS = {
  absent: 'NOT_FOUND',
  pending: 'PENDING',
  waiting: 'PENDING',
  otp: 'OTP_REQUIRED',
  redirect: 'REDIRECT_REQUIRED',
  held: 'AUTHORIZED',
  captured: 'SUCCESS',
  declined: 'FAILED',
  expired: 'EXPIRED',
  reversed: 'VOIDED',
} as const;

export interface Said {
  status: string;
  amount: string;
  currency: string;
  reference: string;
  refundedAmount?: string;
}

/** What is true of a charge, or was. */
export function said({ ref: reference, amount }: Charge, money: Money): Said {
  const { state, captured, refunded, reversedPart, disputed, disputeWon, countsOpen } = money;
  const plain = { status: WORDS[state], amount: major(amount), currency: 'NGN', reference };
  if (state !== 'captured') return plain;
  const taken = { ...plain, amount: major(captured) };
  const sum = refunded + countsOpen;
  const given = sum === 0n ? {} : { refundedAmount: major(sum) };
  if (disputed > 0n) return { ...taken, status: 'CHARGEBACK', ...given };
  if (disputeWon) return { ...taken, status: 'CHARGEBACK_REVERSED', ...given };
  if (sum === 0n) return taken;
  if (reversedPart > 0n && sum < captured) return { ...plain, status: 'VOIDED', amount: major(reversedPart) };
  return { ...taken, status: sum === captured ? 'REFUNDED' : 'PARTIALLY_REFUNDED', ...given };
}

export function body(what: Said): object {
  if (what.status === 'NOT_FOUND') return refusal('NOT_FOUND', 'Transaction not found');
  const address =
    what.status === 'REDIRECT_REQUIRED' ? { redirectUrl: 'https://acs.bank.example/challenge' } : {};
  return {
    error: what.status === 'FAILED',
    message: 'Transaction processed',
    data: {
      transactionRef: `TRX-${what.reference}`,
      transaction: { ...what, ...address },
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
  const account = { accountNumber: '0123456789', accountName: 'Tillfront', bankName: 'Model Bank' };
  return { ...answer, data: { ...answer.data, transaction: { ...answer.data.transaction, ...account } } };
}

function order({ status, reference, amount, currency }: Said): object {
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
        status: status === 'PENDING' ? 'INITIAL' : status,
        amount: { total: Number(amount.replace('.', '')), currency },
        vat: { total: 0, currency },
      },
    },
  };
}
