import { createHmac } from 'node:crypto';
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

const TOKEN = 'token-of-an-hour';
const OTP_ID = '2000.00-e944ba21';
const INITIAL = [
  ...['/paymentReference', '/amount', '/currencyCode', '/customerEmail', '/customerName', '/redirectUrl'],
  ...['/contractCode', '/paymentDescription', '/paymentMethods/0', '/paymentMethods/1'],
];
const CARD = ['/card/number', '/card/cvv', '/card/expiryMonth', '/card/expiryYear', '/card/pin'];

interface Initial {
  readonly paymentReference: string;
  readonly amount: number;
  readonly currencyCode: string;
}

/** A stand-in for Monnify: its login, transactions that are opened first, cards, transfers, refunds, and its webhooks. */
export function startMonnify(): Promise<PublicGateway> {
  return startPublicGateway(
    '',
    {
      'POST /api/v1/auth/login': login,
      'POST /api/v1/merchant/transactions/init-transaction': init,
      'POST /api/v1/merchant/cards/charge': charge,
      'POST /api/v1/merchant/cards/otp/authorize': authorize,
      'POST /api/v1/merchant/bank-transfer/init-payment': transfer,
      'GET /api/v2/merchant/transactions/*': query,
      'POST /api/v1/refunds/initiate-refund': refund,
      'GET /api/v1/refunds/*': queryRefund,
    },
    (message) => said({}, { requestSuccessful: false, responseMessage: message, responseCode: '99' }, 400),
    ({ path, headers }) => {
      const basic = Buffer.from(`${testKeys.apiKey}:${testKeys.accessToken}`).toString('base64');
      const wanted = path === '/api/v1/auth/login' ? `Basic ${basic}` : `Bearer ${TOKEN}`;
      return headers['authorization'] === wanted ? undefined : 'the credentials are wrong';
    },
  );
}

/** A webhook's body with its signature. */
export function monnifyWebhook(
  reference: string,
  secret: string,
): { text: string; headers: Record<string, string> } {
  const eventData = {
    paymentReference: reference,
    transactionReference: ofMonnify(reference),
    paymentStatus: 'PAID',
  };
  const text = JSON.stringify({ eventType: 'SUCCESSFUL_TRANSACTION', eventData });
  const signature = createHmac('sha512', secret).update(text).digest('hex');
  return { text, headers: { 'monnify-signature': signature } };
}

/** Monnify's own name for a transaction. */
function ofMonnify(reference: string): string {
  return `MNFY|20|${reference}`;
}

function login() {
  return said({ accessToken: TOKEN, expiresIn: 3_567 });
}

function init({ json }: RecordedRequest, stand: StandIn) {
  const fault = stand.demand(json, INITIAL);
  if (fault !== undefined) return stand.refuse(`the transaction ${fault}`);
  const { paymentReference, amount, currencyCode } = json as Initial;
  if (typeof amount !== 'number') return stand.refuse('the amount is a number');
  if (stand.payments.has(paymentReference)) return stand.refuse('the reference was used before');
  stand.payments.set(paymentReference, {
    ...{ reference: paymentReference, amount, currency: currencyCode, status: 'PENDING' },
    refunds: new Map<string, number>(),
  });
  return said({
    ...{ transactionReference: ofMonnify(paymentReference), paymentReference },
    checkoutUrl: `https://checkout.example/${paymentReference}`,
  });
}

function charge({ json }: RecordedRequest, stand: StandIn) {
  const fault = stand.demand(json, ['/transactionReference', '/collectionChannel', ...CARD]);
  if (fault !== undefined) return stand.refuse(`the charge ${fault}`);
  const { card } = json as { card: { cvv: string; expiryYear: string } };
  const payment = namedIn(json, stand);
  if (!payment) return stand.refuse('the charge names no transaction');
  if (!/^\d{4}$/.test(card.expiryYear)) return stand.refuse('the year of expiry has four digits');
  switch (card.cvv) {
    case CVV.asksOtp:
      return charged(payment, {
        status: 'OTP_AUTHORIZATION_REQUIRED',
        otpData: { id: OTP_ID, message: 'Enter the OTP sent to your phone' },
      });
    case CVV.redirects:
      return charged(payment, {
        status: 'BANK_AUTHORIZATION_REQUIRED',
        message: '3D Secure Authorization required',
        secure3dData: {
          acsUrl: 'https://bank.example/3ds',
          method: 'POST',
          md: '1',
          paReq: 'P',
          termUrl: 'https://t',
        },
      });
    case CVV.declines:
      payment.status = 'FAILED';
      return charged(payment, { status: 'FAILED', message: 'Insufficient funds' });
    case CVV.lost:
      payment.status = 'PAID';
      return { do: 'reset-after-reading' } as const;
    default:
      payment.status = 'PAID';
      return charged(payment, { status: 'SUCCESS', message: 'Transaction Successful' });
  }
}

function authorize({ json }: RecordedRequest, stand: StandIn) {
  const members = ['/transactionReference', '/collectionChannel', '/tokenId', '/token'];
  const fault = stand.demand(json, members);
  if (fault !== undefined) return stand.refuse(`the authorization ${fault}`);
  const payment = namedIn(json, stand);
  const { tokenId, token } = json as { tokenId: string; token: string };
  if (!payment || tokenId !== OTP_ID) return stand.refuse('the authorization names no charge');
  if (token !== '123456')
    return said({}, { requestSuccessful: false, responseMessage: 'Wrong OTP', responseCode: '99' }, 400);
  payment.status = 'PAID';
  return charged(payment, { status: 'SUCCESS', message: 'Transaction Successful' });
}

function transfer({ json }: RecordedRequest, stand: StandIn) {
  const fault = stand.demand(json, ['/transactionReference']);
  if (fault !== undefined) return stand.refuse(`the transfer ${fault}`);
  const payment = namedIn(json, stand);
  if (!payment) return stand.refuse('the transfer names no transaction');
  const { reference: paymentReference, amount } = payment;
  const account = {
    accountNumber: '5000508117',
    accountName: 'Shop',
    bankName: 'Moniepoint Microfinance Bank',
  };
  return said({ ...account, paymentReference, transactionReference: ofMonnify(paymentReference), amount });
}

function query({ path }: RecordedRequest, { payments }: StandIn) {
  const { searchParams } = new URL(path, 'http://gateway');
  const payment = payments.get(searchParams.get('paymentReference') ?? '');
  if (!payment)
    return said({}, { requestSuccessful: false, responseMessage: 'Not found', responseCode: '99' }, 404);
  const { reference: paymentReference, amount, currency, status: paymentStatus } = payment;
  const paid = paymentStatus === 'PAID' ? amount : 0;
  return said({
    ...{ paymentReference, transactionReference: ofMonnify(paymentReference), paymentStatus, currency },
    ...{ amountPaid: paid.toFixed(2), totalPayable: amount.toFixed(2) },
  });
}

function refund({ json }: RecordedRequest, stand: StandIn) {
  const members = [
    '/transactionReference',
    '/refundReference',
    '/refundAmount',
    '/refundReason',
    '/customerNote',
  ];
  const fault = stand.demand(json, members);
  if (fault !== undefined) return stand.refuse(`the refund ${fault}`);
  const { refundReference, refundAmount } = json as { refundReference: string; refundAmount: number };
  const why = giveBack(namedIn(json, stand), refundReference, refundAmount);
  if (why !== undefined) return stand.refuse(why);
  return said({ refundReference, refundAmount, refundStatus: 'PENDING' });
}

function queryRefund({ path }: RecordedRequest, { payments }: StandIn) {
  const refundReference = decodeURIComponent(path.split('/').at(-1) ?? '');
  const payment = [...payments.values()].find(({ refunds }) => refunds?.has(refundReference));
  const refundAmount = payment?.refunds?.get(refundReference);
  return said({ refundReference, refundAmount, refundStatus: 'COMPLETED' });
}

function namedIn(json: unknown, { payments }: StandIn): StandInPayment | undefined {
  const { transactionReference } = json as { transactionReference: string };
  return [...payments.values()].find(({ reference }) => ofMonnify(reference) === transactionReference);
}

function charged({ reference: paymentReference, amount }: StandInPayment, more: object) {
  const named = {
    transactionReference: ofMonnify(paymentReference),
    paymentReference,
    authorizedAmount: amount,
  };
  return said({ ...named, ...more });
}

function said(responseBody: object, over: object = {}, status = 200) {
  const outer = { requestSuccessful: true, responseMessage: 'success', responseCode: '0' };
  return answer({ ...outer, ...over, responseBody }, status);
}
