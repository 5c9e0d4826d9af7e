import { createHmac } from 'node:crypto';
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
import type { RecordedRequest } from '../harness/request-reader.js';

interface Charge {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly card?: { readonly cvv: string; readonly expiry_year: string };
}

const CARD = ['/card/number', '/card/cvv', '/card/expiry_month', '/card/expiry_year'];

/** A stand-in for Paystack: the Charge API, Verify Transaction, and its webhooks. */
export function startPaystack(): Promise<PublicGateway> {
  return startPublicGateway(
    '',
    {
      'POST /charge': charge,
      'POST /charge/submit_otp': (request, stand) => submit(request, stand, 'otp'),
      'POST /charge/submit_pin': (request, stand) => submit(request, stand, 'pin'),
      'GET /transaction/*': verify,
      'POST /refund': refund,
    },
    (message) => answer({ status: false, message }, 400),
    ({ headers }) =>
      headers['authorization'] === `Bearer ${testKeys.apiKey}` ? undefined : 'the secret key is wrong',
  );
}

/** A webhook's body with its signature. */
export function paystackWebhook(
  reference: string,
  secret: string,
): { text: string; headers: Record<string, string> } {
  const text = JSON.stringify({
    event: 'charge.success',
    data: { id: 302961, status: 'success', reference },
  });
  const signature = createHmac('sha512', secret).update(text).digest('hex');
  return { text, headers: { 'x-paystack-signature': signature } };
}

function charge({ json }: RecordedRequest, stand: StandIn) {
  const body = json as Charge;
  const fault = stand.demand(
    body,
    body.card
      ? ['/email', '/amount', '/currency', '/reference', '/pin', ...CARD]
      : ['/email', '/amount', '/currency', '/reference'],
  );
  if (fault !== undefined) return stand.refuse(`charge ${fault}`);
  if (!/^\d+$/.test(body.amount)) return stand.refuse('the amount is in kobo, as a text of digits');
  if (!/^[A-Za-z0-9.=-]+$/.test(body.reference))
    return stand.refuse('the reference has a sign that is not allowed');
  if (stand.payments.has(body.reference))
    return answer({ status: false, message: 'Duplicate Transaction Reference' }, 400);
  const payment = {
    reference: body.reference,
    amount: Number(body.amount),
    currency: body.currency,
    status: 'ongoing',
    refunds: new Map<string, number>(),
  };
  stand.payments.set(body.reference, payment);
  if (!body.card) {
    return said(payment.reference, {
      status: 'pending_bank_transfer',
      account_name: 'PAYSTACK CHECKOUT',
      account_number: '9930030901',
      bank: { slug: 'test-bank', name: 'Test Bank', id: 24 },
      account_expires_at: new Date(Date.now() + 1_800_000).toISOString(),
    });
  }
  switch (body.card.cvv) {
    case CVV.asksOtp:
      return said(payment.reference, { status: 'send_otp', display_text: 'Please enter the OTP' });
    case CVV.asksPin:
      return said(payment.reference, { status: 'send_pin' });
    case CVV.redirects:
      return said(payment.reference, { status: 'open_url', url: 'https://standard.paystack.example/close' });
    case CVV.declines:
      payment.status = 'failed';
      return said(payment.reference, { status: 'failed', message: 'Insufficient funds' });
    case CVV.lost:
      payment.status = 'success';
      return { do: 'reset-after-reading' } as const;
    default:
      return pay(payment);
  }
}

function submit({ json }: RecordedRequest, stand: StandIn, secret: 'otp' | 'pin') {
  const body = json as { reference: string; otp?: string };
  const fault = stand.demand(body, ['/reference', `/${secret}`]);
  const payment = stand.payments.get(body.reference);
  if (fault !== undefined || !payment) return stand.refuse(`submit_${secret} ${fault ?? 'names no charge'}`);
  if (secret === 'pin' || body.otp !== '123456') {
    return said(payment.reference, { status: 'send_otp', display_text: 'Please enter the OTP' });
  }
  return pay(payment);
}

function verify({ path }: RecordedRequest, { payments }: StandIn) {
  const payment = payments.get(decodeURIComponent(path.replace('/transaction/verify/', '')));
  if (!payment) {
    const message = 'Transaction reference not found.';
    return answer({ status: false, message, type: 'validation_error', code: 'transaction_not_found' }, 400);
  }
  const { refunds: _refunds, ...data } = payment;
  return answer({ status: true, message: 'Verification successful', data: { id: 4099260516, ...data } });
}

function refund({ json }: RecordedRequest, stand: StandIn) {
  const body = json as { transaction: string; amount: string; currency: string; merchant_note: string };
  const fault = stand.demand(body, ['/transaction', '/amount', '/currency', '/merchant_note']);
  if (fault !== undefined) return stand.refuse(`the refund ${fault}`);
  if (!/^\d+$/.test(body.amount)) return stand.refuse('the amount is in kobo, as a text of digits');
  const payment = stand.payments.get(body.transaction);
  const why = giveBack(payment, body.merchant_note, Number(body.amount));
  if (why !== undefined) return stand.refuse(why);
  const { reference } = payment ?? {};
  return answer({
    status: true,
    message: 'Refund has been queued for processing',
    data: {
      transaction: { id: 4099260516, reference },
      amount: Number(body.amount),
      currency: body.currency,
      status: 'processed',
    },
  });
}

function pay(payment: StandInPayment) {
  payment.status = 'success';
  const { refunds: _refunds, ...data } = payment;
  return said(payment.reference, { id: 4099260516, gateway_response: 'Successful', ...data });
}

function said(reference: string, data: object) {
  return answer({ status: true, message: 'Charge attempted', data: { reference, ...data } });
}
