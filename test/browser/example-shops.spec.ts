import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { until } from '../harness/until.js';
import { launchChromium } from '../setup/browser.js';
import { freePort } from '../setup/free-port.js';
import { needProgram } from '../setup/program.js';
import { service } from '../setup/service.js';
import {
  accessibilityFaults,
  fillCard,
  inElement,
  startCheckoutScene,
  type CheckoutScene,
} from './harness.js';

/** The shops in `examples`, as a merchant's engineer runs them: with the sandbox, and a browser that pays. */

const SECRET = `whsec_${Buffer.from('a secret of the example shops').toString('base64')}`;

interface Program {
  child: ChildProcess;
  output: () => string;
  ended: Promise<number | null>;
}

const programs: Program[] = [];
const folders: string[] = [];

function run(command: string, words: string[], env: Record<string, string>): Program {
  const child = spawn(command, words, {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const program = {
    child,
    output: () => text,
    ended: new Promise<number | null>((done) => child.once('close', done)),
  };
  programs.push(program);
  return program;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tillfront-test-example-'));
  folders.push(folder);
  return folder;
}

afterAll(async () => {
  for (const { child } of programs) child.kill('SIGKILL');
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

const SHOPS = [
  {
    name: 'node-shop',
    prefix: 'NODE',
    command: () => [process.execPath, resolve('examples/node-shop/shop.mjs')] as const,
  },
  {
    name: 'php-shop',
    prefix: 'PHP',
    command: (port: number) =>
      ['php', '-S', `127.0.0.1:${port}`, resolve('examples/php-shop/shop.php')] as const,
  },
];

describe.each(SHOPS)('$name', ({ name, prefix, command }) => {
  let scene: CheckoutScene;
  let program: Program;
  let shop: string;

  beforeAll(async () => {
    if (name === 'php-shop') needProgram('php');
    const port = await freePort();
    shop = `http://localhost:${port}`;
    scene = await startCheckoutScene({
      GATEWAY_TIMEOUT_MS: '8000',
      GATEWAY_PROFILE: resolve('sandbox/refunds.profile.json'),
      ALLOWED_ORIGINS: shop,
      MERCHANT_WEBHOOK_URL: `http://127.0.0.1:${port}/webhooks`,
      MERCHANT_WEBHOOK_SECRET: SECRET,
    });
    const configured = await fetch(`${scene.sandbox.url}/sandbox/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ returnUrl: `${shop}/thanks?order={client_ref}` }),
    });
    expect(configured.status).toBe(200);
    const [executable, ...words] = command(port);
    program = run(executable, words, {
      PORT: String(port),
      SHOP_URL: shop,
      TILLFRONT_URL: scene.tillfront.url,
      MERCHANT_API_KEY: scene.tillfront.merchantKey,
      MERCHANT_WEBHOOK_SECRET: SECRET,
      ORDERS_FOLDER: await temporaryFolder(),
    });
    await until(() => fetch(shop).then(Boolean, () => program.child.exitCode !== null), 60_000);
  }, 120_000);
  afterAll(() => scene.stop());

  /** Buys, and returns the order's reference. */
  async function buy(page: Page): Promise<string> {
    await page.goto(shop);
    await page.getByRole('button', { name: 'Buy' }).click();
    await inElement(page).getByRole('radiogroup').waitFor();
    const reference = new URL(page.url()).pathname.replace('/orders/', '');
    expect(reference).toMatch(new RegExp(`^${prefix}-[0-9a-f]{16}$`));
    return reference;
  }

  async function pay(page: Page, number: string): Promise<void> {
    await fillCard(inElement(page), { number });
    await inElement(page).getByRole('button', { name: 'Pay ₦1,500.00' }).click();
  }

  const isTold = (reference: string, state: string): Promise<void> =>
    until(() => program.output().includes(`${reference} is ${state}\n`), 60_000);

  test('sells by card, thanks by what the service says, and learns of it by a signed event', async () => {
    const { page, faults } = await scene.newPage();
    await page.goto(shop);
    const reference = await buy(page);
    await pay(page, '4111111111111111');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await page.getByText(`Order ${reference} is paid.`).waitFor();
    await isTold(reference, 'paid');
    expect(await scene.charges(reference)).toBe(1);
    await page.goto(`${shop}/orders/${reference}`);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('ships nothing whose money was given back', async () => {
    const { page } = await scene.newPage();
    const reference = await buy(page);
    await pay(page, '4111111111111111');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await isTold(reference, 'paid');
    const paid = `/v1/payments?reference=${reference}`;
    const { data } = (await scene.client.get<{ data: { id: string }[] }>(paid)).body;
    await scene.client.post(`/v1/payments/${data[0]?.id ?? ''}/refunds`, { amount: '500.00' });
    await isTold(reference, 'returned');
    await page.reload();
    await page.getByText(`Money of order ${reference} was given back.`).waitFor();
  });

  test('has its payer back from the bank', async () => {
    const { page, faults } = await scene.newPage();
    const reference = await buy(page);
    await pay(page, '4000000000000804');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(/\/thanks\?order=.*payment=pay_/);
    await page.getByText(`Order ${reference} is paid.`).waitFor();
    await isTold(reference, 'paid');
    expect(faults).toEqual([]);
  });

  test('has its payer back from the wallet, who declined and then paid', async () => {
    const { page, faults } = await scene.newPage();
    const reference = await buy(page);
    await inElement(page).getByRole('radio', { name: 'Wallet' }).check();
    await inElement(page).getByRole('button', { name: 'Pay ₦1,500.00' }).click();
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('heading', { name: 'Not paid yet' }).waitFor();
    await page.getByRole('link', { name: 'Try again' }).click();
    const again = inElement(page).getByRole('button', { name: 'Try another way' });
    await inElement(page).getByRole('radiogroup').or(again).first().waitFor();
    if (await again.isVisible()) await again.click();
    await pay(page, '4111111111111111');
    await page.getByText(`Order ${reference} is paid.`).waitFor();
    expect(await scene.charges(reference)).toBe(1);
    expect(faults).toEqual([]);
  });

  test('says that it is confirming while the outcome is unknown, never that it failed', async () => {
    const { page } = await scene.newPage();
    const reference = await buy(page);
    await pay(page, '4000000000001125');
    await inElement(page).getByRole('heading', { name: 'We are confirming your payment' }).waitFor();
    await page.goto(`${shop}/thanks?order=${reference}&status=succeeded`);
    await page.getByRole('heading', { name: 'We are confirming your payment' }).waitFor();
  });

  test('takes its price from nobody', async () => {
    const made = await fetch(`${shop}/orders`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'amount=1.00&price=1.00',
    });
    const { page } = await scene.newPage();
    await page.goto(shop + (made.headers.get('location') ?? ''));
    await inElement(page).getByRole('button', { name: 'Pay ₦1,500.00' }).waitFor();
  });

  test('believes neither the address nor an event without a genuine signature', async () => {
    const { page } = await scene.newPage();
    const reference = await buy(page);
    await page.goto(`${shop}/thanks?order=${reference}&payment=pay_1&status=succeeded`);
    await page.getByRole('heading', { name: 'Not paid yet' }).waitFor();
    const forged = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${shop}/webhooks`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ type: 'payment.succeeded', data: { reference, status: 'succeeded' } }),
      });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const statuses = [
      await forged({}),
      await forged({ 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp }),
      await forged({ 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': 'v1,AAAA' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 400, 400]);
    expect(program.output()).not.toContain(`${reference} is`);
  });

  test('has no page for strangers’ orders', async () => {
    for (const path of ['/orders/nothing', '/thanks', '/thanks?order=..%2F..%2Fetc', '/else'])
      expect([path, (await fetch(shop + path)).status]).toEqual([path, 404]);
  });

  test('its pages have nothing that axe finds', async () => {
    const { page } = await scene.newPage();
    await page.goto(shop);
    expect(await accessibilityFaults(page)).toEqual([]);
    await buy(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('starts with all that it needs by one command', async () => {
    await service('build');
    const ports = { PORT: await freePort(), SHOP_PORT: await freePort(), SANDBOX_PORT: await freePort() };
    const env = Object.fromEntries(Object.entries(ports).map(([variable, port]) => [variable, String(port)]));
    const started = run(process.execPath, [resolve('demo/example.ts'), name], {
      ...env,
      DATA_DIR: await temporaryFolder(),
    });
    await until(() => started.output().includes('until Ctrl-C') || started.child.exitCode !== null, 90_000);
    expect(started.output()).toContain(`http://localhost:${ports.SHOP_PORT}`);
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(`http://localhost:${ports.SHOP_PORT}`);
      await page.getByRole('button', { name: 'Buy' }).click();
      await inElement(page).getByRole('radiogroup').waitFor();
      await pay(page, '4111111111111111');
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
      await until(() => / is paid\n/.test(started.output()), 60_000);
    } finally {
      await browser.close();
    }
    started.child.kill('SIGINT');
    expect(await started.ended).toBe(0);
    await expect(fetch(`http://127.0.0.1:${ports.SHOP_PORT}/`)).rejects.toThrow();
  }, 180_000);
});

test('the shop in Node.js needs no package, and fits on a few screens', () => {
  const text = readFileSync('examples/node-shop/shop.mjs', 'utf8');
  expect(text.split('\n').length).toBeLessThanOrEqual(125);
  const imported = [...text.matchAll(/ from '([^']+)'/g)].map(([, module = '']) => module);
  expect(imported.filter((module) => !module.startsWith('node:'))).toEqual([]);
});
