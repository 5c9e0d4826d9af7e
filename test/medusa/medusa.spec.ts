import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Sandbox } from '../../sandbox/server.ts';
import { expectStatus, TillfrontClient, type PaymentBody } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { createTestStore, type TestStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { freePort } from '../setup/free-port.js';

/** The payment provider of `examples/medusa` in a real Medusa server on PostgreSQL, paid at through the sandbox. */

const FOLDER = resolve('examples/medusa');
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const PROVIDER = 'pp_tillfront_tillfront';
const APPROVED = '4111111111111111';
const DECLINED = '4000000000000200';
const HELD = '4000000000000903';

/** What the payer types in: Medusa knows only an e-mail address of a guest. */
const PAYER = {
  payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
  billing: {
    street: '1 Marina',
    city: 'Lagos',
    stateProvince: 'Lagos',
    postCode: '101001',
    country: 'NGA',
  },
};

interface Seeded {
  publishableKey: string;
  regionId: string;
  variantId: string;
}

interface Kept {
  reference: string;
  sessionId: string;
  clientToken: string;
  checkoutUrl: string;
  amount: string;
}

interface Json {
  [name: string]: Json & string;
}

let database: TestStore;
let sandbox: Sandbox;
let tillfront: Tillfront;
let client: TillfrontClient;
let server: ChildProcess;
let medusa: string;
let seeded: Seeded;
let output = '';
let admin = '';

function medusaCommand(env: NodeJS.ProcessEnv, ...words: string[]): ChildProcess {
  const child = spawn(process.execPath, [resolve(FOLDER, 'node_modules/.bin/medusa'), ...words], {
    cwd: FOLDER,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return child;
}

async function finished(child: ChildProcess): Promise<void> {
  const code = await new Promise((done) => child.once('close', done));
  if (code !== 0) throw new Error(`Medusa ended with ${String(code)}:\n${output}`);
}

beforeAll(async () => {
  if (!existsSync(resolve(FOLDER, 'node_modules')))
    throw new Error('The packages are missing: run this by "npm run examples:medusa".');
  [database, sandbox] = await Promise.all([createTestStore('postgres'), startTestSandbox()]);
  const port = await freePort();
  medusa = `http://127.0.0.1:${port}`;
  tillfront = await startTillfront({
    store: 'embedded',
    gatewayUrl: sandbox.url,
    env: {
      ALLOWED_ORIGINS: medusa,
      MERCHANT_WEBHOOK_URL: `${medusa}/hooks/payment/tillfront_tillfront`,
      MERCHANT_WEBHOOK_SECRET: SECRET,
    },
  });
  client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    PORT: String(port),
    DATABASE_URL: database.databaseUrl,
    MEDUSA_DISABLE_TELEMETRY: 'true',
    JWT_SECRET: randomBytes(32).toString('hex'),
    COOKIE_SECRET: randomBytes(32).toString('hex'),
    MEDUSA_URL: medusa,
    STOREFRONT_URL: 'https://storefront.example',
    TILLFRONT_URL: tillfront.url,
    TILLFRONT_MERCHANT_KEY: tillfront.merchantKey,
    TILLFRONT_WEBHOOK_SECRET: SECRET,
    WEBHOOK_DELAY_MS: '200',
  };
  await finished(medusaCommand(env, 'db:migrate'));
  await finished(medusaCommand(env, 'exec', './src/scripts/seed.ts'));
  seeded = JSON.parse(/^SEEDED (.*)$/m.exec(output)?.[1] ?? '{}') as Seeded;
  await finished(medusaCommand(env, 'user', '-e', 'ops@example.com', '-p', 'a-password-of-the-test'));
  server = medusaCommand(env, 'start');
  await until(
    () =>
      fetch(`${medusa}/health`).then(
        ({ ok }) => ok,
        () => server.exitCode !== null,
      ),
    120_000,
  );
  const login = { email: 'ops@example.com', password: 'a-password-of-the-test' };
  admin = (await call('POST', '/auth/user/emailpass', login)).token ?? '';
}, 400_000);

afterAll(async () => {
  server?.kill('SIGTERM');
  await tillfront?.stop();
  await sandbox?.close();
  if (server && server.exitCode === null) await new Promise((done) => server.once('close', done));
  await database?.dispose();
}, 60_000);

async function call(method: string, path: string, body?: object, status = 200): Promise<Json> {
  const answer = await fetch(medusa + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-publishable-api-key': seeded.publishableKey,
      ...(admin !== '' && { authorization: `Bearer ${admin}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json = (await answer.json()) as Json;
  expect({ path, status: answer.status, json: answer.status === status ? {} : json }).toEqual({
    path,
    status,
    json: {},
  });
  return json;
}

interface Cart {
  id: string;
  collection: string;
  session: string;
  kept: Kept;
}

/** Fills a cart and goes to pay, as a storefront does. */
async function cartToPay(quantity = 1): Promise<Cart> {
  const items = [{ variant_id: seeded.variantId, quantity }];
  const { cart } = await call('POST', '/store/carts', {
    region_id: seeded.regionId,
    email: 'ada@example.com',
    items,
  });
  const made = await call('POST', '/store/payment-collections', { cart_id: cart?.id });
  return toPay(cart?.id ?? '', made['payment_collection']?.id ?? '');
}

async function toPay(id: string, collection: string): Promise<Cart> {
  const path = `/store/payment-collections/${collection}/payment-sessions`;
  const begun = await call('POST', path, { provider_id: PROVIDER });
  const sessions = begun['payment_collection']?.['payment_sessions'] as unknown as {
    id: string;
    data: Kept;
  }[];
  const [session] = sessions;
  if (!session) throw new Error('no payment session');
  return { id, collection, session: session.id, kept: session.data };
}

async function pay({ kept }: Cart, number: string): Promise<PaymentBody> {
  const answered = await client.payCard(kept, { ...PAYER, card: { number, cvv: '111', pin: undefined } });
  return expectStatus(answered, 201, 202).body;
}

interface Order {
  id: string;
  total: number;
  payment_status: string;
  payment_collections: { payments: { id: string; captured_at: string | null }[] }[];
}

async function orders(): Promise<Order[]> {
  const fields = 'id,total,payment_status,*payment_collections.payments';
  const answer = await call('GET', `/admin/orders?limit=100&order=-created_at&fields=${fields}`);
  return answer['orders'] as unknown as Order[];
}

/** The order that comes to be when `act` is done. */
async function newOrder(act: () => Promise<unknown>): Promise<Order> {
  const before = new Set((await orders()).map(({ id }) => id));
  await act();
  let found: Order | undefined;
  await until(async () => {
    // Medusa creates the order first, and enters its payment a moment later.
    found = (await orders()).find(
      ({ id, payment_status }) => !before.has(id) && payment_status !== 'not_paid',
    );
    return found !== undefined;
  }, 30_000);
  if (!found) throw new Error('no order');
  return found;
}

test('an event completes the cart, once, and the order is paid', async () => {
  const cart = await cartToPay(2);
  expect(cart.kept).toMatchObject({ amount: '3000.00', reference: cart.session.replaceAll('_', '-') });
  const order = await newOrder(() => pay(cart, APPROVED));
  expect(order).toMatchObject({ total: 3000, payment_status: 'captured' });
  const { data } = (await (
    await fetch(`${tillfront.url}/v1/events?limit=100`, {
      headers: { authorization: `Bearer ${tillfront.merchantKey}` },
    })
  ).json()) as { data: { id: string; type: string; data: { reference: string } }[] };
  const event = data.find(
    ({ type, data: { reference } }) => type === 'payment.succeeded' && reference === cart.kept.reference,
  );
  const count = (await orders()).length;
  await fetch(`${tillfront.url}/v1/events/${event?.id}/redeliver`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tillfront.merchantKey}`, 'content-type': 'application/json' },
    body: '{}',
  });
  // What comes after the repeated event shows that it did nothing.
  await newOrder(async () => pay(await cartToPay(), APPROVED));
  expect((await orders()).length).toBe(count + 1);
});

test('a payer who comes back finds the order, even if no event came', async () => {
  const cart = await cartToPay();
  await pay(cart, APPROVED);
  const back = await fetch(`${medusa}/tillfront/return?payment_session=${cart.session}&status=failed`, {
    redirect: 'manual',
  });
  expect([back.status, back.headers.get('location')]).toEqual([
    303,
    `https://storefront.example/checkout/return?payment_session=${cart.session}&state=paid`,
  ]);
  expect((await orders()).some(({ payment_status }) => payment_status === 'captured')).toBe(true);
});

test('neither a payer’s word nor a declined card makes an order', async () => {
  const cart = await cartToPay();
  expect((await pay(cart, DECLINED)).status).toBe('failed');
  const count = (await orders()).length;
  const back = await fetch(`${medusa}/tillfront/return?payment_session=${cart.session}&status=succeeded`, {
    redirect: 'manual',
  });
  expect(back.headers.get('location')).toMatch(/&state=waiting$/);
  await call('POST', `/store/carts/${cart.id}/complete`, {}).catch(() => undefined);
  expect((await orders()).length).toBe(count);
  // The same session is paid by another card.
  await newOrder(() => pay(cart, APPROVED));
});

test('a forged event makes no order', async () => {
  const cart = await cartToPay();
  const count = (await orders()).length;
  const { reference, amount } = cart.kept;
  const body = {
    type: 'payment.succeeded',
    data: { metadata: { medusaSession: cart.session }, reference, amount, currency: 'NGN' },
  };
  await fetch(`${medusa}/hooks/payment/tillfront_tillfront`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await newOrder(async () => pay(await cartToPay(), APPROVED));
  expect((await orders()).length).toBe(count + 1);
});

test('a changed cart has another price, and the former session takes no money', async () => {
  const cart = await cartToPay();
  await call('POST', `/store/carts/${cart.id}/line-items`, { variant_id: seeded.variantId, quantity: 2 });
  const changed = await toPay(cart.id, cart.collection);
  expect(changed.kept.amount).toBe('4500.00');
  expect(changed.kept.sessionId).not.toBe(cart.kept.sessionId);
  const late = await client.payCard(cart.kept, {
    ...PAYER,
    card: { number: APPROVED, cvv: '111', pin: undefined },
  });
  expect(late.status).toBe(409);
  expect((await newOrder(() => pay(changed, APPROVED))).total).toBe(4500);
});

test('a held payment is an order that is captured later', async () => {
  const cart = await cartToPay();
  const order = await newOrder(async () => expect((await pay(cart, HELD)).status).toBe('authorized'));
  expect(order.payment_status).toBe('authorized');
  const id = order.payment_collections[0]?.payments[0]?.id ?? '';
  await call('POST', `/admin/payments/${id}/capture`, {});
  const data = await client.paymentsOf(cart.kept.reference);
  expect(data.map(({ status }) => status)).toEqual(['succeeded']);
});

test('the whole of a payment is given back', async () => {
  const cart = await cartToPay();
  const order = await newOrder(() => pay(cart, APPROVED));
  const id = order.payment_collections[0]?.payments[0]?.id ?? '';
  await call('POST', `/admin/payments/${id}/refund`, { amount: 1500 });
  const [payment] = await client.paymentsOf(cart.kept.reference);
  expect(payment?.status === 'voided' || payment?.amountRefunded === '1500.00').toBe(true);
});
