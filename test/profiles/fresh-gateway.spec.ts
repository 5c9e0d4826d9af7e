import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Gateway, type PaymentFacts } from '../../src/gateway/gateway.js';
import { loadProfile } from '../../src/gateway/profile/load.js';
import { Secret } from '../../src/secrets/secret.js';

/** A profile written from the page alone, against a stub that checks the signature and each member as the gateway documents it. */
const MEMBERS = [
  ...['amount', 'currency', 'country', 'payment_method_id', 'payment_method_flow'],
  ...['payer', 'card', 'order_id', 'notification_url', 'callback_url'],
];
interface Charge {
  readonly id: string;
  readonly order_id: string;
  readonly amount: number;
  readonly currency: string;
  status: string;
}

let server: Server;
let gateway: Gateway;
const mistakes: string[] = [];
const charges = new Map<string, Charge>();

function charge(body: Record<string, unknown>): object {
  const strange = Object.keys(body).filter((name) => !MEMBERS.includes(name));
  const missing = MEMBERS.filter((name) => !(name in body));
  if (strange.length + missing.length > 0)
    mistakes.push(`strange ${strange.join()}, missing ${missing.join()}`);
  const { order_id, amount, currency, card } = body as unknown as Charge & { card: { cvv: string } };
  if (typeof amount !== 'number' || body['country'] !== 'NG')
    mistakes.push('amount is a number, country has two letters');
  const status = { '111': 'PAID', '222': 'REJECTED', '333': 'PENDING' }[card.cvv] ?? 'PAID';
  const made = { id: `D-4-${charges.size}`, order_id, amount, currency, status };
  charges.set(order_id, made);
  if (status === 'REJECTED') return { ...made, status_code: '302', status_detail: 'Insufficient amount.' };
  return {
    ...made,
    status_code: '200',
    ...(status === 'PENDING' && { three_dsecure: { redirect_url: 'https://acs.example/1' } }),
  };
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const date = String(request.headers['x-date']);
      const signature = createHmac('sha256', 'secret').update(`login${date}${text}`).digest('hex');
      const isSigned =
        request.headers.authorization === `V2-HMAC-SHA256, Signature: ${signature}` &&
        request.headers['x-version'] === '2.1';
      const answer = (body: object, status = 200): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (!isSigned) return answer({ code: 3001, message: 'Invalid credentials' }, 401);
      if (request.url === '/secure_payments')
        return answer(charge(JSON.parse(text) as Record<string, unknown>));
      if (request.url === '/refunds') {
        const { payment_id, amount } = JSON.parse(text) as { payment_id: string; amount: number };
        return answer({ id: 'REF-1', payment_id, amount, currency: 'NGN', status: 'SUCCESS' });
      }
      const found = charges.get(request.url?.replace('/orders/', '') ?? '');
      return found ? answer(found) : answer({ code: 4000, message: 'Payment not found' }, 404);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  gateway = new Gateway(loadProfile('test/profiles/others/dlocal.json'), {
    ...{
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      apiKey: new Secret('login'),
      accessToken: new Secret('secret'),
    },
    ...{ timeoutMs: 20_000, mode: 'test', notifyUrl: 'https://shop.example/n', notificationSecrets: [] },
  });
});
afterAll(async () => {
  await gateway.close();
  server.close();
  expect(mistakes).toEqual([]);
});

const factsOf = (n: number, cvv: string): PaymentFacts => ({
  ...{
    clientRef: gateway.clientRef('ORDER', n),
    amount: 150000n,
    currency: 'NGN',
    returnUrl: 'https://shop.example/back',
    payerIp: '203.0.113.7',
  },
  payer: { email: 'ada@example.com', firstName: 'Ada' },
  billing: { country: 'NGA' },
  card: {
    number: new Secret('4111111111111111'),
    expiryMonth: '12',
    expiryYear: '2031',
    cvv: new Secret(cvv),
    nameOnCard: new Secret('Ada Obi'),
  },
});

test('asks payers for what its request has', () => {
  const { payer, billing, card } = gateway.methodFields('card');
  expect({ payer, billing, card }).toEqual({
    payer: ['email', 'firstName'],
    billing: ['country'],
    card: ['number', 'cvv', 'expiryMonth', 'expiryYear', 'nameOnCard'],
  });
});

test('pays, declines, redirects, asks, refunds', async () => {
  const { fact: paid } = await gateway.call('payCard', factsOf(1, '111'));
  expect(paid).toEqual({ is: 'paid', transactionRef: 'D-4-0', amount: 150000n });
  expect((await gateway.call('payCard', factsOf(2, '222'))).fact).toMatchObject({
    is: 'failed',
    failure: { reason: 'insufficientFunds', gatewayCode: '302' },
  });
  expect((await gateway.call('payCard', factsOf(3, '333'))).fact).toMatchObject({
    is: 'waiting',
    action: { type: 'redirect' },
  });
  expect((await gateway.call('transactionStatus', factsOf(1, '111'))).fact).toMatchObject({ is: 'paid' });
  expect((await gateway.call('transactionStatus', factsOf(9, '111'))).fact).toEqual({ is: 'denied' });
  const refund = { ...factsOf(1, '111'), transactionRef: 'D-4-0', refundRef: 'R-1', amount: 50000n };
  expect((await gateway.call('refund', refund)).fact).toMatchObject({ is: 'refundDone', amount: 50000n });
});
