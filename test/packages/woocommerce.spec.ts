import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import countries from 'i18n-iso-countries';
import type { Sandbox } from '../../sandbox/server.ts';
import { signatureHeaders } from '../../src/webhooks/sender.js';
import { expectStatus, TillfrontClient, type PaymentBody } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { freePort } from '../setup/free-port.js';
import { needProgram } from '../setup/program.js';
import { startLosingProxy, type LosingProxy } from './losing-proxy.js';

/** packages/tillfront-woocommerce as it is packed, in a stand-in for WordPress, against the running service. */

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Order {
  status: string;
  transaction_id: string;
  /** How often the shop was told that it is paid. */
  completed: number;
  notes: string[];
}

interface Started {
  result: string;
  redirect?: string;
  notices: string[];
}

interface BlockMethod {
  name: string;
  active: boolean;
  data: object;
  scripts: { url: string; needed: string[] }[];
}

let folder: string;
let sandbox: Sandbox;
let tillfront: Tillfront;
let proxy: LosingProxy;
let payer: TillfrontClient;
let shop: Shop;
let orders = 0;

interface Shop {
  url: string;
  child: ChildProcess;
}

async function startShop(port: number, env: Record<string, string> = {}): Promise<Shop> {
  const url = `http://localhost:${port}`;
  const child = spawn('php', ['-S', `localhost:${port}`, resolve('test/packages/wordpress.php')], {
    stdio: 'ignore',
    env: {
      ...{ PATH: process.env['PATH'], PLUGIN: join(folder, 'plugin'), ORDERS_FOLDER: join(folder, 'orders') },
      ...{ SHOP_URL: url, TILLFRONT_URL: proxy.url, MERCHANT_API_KEY: tillfront.merchantKey },
      ...{ MERCHANT_WEBHOOK_SECRET: SECRET, ...env },
    },
  });
  await until(() =>
    fetch(`${url}/stub/available`).then(
      () => true,
      () => false,
    ),
  );
  return { url, child };
}

beforeAll(async () => {
  needProgram('php');
  folder = await mkdtemp(join(tmpdir(), 'tillfront-test-woocommerce-'));
  await cp('packages/tillfront-woocommerce', join(folder, 'plugin'), { recursive: true });
  await cp('packages/tillfront-php/tillfront.php', join(folder, 'plugin/tillfront.php'));
  await mkdir(join(folder, 'orders'));
  const port = await freePort();
  sandbox = await startTestSandbox();
  tillfront = await startTillfront({
    store: 'embedded',
    gatewayUrl: sandbox.url,
    env: {
      GATEWAY_PROFILE: resolve('sandbox/refunds.profile.json'),
      ALLOWED_ORIGINS: `http://localhost:${port}`,
      MERCHANT_WEBHOOK_URL: `http://localhost:${port}/?wc-api=tillfront`,
      MERCHANT_WEBHOOK_SECRET: SECRET,
    },
  });
  proxy = await startLosingProxy(tillfront.url);
  payer = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  shop = await startShop(port, { TILLFRONT_LIVE: 'false' });
});
afterAll(async () => {
  shop?.child.kill();
  await proxy?.close();
  await tillfront?.stop();
  await sandbox?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

async function ask<T>(act: string, id: number, body?: object): Promise<T> {
  const answer = await fetch(`${shop.url}/stub/${act}/${id}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return (await answer.json()) as T;
}

/** What a customer has filled in at the shop's checkout. */
const CUSTOMER = {
  ...{ billing_email: 'ada@example.com', billing_phone: '+234 801 234 5678' },
  ...{ billing_first_name: 'Ada', billing_last_name: 'Obi', billing_address_1: '1 Marina' },
  ...{ billing_city: 'Lagos', billing_state: 'LA', billing_postcode: '101001', billing_country: 'NG' },
};

async function place(more: object = {}): Promise<number> {
  orders += 1;
  await ask('order', orders, { total: '1500.00', currency: 'NGN', ...CUSTOMER, ...more });
  return orders;
}

const orderOf = (id: number): Promise<Order> => ask('show', id);

async function clientToken(id: number): Promise<string> {
  const { redirect = '' } = await ask<Started>('pay', id);
  return new URL(redirect).hash.slice(1);
}

/** The payer pays on the hosted page, and has to type nothing that the shop knows. */
async function pay(id: number): Promise<PaymentBody> {
  const token = await clientToken(id);
  return expectStatus(await payer.payCard({ clientToken: token }), 201).body;
}

async function paidOrder(): Promise<{ id: number; payment: PaymentBody }> {
  const id = await place();
  const payment = await pay(id);
  await until(async () => (await orderOf(id)).status === 'processing');
  return { id, payment };
}

const post = (url: string, event: { id: string }, secret = SECRET): Promise<number> => {
  const body = JSON.stringify(event);
  const headers = { ...signatureHeaders({ id: event.id, body }, Date.now(), [secret]) };
  return fetch(`${url}/?wc-api=tillfront`, { method: 'POST', headers, body }).then(({ status }) => status);
};

const succeeded = (data: PaymentBody, sequence = 9) => ({
  ...{ id: `evt_${data.id}_${sequence}`, type: 'payment.succeeded', sequence, data },
});

test('is offered, and sends the payer to the page of a session that the server made', async () => {
  expect(await ask('available', 0)).toEqual({
    ...{ available: true, title: 'Card, wallet, bank transfer or USSD' },
  });
  const id = await place();
  const { result, redirect = '' } = await ask<Started>('pay', id);
  expect([result, redirect]).toEqual(['success', expect.stringContaining('/checkout#cst_')]);
  const session = await payer.get(`/v1/checkout-sessions?reference=WC-${id}`);
  expect(session.body).toMatchObject({
    data: [
      {
        ...{ amount: '1500.00', currency: 'NGN', status: 'open' },
        returnUrl: `${shop.url}/checkout/order-received/${id}/`,
        payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
      },
    ],
  });
  expect((await ask<Started>('pay', id)).redirect).toBe(redirect);
  expect((await orderOf(id)).status).toBe('pending');
});

test('an order is paid by the signed event, once', async () => {
  const { id, payment } = await paidOrder();
  expect(await orderOf(id)).toMatchObject({ transaction_id: payment.id, completed: 1 });
  expect(await post(shop.url, succeeded(payment))).toBe(204);
  expect((await orderOf(id)).completed).toBe(1);
  // The payer who comes back to pay once more is shown the order.
  expect((await ask<Started>('pay', id)).redirect).toBe(`${shop.url}/checkout/order-received/${id}/`);
});

test('nothing but a genuine event about a payment that is paid makes it paid', async () => {
  const id = await place();
  const token = await clientToken(id);
  const { body: declined } = await payer.payCard(
    { clientToken: token },
    { card: { number: '4000000000000309' } },
  );
  const claim = succeeded({ ...declined, status: 'succeeded' });
  expect(await post(shop.url, claim, `whsec_${Buffer.alloc(32, 9).toString('base64')}`)).toBe(400);
  expect(
    (await fetch(`${shop.url}/?wc-api=tillfront`, { method: 'POST', body: JSON.stringify(claim) })).status,
  ).toBe(400);
  // Even one with the right signature: what holds now is asked.
  expect(await post(shop.url, claim)).toBe(204);
  expect(
    await post(shop.url, { ...claim, id: 'evt_test_1', type: 'tillfront.test', data: {} } as never),
  ).toBe(204);
  expect(await orderOf(id)).toMatchObject({ status: 'pending', completed: 0 });
});

test('an order whose total has changed gets another session, and the old sum does not pay it', async () => {
  const id = await place();
  const before = await clientToken(id);
  await ask('order', id, { total: '2000.00', currency: 'NGN', ...CUSTOMER });
  const after = await clientToken(id);
  expect(after).not.toBe(before);
  const { body } = await payer.payCard({ clientToken: before });
  expect(body).toMatchObject({ code: 'session-closed' });
  const { body: payment } = expectStatus(await payer.payCard({ clientToken: after }), 201);
  await until(async () => (await orderOf(id)).status === 'processing');
  expect(payment.amount).toBe('2000.00');

  const other = await place();
  const token = await clientToken(other);
  await ask('order', other, { total: '9000.00', currency: 'NGN', ...CUSTOMER });
  expectStatus(await payer.payCard({ clientToken: token }), 201);
  await until(async () => (await orderOf(other)).notes.length > 0);
  expect(await orderOf(other)).toMatchObject({ status: 'pending', completed: 0 });
});

test('a phone number that cannot be read is left to the payer', async () => {
  const id = await place({ billing_phone: 'call me' });
  expect((await ask<Started>('pay', id)).result).toBe('success');
});

test('money goes back once, whatever answers are lost', async () => {
  const { id, payment } = await paidOrder();
  const before = proxy.calls.length;
  // as often as the client repeats a call
  proxy.spoil('lose-answer', 'lose-answer', 'lose-answer');
  const refund = (amount: string) => ask<{ said: unknown }>('refund', id, { amount, reason: 'Damaged.' });
  expect((await refund('500')).said).toMatchObject({
    message: expect.stringContaining('Ask for the same refund again'),
  });
  expect((await refund('600')).said).toMatchObject({ message: expect.stringContaining('refund of 500.00') });
  expect((await refund('500')).said).toBe(true);
  const keys = proxy.calls.slice(before).filter(({ key }) => key !== undefined);
  expect(new Set(keys.map(({ key }) => key)).size).toBe(1);
  expect((await payer.getPayment(payment.id)).amountRefunded).toBe('500.00');
  expect((await refund('500')).said).toBe(true);
  expect((await refund('501')).said).toMatchObject({ message: 'Nothing was given back (invalid-state).' });
  expect((await refund('500')).said).toBe(true);
  expect((await payer.getPayment(payment.id)).amountRefunded).toBe('1500.00');
  await until(async () => (await orderOf(id)).notes.some((note) => note.includes('1500.00 NGN')));
  // An event of before is no payment any more.
  expect(await post(shop.url, succeeded(payment, 99))).toBe(204);
  expect((await orderOf(id)).completed).toBe(1);
});

test('a voided payment puts the order on hold', async () => {
  const { id, payment } = await paidOrder();
  expectStatus(await payer.post(`/v1/payments/${payment.id}/void`, {}), 200);
  await until(async () => (await orderOf(id)).status === 'on-hold');
});

test('test money pays no order of a shop that does not say that it takes it', async () => {
  const live = await startShop(await freePort());
  try {
    const id = await place();
    const payment = await pay(id);
    await until(async () => (await orderOf(id)).status === 'processing');
    // The order as it was before the event.
    await ask('order', id, { total: '1500.00', currency: 'NGN', ...CUSTOMER });
    expect(await post(live.url, succeeded(payment))).toBe(204);
    expect((await orderOf(id)).completed).toBe(0);
    expect(await post(shop.url, succeeded(payment, 10))).toBe(204);
    expect((await orderOf(id)).completed).toBe(1);
  } finally {
    live.child.kill();
  }
});

test('is offered by the block checkout too, with the title and what it supports', async () => {
  const [method, ...others] = await ask<BlockMethod[]>('blocks', 0);
  expect(others).toEqual([]);
  expect(method).toMatchObject({ name: 'tillfront', active: true });
  const [script] = method?.scripts ?? [];
  expect(script?.url).toMatch(/\/tillfront-woocommerce\/checkout-block\.js$/);
  // What the script reads is there only if its file is loaded before.
  expect(script?.needed.sort()).toEqual([
    'wc-blocks-registry',
    'wc-settings',
    'wp-element',
    'wp-html-entities',
  ]);
  const registered: Record<string, unknown>[] = [];
  const page = {
    wc: {
      wcSettings: { getSetting: (name: string) => (name === 'tillfront_data' ? method?.data : undefined) },
      wcBlocksRegistry: { registerPaymentMethod: (one: Record<string, unknown>) => registered.push(one) },
    },
    wp: {
      htmlEntities: { decodeEntities: (text: string) => text },
      element: { createElement: (type: string, _props: null, text: string) => ({ type, text }) },
    },
  };
  runInNewContext(await readFile(join(folder, 'plugin/checkout-block.js'), 'utf8'), page);
  const content = { type: 'p', text: 'You pay on the next page.' };
  const label = 'Card, wallet, bank transfer or USSD';
  expect(JSON.parse(JSON.stringify(registered))).toEqual([
    {
      ...{ name: 'tillfront', label, ariaLabel: label, content, edit: content },
      supports: { features: ['products', 'refunds'] },
    },
  ]);
});

test('names countries as the service does, and has the version and the licence', async () => {
  const file = resolve('packages/tillfront-woocommerce/countries.php');
  const said = execFileSync('php', ['-r', `echo json_encode(require '${file}');`], { encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual(countries.getAlpha2Codes());
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  const plugin = await readFile('packages/tillfront-woocommerce/tillfront-woocommerce.php', 'utf8');
  expect(plugin).toContain(` * Version: ${version}\n`);
  expect(await readFile('packages/tillfront-woocommerce/LICENSE', 'utf8')).toBe(
    await readFile('LICENSE', 'utf8'),
  );
});
