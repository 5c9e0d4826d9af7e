import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { freePort } from '../setup/free-port.js';
import { launchChromium } from '../setup/browser.js';
import { service } from '../setup/service.js';
import { accessibilityFaults } from './checkout-scene.js';

interface Demo {
  child: ChildProcess;
  output: () => string;
  exited: Promise<number | null>;
}

let root: string;
let dataDir: string;
let ports: { PORT: string; SHOP_PORT: string; SANDBOX_PORT: string };

beforeAll(async () => {
  // The demo runs what `npm run build` has made of this checkout.
  await service('build');
  root = await checkoutWithDotEnv(fileURLToPath(new URL('../..', import.meta.url)));
  dataDir = await mkdtemp(join(tmpdir(), 'tillfront-test-demo-'));
  const [PORT, SHOP_PORT, SANDBOX_PORT] = [await freePort(), await freePort(), await freePort()].map(String);
  ports = { PORT, SHOP_PORT, SANDBOX_PORT } as typeof ports;
});
afterAll(() => Promise.all([dataDir, root].map((path) => rm(path, { recursive: true, force: true }))));

/** What a merchant's `.env` may hold, and what the demo must not care about: the quick start's origins, and worse. */
const DOT_ENV = `
GATEWAY_BASE_URL=https://gateway.example
MERCHANT_API_KEY=a-key-that-i-have-chosen
ALLOWED_RETURN_ORIGINS=https://shop.example
DATABASE_URL=postgres://nobody@127.0.0.1:1/none
GATEWAY_PROFILE=/nowhere.json
RATE_LIMIT_PER_MINUTE=few
`;

/** The checkout as the demo needs it, in a folder of its own where a `.env` disturbs nobody. */
async function checkoutWithDotEnv(repository: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tillfront-test-checkout-'));
  await cp(join(repository, 'demo'), join(folder, 'demo'), { recursive: true });
  for (const name of ['dist', 'sandbox', 'node_modules', 'package.json'])
    await symlink(join(repository, name), join(folder, name));
  await writeFile(join(folder, '.env'), DOT_ENV);
  return folder;
}

/** `npm run demo` without the build. */
function startDemo(...words: string[]): Demo {
  return runProgram('demo/run.ts', ...words);
}

function runProgram(...words: string[]): Demo {
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, ...ports },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output: () => text, exited };
}

/** Of the demo's cards and sessions; the checkout page's address, which is there to be opened, ends its line. */
const SECRETS = /5060990580000217499|"cvv": ?"1|"pin": ?"1|cst_[\w-]+\.[\w-]{6,}"/;

describe('npm run demo -- --exit', () => {
  let output = '';

  test('makes its payments, shows each step without secrets, and ends well', async () => {
    const demo = startDemo('--exit');
    expect([await demo.exited, demo.output()]).toEqual([
      0,
      expect.stringContaining('All came out as expected.'),
    ]);
    output = demo.output();
    const made =
      /POST \/v1\/checkout-sessions → 201 {"id":"cs_\w+","status":"open","amount":"1500.00","currency":"NGN"}\n/;
    expect(output).toMatch(made);
    expect(output).toMatch(
      /POST \/v1\/payments\/card → 201 {"id":"pay_\w+","status":"succeeded","amount":"1500.00","amountCaptured":"1500.00","currency":"NGN"}\n/,
    );
    expect(output).toMatch(/"status":"failed",.*"failure":{"code":"declined",/);
    expect(output).toContain('/cashier?orderToken=');
    expect(output).not.toMatch(SECRETS);
  });

  test('names the addresses before its payments, and fits on a screen', () => {
    for (const address of ['the demo shop ', '/docs\n', '/console ']) {
      const place = output.indexOf(address);
      expect([address, place > 0 && place < output.indexOf('1. A card')]).toEqual([address, true]);
    }
    expect(output.split('\n').length).toBeLessThanOrEqual(45);
  });

  test('shows the whole JSON with --verbose, without secrets', async () => {
    const demo = startDemo('--exit', '--verbose');
    expect([await demo.exited, demo.output()]).toEqual([
      0,
      expect.stringContaining('All came out as expected.'),
    ]);
    expect(demo.output()).toContain('"status": "succeeded"');
    expect(demo.output()).toContain('"code": "declined"');
    expect(demo.output()).toContain('•••• 7499');
    expect(demo.output()).toContain('"billing": {');
    expect(demo.output()).not.toMatch(SECRETS);
  });

  test('says what it waits for', () => {
    expect(output).toMatch(/✔ Starting the sandbox gateway \(\d+ s\)\n[^]*✔ Starting Tillfront \(\d+ s\)\n/);
  });

  test('takes the next free ports for Tillfront and the shop, and says so', async () => {
    const taken = await Promise.all([listenAt(ports.PORT, '127.0.0.1'), listenAt(ports.SHOP_PORT, '::1')]);
    const demo = startDemo('--exit');
    const code = await demo.exited;
    taken.forEach((server) => server.close());
    expect([code, demo.output()]).toEqual([0, expect.stringContaining('All came out as expected.')]);
    for (const [what, port] of [
      ['Tillfront', ports.PORT],
      ['the demo shop', ports.SHOP_PORT],
    ] as const) {
      const [, next] =
        new RegExp(`Port ${port} is in use: ${what} takes (\\d+)\\.`).exec(demo.output()) ?? [];
      expect(Number(next)).toBeGreaterThan(Number(port));
    }
  });

  test('keeps the sandbox’s port, and says what to do where it is in use', async () => {
    const taken = await listenAt(ports.SANDBOX_PORT, '127.0.0.1');
    const demo = startDemo('--exit');
    const code = await demo.exited;
    taken.close();
    expect(code).toBe(1);
    expect(demo.output()).toContain(
      `Port ${ports.SANDBOX_PORT} is in use, and the sandbox gateway needs it: stop what uses it.`,
    );
    expect(demo.output()).toContain('set SANDBOX_PORT and DATA_DIR');
    expect(demo.output()).not.toContain('    at ');
  });

  test('says so before the build, which takes a minute and removes files that a running service reads', async () => {
    const taken = await listenAt(ports.SANDBOX_PORT, '127.0.0.1');
    const build = runProgram('demo/build.ts');
    const code = await build.exited;
    taken.close();
    expect(code).toBe(1);
    expect(build.output()).toMatch(
      new RegExp(`^Port ${ports.SANDBOX_PORT} is in use, and the sandbox gateway needs it`),
    );
    expect(build.output()).not.toContain('Compiling');
  });
});

async function listenAt(port: string, host: string): Promise<Server> {
  const server = createServer().listen(Number(port), host);
  await once(server, 'listening');
  return server;
}

describe('the demo shop', () => {
  let demo: Demo;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];
  let shop: string;

  beforeAll(async () => {
    demo = startDemo();
    browser = await launchChromium();
    page = await browser.newPage();
    // More than the 25 s for which the service may hold a read: what changes between two reads of a page is seen after that.
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
    });
    shop = `http://localhost:${ports.SHOP_PORT}`;
    for (let waited = 0; !demo.output().includes('until Ctrl-C.\n'); waited++) {
      if (waited > 1_000 || demo.child.exitCode !== null) throw new Error(`no demo:\n${demo.output()}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  afterAll(async () => {
    await browser.close();
    demo.child.kill('SIGKILL');
  });

  async function buy(product: string): Promise<void> {
    await page.goto(shop);
    await page.getByRole('button', { name: product }).click();
    await page.getByRole('radiogroup').waitFor();
  }

  async function payByCard(number: string, pin?: string): Promise<void> {
    await page.getByLabel('Card number').fill(number);
    await page.getByLabel('Expiry date').fill('1230');
    await page.getByLabel('Security code').fill('111');
    if (pin !== undefined) await page.getByLabel('Card PIN').fill(pin);
    await page.getByLabel('Name on card').fill('Ada Obi');
    await page.getByRole('button', { name: 'Pay ₦' }).click();
  }

  const orderState = (state: string): Promise<void> => page.locator('.state', { hasText: state }).waitFor();

  test('names every address', () => {
    expect(demo.output()).toContain(shop);
    expect(demo.output()).toMatch(/http:\/\/localhost:\d+\/checkout#cst_\S+/);
    expect(demo.output()).toMatch(/\/docs\n/);
    expect(demo.output()).toMatch(/\/console.*sign in with \S+/);
    expect(demo.output()).toContain('4111 1111 1111 1111, any future date');
  });

  test('sells a book, and believes only the signed event', async () => {
    await page.goto(shop);
    expect(await accessibilityFaults(page)).toEqual([]);
    await buy('Half a Yellow Sun');
    expect(await accessibilityFaults(page)).toEqual([]);
    await orderState('waiting for payment');
    await payByCard('5060990580000217499', '1111');
    await page.getByRole('heading', { name: 'Payment successful' }).waitFor();
    await orderState('paid');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Your orders' }).click();
    await page.getByText('payment.succeeded').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('has its payer back from 3-D Secure', async () => {
    await buy('Adire cloth');
    await payByCard('5500000000000806');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(/\/orders\/[\w-]+\?payment=/);
    await page.getByRole('heading', { name: 'Payment successful' }).waitFor();
    await orderState('paid');
    expect(faults).toEqual([]);
  });

  test('has its payer back from the wallet, who declined and then paid by card', async () => {
    await buy('coffee');
    await page.getByRole('radio', { name: 'Wallet' }).check();
    await page.getByRole('button', { name: 'Pay ₦' }).click();
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.waitForURL(/\/orders\//);
    await orderState('payment failed');
    // once the page knows, it may show the failure or, loaded later, the methods again
    const view = (name: string): string => `tillfront-checkout[data-view=${name}]`;
    await page.locator(`${view('declined')}, ${view('choose')}`).waitFor();
    const again = page.getByRole('button', { name: 'Try another way' });
    if (await again.isVisible()) await again.click();
    await page.locator(view('choose')).waitFor();
    await payByCard('4111111111111111');
    await page.getByRole('heading', { name: 'Payment successful' }).waitFor();
    await orderState('paid');
    expect(faults).toEqual([]);
  });

  test('takes no event without a signature', async () => {
    const answer = await fetch(`${shop}/webhooks`, {
      method: 'POST',
      body: JSON.stringify({ type: 'payment.succeeded', data: { reference: 'SHOP-00000000' } }),
    });
    expect(answer.status).toBe(401);
  });

  test('ends with everything that it started', async () => {
    demo.child.kill('SIGINT');
    expect(await demo.exited).toBe(0);
    for (const port of Object.values(ports)) {
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    }
  });
});
