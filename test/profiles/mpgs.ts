import type { RecordedRequest } from '../harness/request-reader.js';
import { testKeys } from '../harness/tillfront.js';
import {
  answer,
  CVV,
  giveBack,
  returned,
  startPublicGateway,
  type PublicGateway,
  type StandIn,
} from './public-gateway.js';

interface Transaction {
  readonly apiOperation: string;
  readonly order: { readonly amount: number; readonly currency: string };
  readonly transaction: { readonly amount: number; readonly targetTransactionId?: string };
  readonly sourceOfFunds: { readonly provided: { readonly card: { readonly securityCode: string } } };
}

const PAY = [
  ...['/apiOperation', '/order/amount', '/order/currency', '/order/reference', '/transaction/reference'],
  ...['/sourceOfFunds/type', '/device/browser'],
  ...['number', 'securityCode', 'nameOnCard', 'expiry/month', 'expiry/year'].map(
    (name) => `/sourceOfFunds/provided/card/${name}`,
  ),
  ...['email', 'phone', 'firstName', 'lastName'].map((name) => `/customer/${name}`),
  ...['street', 'city', 'stateProvince', 'postcodeZip', 'country'].map((name) => `/billing/address/${name}`),
];

/** A stand-in for Mastercard's gateway, of one merchant. */
export function startMpgs(): Promise<PublicGateway> {
  return startPublicGateway(
    '/api/rest/version/100/merchant/TESTSHOP',
    { 'PUT /order/*': transact, 'GET /order/*': retrieve },
    (explanation) => answer({ error: { cause: 'INVALID_REQUEST', explanation }, result: 'ERROR' }, 400),
    ({ headers }) => {
      const basic = Buffer.from(`${testKeys.apiKey}:${testKeys.accessToken}`).toString('base64');
      return headers['authorization'] === `Basic ${basic}` ? undefined : 'the credentials are wrong';
    },
  );
}

function transact({ path, json, text }: RecordedRequest, stand: StandIn) {
  const [, order = '', id = ''] = /\/order\/([^/]+)\/transaction\/([^/]+)$/.exec(path) ?? [];
  if (!/^[A-Za-z0-9-]{1,40}$/.test(order) || id === '') return stand.refuse(`the path is ${path}`);
  const body = json as Transaction;
  const payment = stand.payments.get(order);
  switch (body.apiOperation) {
    case 'PAY':
    case 'AUTHORIZE': {
      const fault = stand.demand(body, PAY);
      if (fault !== undefined) return stand.refuse(`${body.apiOperation} ${fault}`);
      if (!/"amount":\d+\.\d{2}[,}]/.test(text)) return stand.refuse('the amount is a decimal number');
      return begin(body, order, id, stand);
    }
    case 'CAPTURE':
      if (payment?.status !== 'AUTHORIZED') return stand.refuse('nothing is held');
      payment.status = body.transaction.amount < payment.amount ? 'PARTIALLY_CAPTURED' : 'CAPTURED';
      return said(payment, { id, type: 'CAPTURE', amount: body.transaction.amount });
    case 'VOID':
      if (!payment || body.transaction.targetTransactionId !== '1') return stand.refuse('VOID has no target');
      payment.status = 'CANCELLED';
      return said(payment, { id, type: 'VOID_PAYMENT', amount: payment.amount });
    case 'REFUND': {
      const fault = stand.demand(body, ['/apiOperation', '/transaction/amount', '/transaction/currency']);
      if (fault !== undefined) return stand.refuse(`REFUND ${fault}`);
      const { amount } = body.transaction;
      const why = giveBack(payment, id, amount);
      if (why !== undefined || !payment) return stand.refuse(`REFUND: ${why}`);
      payment.status = returned(payment) < payment.amount ? 'PARTIALLY_REFUNDED' : 'REFUNDED';
      return said(payment, { id, type: 'REFUND', amount });
    }
    default:
      return stand.refuse(`there is no operation ${body.apiOperation}`);
  }
}

function begin(body: Transaction, reference: string, id: string, stand: StandIn) {
  const { amount, currency } = body.order;
  const isPay = body.apiOperation === 'PAY';
  const payment = {
    reference,
    amount,
    currency,
    status: isPay ? 'CAPTURED' : 'AUTHORIZED',
    refunds: new Map<string, number>(),
  };
  stand.payments.set(reference, payment);
  const transaction = { id, type: isPay ? 'PAYMENT' : 'AUTHORIZATION', amount };
  const { securityCode } = body.sourceOfFunds.provided.card;
  if (securityCode === CVV.lost) return { do: 'reset-after-reading' } as const;
  if (securityCode !== CVV.declines) return said(payment, transaction);
  payment.status = 'FAILED';
  return said(payment, transaction, 'FAILURE', 'DECLINED');
}

function retrieve({ path }: RecordedRequest, { payments }: StandIn) {
  const [, order = '', , refund] = /\/order\/([^/]+)(\/transaction\/([^/]+))?$/.exec(path) ?? [];
  const payment = payments.get(decodeURIComponent(order));
  const given = refund === undefined ? undefined : payment?.refunds?.get(refund);
  if (payment && refund !== undefined && given !== undefined)
    return said(payment, { id: refund, type: 'REFUND', amount: given });
  if (!payment || refund !== undefined)
    return answer({ error: { cause: 'INVALID_REQUEST' }, result: 'ERROR' }, 400);
  const { reference: id, amount, currency, status } = payment;
  return answer({
    id,
    amount,
    currency,
    status,
    merchant: 'TESTSHOP',
    result: 'SUCCESS',
    totalRefundedAmount: returned(payment),
  });
}

function said(
  {
    reference: id,
    amount,
    currency,
    status,
  }: { reference: string; amount: number; currency: string; status: string },
  transaction: { id: string; type: string; amount: number },
  result = 'SUCCESS',
  gatewayCode = 'APPROVED',
) {
  const order = { id, amount, currency, status };
  return answer(
    {
      merchant: 'TESTSHOP',
      result,
      order,
      transaction: { ...transaction, currency },
      response: { gatewayCode },
    },
    201,
  );
}
