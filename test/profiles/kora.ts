import { createDecipheriv, createHmac } from 'node:crypto';
import type { RecordedRequest } from '../harness/request-reader.js';
import { testKeys } from '../harness/tillfront.js';
import {
  answer,
  CVV,
  giveBack,
  startPublicGateway,
  type PublicGateway,
  type StandIn,
} from './public-gateway.js';

/** The merchant's encryption key, which encrypts a card's charge. */
export const KORA_KEY = 'kora-encryption-key-of-the-tests'.slice(0, 32);

interface Charge {
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly card: { readonly cvv: string; readonly expiry_year: string };
}

const CARD = [
  '/card/name',
  '/card/number',
  '/card/cvv',
  '/card/expiry_month',
  '/card/expiry_year',
  '/card/pin',
];
const TRANSACTION = 'KPY-CA-DoTRqQptF5Qy';

/** A stand-in for Kora: encrypted card charges, their authorization, the query, and its webhooks. */
export function startKora(): Promise<PublicGateway> {
  return startPublicGateway(
    '/merchant/api/v1',
    {
      'POST /charges/card': charge,
      'POST /charges/card/authorize': authorize,
      'POST /charges/bank-transfer': transfer,
      'GET /charges/*': query,
      'POST /refunds/initiate': refund,
      'GET /refunds/*': queryRefund,
    },
    (message) => answer({ status: false, message }, 400),
    ({ headers }) =>
      headers['authorization'] === `Bearer ${testKeys.apiKey}` ? undefined : 'the secret key is wrong',
  );
}

/** A webhook's body with its signature, which is over the member `data` alone. */
export function koraWebhook(
  reference: string,
  secret: string,
): { text: string; headers: Record<string, string> } {
  const data = JSON.stringify({
    reference: TRANSACTION,
    payment_reference: reference,
    status: 'success',
    amount: 1500,
  });
  const signature = createHmac('sha256', secret).update(data).digest('hex');
  return { text: `{"event":"charge.success","data":${data}}`, headers: { 'x-korapay-signature': signature } };
}

function charge({ json }: RecordedRequest, stand: StandIn) {
  const fault = stand.demand(json, ['/charge_data']);
  if (fault !== undefined) return stand.refuse(`the charge ${fault}`);
  const text = decrypted((json as { charge_data: string }).charge_data);
  const body = JSON.parse(text) as Charge;
  const inner = stand.demand(body, [
    ...['/reference', '/amount', '/currency', '/redirect_url', '/customer/email', '/customer/name'],
    ...CARD,
  ]);
  if (inner !== undefined) return stand.refuse(`the charge's data ${inner}`);
  if (typeof body.amount !== 'number') return stand.refuse('the amount is a number');
  if (body.reference.length < 8) return stand.refuse('the reference has at least 8 signs');
  if (!/^\d{2}$/.test(body.card.expiry_year)) return stand.refuse('the year of expiry has two digits');
  const payment = { ...body, status: 'processing', refunds: new Map<string, number>() };
  stand.payments.set(body.reference, payment);
  switch (body.card.cvv) {
    case CVV.asksOtp:
      return said(payment, { auth_model: 'OTP', response_message: 'Enter the OTP sent to your phone' });
    case CVV.asksPin:
      return said(payment, { auth_model: 'PIN', response_message: 'Card pin required', status: 'pending' });
    case CVV.redirects:
      return said(payment, {
        auth_model: '3DS',
        authorization: { mode: '3DS', redirect: 'https://bank.example/3ds' },
      });
    case CVV.declines:
      payment.status = 'failed';
      return said(payment, { response_message: 'Insufficient funds' });
    case CVV.lost:
      payment.status = 'success';
      return { do: 'reset-after-reading' } as const;
    default:
      payment.status = 'success';
      return said(payment, { auth_model: 'NO_AUTH' });
  }
}

function transfer({ json }: RecordedRequest, stand: StandIn) {
  const members = [
    '/reference',
    '/amount',
    '/currency',
    '/notification_url',
    '/customer/email',
    '/customer/name',
  ];
  const fault = stand.demand(json, members);
  if (fault !== undefined) return stand.refuse(`the transfer ${fault}`);
  const { reference, amount, currency } = json as Charge;
  stand.payments.set(reference, { reference, amount, currency, status: 'processing' });
  const account = { account_name: 'Test Merchant', account_number: '1234567890', bank_name: 'Wema Bank' };
  const expiry_date_in_utc = new Date(Date.now() + 1_800_000).toISOString();
  const data = { reference, amount, currency, status: 'processing', payment_reference: 'KPY-CA-x1' };
  return answer({ status: true, data: { ...data, bank_account: { ...account, expiry_date_in_utc } } });
}

function authorize({ json }: RecordedRequest, stand: StandIn) {
  const { authorization } = json as { authorization: { otp?: string; pin?: string } };
  const secret = authorization.pin === undefined ? 'otp' : 'pin';
  const fault = stand.demand(json, ['/transaction_reference', `/authorization/${secret}`]);
  if (fault !== undefined) return stand.refuse(`the authorization ${fault}`);
  const payment = [...stand.payments.values()].findLast(({ status }) => status === 'processing');
  if (!payment || (json as { transaction_reference: string }).transaction_reference !== TRANSACTION) {
    return stand.refuse('the authorization names no charge');
  }
  if (authorization.otp !== '123456') return said(payment, { auth_model: 'OTP' });
  payment.status = 'success';
  return said(payment, { auth_model: 'OTP' });
}

function refund({ json }: RecordedRequest, stand: StandIn) {
  const body = json as { payment_reference: string; reference: string; amount: number };
  const fault = stand.demand(body, ['/payment_reference', '/reference', '/amount']);
  if (fault !== undefined) return stand.refuse(`the refund ${fault}`);
  if (body.reference.length < 8 || body.reference.length > 50)
    return stand.refuse("the refund's reference has 8 to 50 signs");
  if (typeof body.amount !== 'number') return stand.refuse('the amount is a number');
  const payment = stand.payments.get(body.payment_reference);
  const why = giveBack(payment, body.reference, body.amount);
  if (why !== undefined) return stand.refuse(why);
  const { payment_reference, reference } = body;
  return answer({
    status: true,
    message: 'Refund initiated',
    data: { payment_reference, reference, currency: payment?.currency, status: 'processing' },
  });
}

function queryRefund({ path }: RecordedRequest, { payments }: StandIn) {
  const reference = decodeURIComponent(path.split('/').at(-1) ?? '');
  const payment = [...payments.values()].find(({ refunds }) => refunds?.has(reference));
  if (!payment) return answer({ status: false, message: 'Refund not found', data: null }, 404);
  const amount = payment.refunds?.get(reference)?.toFixed(2);
  return answer({
    status: true,
    data: {
      reference,
      payment_reference: payment.reference,
      amount,
      currency: payment.currency,
      status: 'success',
    },
  });
}

function query({ path }: RecordedRequest, { payments }: StandIn) {
  const payment = payments.get(decodeURIComponent(path.split('/').at(-1) ?? ''));
  if (!payment) return answer({ status: false, message: 'Charge not found', data: null }, 404);
  const { reference, status, amount, currency } = payment;
  return answer({ status: true, data: { reference, status, amount: amount.toFixed(2), currency } });
}

function said(
  payment: { reference: string; amount: number; currency: string; status: string },
  data: object,
) {
  const { reference, amount, currency, status } = payment;
  const common = {
    amount,
    currency,
    status,
    payment_reference: reference,
    transaction_reference: TRANSACTION,
  };
  return answer({ status: true, message: 'Card charged successfully', data: { ...common, ...data } });
}

function decrypted(sealed: string): string {
  const [iv = '', ciphertext = '', tag = ''] = sealed.split(':');
  if (iv.length !== 32) throw new Error('the initialization vector has 16 bytes');
  const decipher = createDecipheriv('aes-256-gcm', KORA_KEY, Buffer.from(iv, 'hex'));
  decipher.setAuthTag(Buffer.from(tag, 'hex'));
  return decipher.update(ciphertext, 'hex', 'utf8') + decipher.final('utf8');
}
