import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Gateway, type PaymentFacts } from '../../src/gateway/gateway.js';
import { loadProfile } from '../../src/gateway/profile/load.js';
import { Secret } from '../../src/secrets/secret.js';

/** A trial: a profile written from the page alone, against a stub that takes only what the gateway documents. */
const CHARGE = [
  ...['entityId', 'amount', 'currency', 'paymentType', 'merchantTransactionId', 'shopperResultUrl'],
  ...['number', 'holder', 'expiryMonth', 'expiryYear', 'cvv'].map((name) => `card.${name}`),
  ...['email', 'givenName', 'surname', 'ip'].map((name) => `customer.${name}`),
  ...['street1', 'city', 'country'].map((name) => `billing.${name}`),
].sort();
const REFUND = ['amount', 'currency', 'entityId', 'merchantTransactionId', 'paymentType'];
/** What a security code makes of a charge, with the HTTP status of the answer. */
const RESULTS: Record<string, [code: string, status: number]> = {
  '111': ['000.100.110', 200],
  '222': ['800.100.155', 400],
  '333': ['000.200.000', 200],
};

let server: Server;
let gateway: Gateway;
const mistakes: string[] = [];
const payments: Record<string, unknown>[] = [];

function charge(form: URLSearchParams): [status: number, body: object] {
  const names = [...form.keys()].sort();
  if (names.join() !== CHARGE.join()) mistakes.push(`a charge has ${names.join()}`);
  const isRight =
    /^\d+\.\d{2}$/.test(form.get('amount') ?? '') &&
    form.get('billing.country') === 'NG' &&
    form.get('entityId') === 'entity';
  if (!isRight) mistakes.push(`a charge is ${form.toString()}`);
  const [code, status] = RESULTS[form.get('card.cvv') ?? ''] ?? ['200.300.404', 400];
  const payment = {
    id: `8ac7-${payments.length}`,
    merchantTransactionId: form.get('merchantTransactionId'),
    amount: form.get('amount'),
    currency: form.get('currency'),
    result: { code, description: `the result is ${code}` },
    ...(code === '000.200.000' && { redirect: { url: 'https://acs.example/3ds', method: 'GET' } }),
  };
  payments.push(payment);
  return [status, payment];
}

function answerTo(method: string, url: URL, form: URLSearchParams): [status: number, body: object] {
  if (method === 'POST' && url.pathname === '/v1/payments') return charge(form);
  if (method === 'POST') {
    const paid = payments.find(({ id }) => url.pathname === `/v1/payments/${String(id)}`);
    const isRight =
      [...form.keys()].sort().join() === REFUND.join() && form.get('paymentType') === 'RF' && paid;
    if (!isRight) mistakes.push(`a refund is ${url.pathname} ${form.toString()}`);
    return [200, { id: 'R1', amount: form.get('amount'), currency: 'NGN', result: { code: '000.100.110' } }];
  }
  const query = url.searchParams;
  if (url.pathname !== '/v1/query' || query.get('entityId') !== 'entity')
    mistakes.push(`a query is ${url.href}`);
  const found = payments.filter((one) => one['merchantTransactionId'] === query.get('merchantTransactionId'));
  if (found.length === 0)
    return [404, { result: { code: '700.400.580', description: 'cannot find transaction' } }];
  return [200, { result: { code: '000.000.100', description: 'successful request' }, payments: found }];
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const isKnown = request.headers.authorization === 'Bearer token';
      const [status, body] = isKnown
        ? answerTo(request.method ?? '', new URL(request.url ?? '', 'http://gw'), form)
        : [401, { result: { code: '800.900.300', description: 'invalid authentication information' } }];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  gateway = new Gateway(loadProfile('test/profiles/others/peach.json'), {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: new Secret('entity'),
    accessToken: new Secret('token'),
    timeoutMs: 20_000,
    mode: 'test',
    notifyUrl: 'https://shop.example/n',
    notificationSecrets: [],
  });
});
afterAll(async () => {
  await gateway.close();
  server.close();
  expect(mistakes).toEqual([]);
});

const factsOf = (n: number, cvv: string): PaymentFacts => ({
  clientRef: gateway.clientRef('ORDER', n),
  amount: 150000n,
  currency: 'NGN',
  returnUrl: 'https://shop.example/back',
  payerIp: '203.0.113.7',
  payer: { email: 'ada@example.com', firstName: 'Ada' },
  billing: { street: '1 Marina', city: 'Lagos', country: 'NGA' },
  card: {
    number: new Secret('4111111111111111'),
    expiryMonth: '12',
    expiryYear: '2031',
    cvv: new Secret(cvv),
    nameOnCard: new Secret('Ada Obi'),
  },
});

test('pays, declines, redirects, asks, refunds', async () => {
  const call = async (...args: Parameters<Gateway['call']>) => (await gateway.call(...args)).fact;
  expect(await call('payCard', factsOf(1, '111'))).toEqual({
    is: 'paid',
    transactionRef: '8ac7-0',
    amount: 150000n,
  });
  expect(await call('payCard', factsOf(2, '222'))).toMatchObject({
    is: 'refused',
    failure: { reason: 'insufficientFunds', gatewayCode: '800.100.155' },
    cardTried: true,
  });
  expect(await call('payCard', factsOf(3, '333'))).toMatchObject({
    is: 'waiting',
    action: { type: 'redirect', url: 'https://acs.example/3ds', method: 'GET' },
  });
  expect(await call('transactionStatus', factsOf(1, ''))).toMatchObject({
    is: 'paid',
    transactionRef: '8ac7-0',
  });
  expect(await call('transactionStatus', factsOf(2, ''))).toMatchObject({ is: 'failed' });
  expect(await call('transactionStatus', factsOf(9, ''))).toEqual({ is: 'denied' });
  const refund = { ...factsOf(1, ''), transactionRef: '8ac7-0', refundRef: 'R-1', amount: 50000n };
  expect(await call('refund', refund)).toMatchObject({ is: 'refundDone', amount: 50000n });
});
