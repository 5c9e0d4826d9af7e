import type { Behaviour, Responder } from './gateway-behaviour.js';
import type { RecordedRequest } from './request-reader.js';

/** Correct answers of a gateway that uses the built-in profile, for `script()`. */

/**
 * The gateway's answer to everything except a wallet's start. `transaction` fills `data.transaction`. The misbehaving gateway writes the
 * payment's own reference in the place of `{client_ref}`: no two orders have the same transaction.
 */
export function cardAnswer(
  transaction: Record<string, unknown>,
  rest: { error?: unknown; message?: string; errorCode?: string } = {},
) {
  const { error = false, message = 'Transaction processed', errorCode = '' } = rest;
  return {
    error,
    message,
    data: { transactionRef: 'TRX-{client_ref}', transaction, date: '2026-01-01', errorCode },
  };
}

/** The gateway's answer for a transaction that it does not know. */
export const notFoundAnswer = {
  error: true,
  message: 'Transaction not found',
  data: { transactionRef: '', transaction: {}, date: '', errorCode: 'NOT_FOUND' },
};

export function answer(body: unknown, status = 200): Behaviour {
  return { do: 'answer', status, body };
}

/** The usual session's amount, as the gateway writes it. */
export const usualMoney = { amount: '1500.00', currency: 'NGN' };
export const approved = cardAnswer({ status: 'SUCCESS', ...usualMoney });
export const declined = cardAnswer({}, { error: true, message: 'Card declined by issuer', errorCode: '05' });
export const held = cardAnswer({ status: 'AUTHORIZED', ...usualMoney });
export const otpRequired = cardAnswer(
  { status: 'OTP_REQUIRED' },
  { message: 'Enter the code sent to your phone' },
);
export const challengeUrl = 'https://acs.bank.example/challenge?id=1';
export const redirectRequired = cardAnswer({ status: 'REDIRECT_REQUIRED', redirectUrl: challengeUrl });

export const cashierUrl = 'https://cashier.example/pay?token=abc';

/** The answer to a wallet's start. Members of the order may be replaced, and `outer` replaces those around it. */
export function walletAnswer(
  request: RecordedRequest,
  order: Record<string, unknown> = {},
  outer: Record<string, unknown> = {},
): Record<string, unknown> {
  const sent = request.json as { client_ref: string; currency: string };
  return {
    status: 'success',
    message: 'Order created',
    data: {
      code: '00000',
      message: 'SUCCESSFUL',
      data: {
        reference: sent.client_ref,
        orderNo: `ORD-${sent.client_ref}`,
        cashierUrl,
        status: 'INITIAL',
        amount: { total: 150000, currency: sent.currency },
        vat: { total: 0, currency: sent.currency },
        ...order,
      },
    },
    ...outer,
  };
}

/** Answers a wallet's start correctly, with parts of the order replaced. */
export function walletStarted(
  order: Record<string, unknown> = {},
  outer: Record<string, unknown> = {},
): Responder {
  return (request) => answer(walletAnswer(request, order, outer));
}
