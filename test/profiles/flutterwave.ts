import { createDecipheriv } from 'node:crypto';
import type { RecordedRequest } from '../harness/request-reader.js';
import { testKeys } from '../harness/tillfront.js';
import {
  answer,
  CVV,
  giveBack,
  startPublicGateway,
  type PublicGateway,
  type StandIn,
  type StandInPayment,
} from './public-gateway.js';

/** The merchant's encryption key, which encrypts a card's charge. */
export const FLUTTERWAVE_KEY = 'flutterwave-key-of-tests';

interface Charge {
  readonly tx_ref: string;
  readonly amount: number;
  readonly currency: string;
  readonly cvv: string;
  readonly expiry_year: string;
}

const PAYER = ['/tx_ref', '/amount', '/currency', '/email'];
const CARD = ['/card_number', '/cvv', '/expiry_month', '/expiry_year'];
const PIN = ['/authorization/mode', '/authorization/pin'];
const FLW_REF = 'FLW275407301';

/** A stand-in for Flutterwave: encrypted card charges, transfers, USSD, refunds, the query, and its webhooks. */
export function startFlutterwave(): Promise<PublicGateway> {
  return startPublicGateway(
    '',
    {
      'POST /v3/charges?type=card': charge,
      'POST /v3/charges?type=bank_transfer': transfer,
      'POST /v3/charges?type=ussd': ussd,
      'POST /v3/validate-charge': validate,
      'GET /v3/banks/NG': () => answer({ status: 'success', data: [{ id: 1, code: '058', name: 'GTBank' }] }),
      'GET /v3/transactions/*': verify,
      'POST /v3/transactions/*': refund,
    },
    (message) => answer({ status: 'error', message, data: null }, 400),
    ({ headers }) =>
      headers['authorization'] === `Bearer ${testKeys.apiKey}` ? undefined : 'the secret key is wrong',
  );
}

/** A webhook with the secret hash that the merchant has chosen. */
export function flutterwaveWebhook(
  reference: string,
  secret: string,
): { text: string; headers: Record<string, string> } {
  const data = { id: 1, tx_ref: reference, status: 'successful', amount: 1500, currency: 'NGN' };
  return {
    text: JSON.stringify({ event: 'charge.completed', data }),
    headers: { 'verif-hash': secret },
  };
}

function charge({ json }: RecordedRequest, stand: StandIn) {
  const fault = stand.demand(json, ['/client']);
  if (fault !== undefined) return stand.refuse(`the charge ${fault}`);
  const body = JSON.parse(decrypted((json as { client: string }).client)) as Charge;
  const inner = stand.demand(body, [
    ...[...PAYER, ...CARD, ...PIN],
    ...['/redirect_url', '/phone_number', '/fullname', '/client_ip'],
  ]);
  if (inner !== undefined) return stand.refuse(`the charge's data ${inner}`);
  if (typeof body.amount !== 'number') return stand.refuse('the amount is a number');
  if (!/^\d{2}$/.test(body.expiry_year)) return stand.refuse('the year of expiry has two digits');
  const payment = begun(body, stand);
  switch (body.cvv) {
    case CVV.asksOtp:
      return said(payment, 'Please enter the OTP sent to your phone', { mode: 'otp' });
    case CVV.redirects:
      return said(payment, 'Pending', { mode: 'redirect', redirect: 'https://bank.example/3ds' });
    case CVV.declines:
      payment.status = 'failed';
      return said(payment, 'Insufficient Funds');
    case CVV.lost:
      payment.status = 'successful';
      return { do: 'reset-after-reading' } as const;
    default:
      payment.status = 'successful';
      return said(payment, 'Approved by Financial Institution');
  }
}

function transfer({ json }: RecordedRequest, stand: StandIn) {
  const fault = stand.demand(json, [...PAYER, '/phone_number', '/fullname']);
  if (fault !== undefined) return stand.refuse(`the transfer ${fault}`);
  const { amount } = begun(json as Charge, stand);
  const account = { transfer_account: '0067100155', transfer_bank: 'Mock Bank', transfer_note: 'Mock note' };
  const authorization = {
    ...account,
    account_expiration: Date.now() + 1_800_000,
    transfer_amount: amount.toFixed(2),
    mode: 'banktransfer',
  };
  return answer({ status: 'success', message: 'Charge initiated', meta: { authorization } });
}

function ussd({ json }: RecordedRequest, stand: StandIn) {
  const fault = stand.demand(json, [...PAYER, '/account_bank']);
  if (fault !== undefined) return stand.refuse(`the USSD charge ${fault}`);
  return said(begun(json as Charge, stand), 'Transaction in progress', {
    mode: 'ussd',
    note: '*566*002*4517159#',
  });
}

function validate({ json }: RecordedRequest, stand: StandIn) {
  const fault = stand.demand(json, ['/otp', '/flw_ref', '/type']);
  if (fault !== undefined) return stand.refuse(`the validation ${fault}`);
  const { otp, flw_ref } = json as { otp: string; flw_ref: string };
  const payment = [...stand.payments.values()].findLast(({ status }) => status === 'pending');
  if (!payment || flw_ref !== FLW_REF) return stand.refuse('the validation names no charge');
  if (otp !== '123456') return answer({ status: 'error', message: 'Invalid OTP', data: null }, 400);
  payment.status = 'successful';
  return said(payment, 'Successful');
}

function verify({ path }: RecordedRequest, { payments }: StandIn) {
  const { pathname, searchParams } = new URL(path, 'http://gateway');
  const payment = payments.get(searchParams.get('tx_ref') ?? '');
  if (pathname !== '/v3/transactions/verify_by_reference' || !payment) {
    return answer({ status: 'error', message: 'No transaction was found for this id', data: null }, 400);
  }
  return said(payment, 'Approved by Financial Institution');
}

function refund({ path, json }: RecordedRequest, stand: StandIn) {
  const fault = stand.demand(json, ['/amount', '/comments']);
  if (fault !== undefined) return stand.refuse(`the refund ${fault}`);
  const id = Number(/^\/v3\/transactions\/(\d+)\/refund$/.exec(path)?.[1]);
  const payment = [...stand.payments.values()][id - 1];
  const { amount, comments } = json as { amount: number; comments: string };
  const why = giveBack(payment, comments, amount);
  if (why !== undefined) return stand.refuse(why);
  const data = { id: 75923, tx_id: id, flw_ref: 'URF_1', status: 'completed', amount_refunded: amount };
  return answer({ status: 'success', message: 'Transaction refund initiated', data });
}

function begun({ tx_ref: reference, amount, currency }: Charge, { payments }: StandIn): StandInPayment {
  const payment = { reference, amount, currency, status: 'pending', refunds: new Map<string, number>() };
  payments.set(reference, payment);
  known.set(payment, payments.size);
  return payment;
}

/** Flutterwave's own numbers, which a refund names. */
const known = new WeakMap<StandInPayment, number>();

function said(payment: StandInPayment, processor_response: string, authorization?: object) {
  const { reference, amount, currency, status } = payment;
  const data = {
    ...{ id: known.get(payment), tx_ref: reference, flw_ref: FLW_REF, amount, charged_amount: amount },
    ...{ currency, status, processor_response, payment_type: 'card' },
  };
  return answer({
    status: 'success',
    message: 'Charge initiated',
    data,
    ...(authorization && { meta: { authorization } }),
  });
}

function decrypted(sealed: string): string {
  const decipher = createDecipheriv('des-ede3-ecb', FLUTTERWAVE_KEY, null);
  return decipher.update(sealed, 'base64', 'utf8') + decipher.final('utf8');
}
