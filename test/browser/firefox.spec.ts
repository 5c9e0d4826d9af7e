import { afterAll, beforeAll, expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'puppeteer-core';
import type { Sandbox } from '../../sandbox/server.ts';
import { sessionRequest, TillfrontClient } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { launchFirefox } from '../setup/browser.js';

/** The same in another engine: encryption, forms, redirects, the live region and the policy. */

let sandbox: Sandbox;
let tillfront: Tillfront;
let client: TillfrontClient;
let browser: Browser;
let page: Page;
const faults: string[] = [];

beforeAll(async () => {
  sandbox = await startTestSandbox();
  tillfront = await startTillfront({ store: 'embedded', gatewayUrl: sandbox.url });
  client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  browser = await launchFirefox();
  page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const note = (text: string): void => {
    // the bank's own page is the sandbox's business
    if (/Content-Security-Policy|error/i.test(text) && !text.includes(sandbox.url)) faults.push(text);
  };
  page.on('pageerror', (error) => note(String(error)));
  page.on('console', (message) => note(message.text()));
});
afterAll(async () => {
  await browser.close();
  await tillfront.stop();
  await sandbox.close();
});

/** This browser is slow to start and to find things. */
const PATIENCE_MS = 180_000;

/** Types into a field, found by its accessible name. */
async function type(label: string, text: string): Promise<void> {
  const field = await page.waitForSelector(`::-p-aria([name="${label}"][role="textbox"])`);
  await field?.click();
  await page.keyboard.type(text);
}

async function press(name: string): Promise<void> {
  const button = await page.waitForSelector(`::-p-aria([name="${name}"][role="button"])`);
  await button?.click();
}

async function heading(name: string): Promise<void> {
  await page.waitForSelector(`[role=status] ::-p-aria([name="${name}"][role="heading"])`);
}

async function checkout(overrides: object = {}): Promise<string> {
  const session = await client.createSession(sessionRequest({ returnUrl: undefined, ...overrides }));
  await page.goto('about:blank');
  await page.goto(session.checkoutUrl);
  return session.reference;
}

test(
  'a card payment, encrypted by this browser',
  async () => {
    const reference = await checkout();
    await type('Card number', '5060990580000217499');
    await type('Expiry date', '1230');
    await type('Security code', '111');
    await type('Card PIN', '1111');
    await type('Name on card', 'Ada Obi');
    await press('Pay ₦1,500.00');
    await heading('Payment successful');
    const [payment] = await client.paymentsOf(reference);
    expect(payment).toMatchObject({ status: 'succeeded', card: { brand: 'verve', last4: '7499' } });
  },
  PATIENCE_MS,
);

test(
  '3-D Secure and back',
  async () => {
    await checkout();
    await type('Card number', '5500000000000806');
    await type('Expiry date', '1230');
    await type('Security code', '111');
    await type('Name on card', 'Ada Obi');
    await press('Pay ₦1,500.00');
    await press('Approve');
    await heading('Payment successful');
  },
  PATIENCE_MS,
);

test(
  'a decline, then a reload in the middle of a transfer',
  async () => {
    await checkout();
    await type('Card number', '4000000000000309');
    await type('Expiry date', '1230');
    await type('Security code', '111');
    await type('Name on card', 'Ada Obi');
    await press('Pay ₦1,500.00');
    await heading('Payment failed');
    await press('Try another way');
    const transfer = await page.waitForSelector('::-p-aria([name="Bank transfer"][role="radio"])');
    await transfer?.click();
    await press('Pay ₦1,500.00 Continue to the account number');
    await page.waitForSelector('::-p-xpath(//dt[.="Account number"])');
    await page.reload();
    await page.waitForSelector('::-p-xpath(//dt[.="Account number"])');
    await press('Cancel');
    await heading('Payment canceled');
  },
  PATIENCE_MS,
);

/** What axe finds wrong here, in what is shown now. */
async function axeFaults(): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await run(document, { runOnly: tags });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

test(
  'axe finds nothing in any state, on a phone in the dark',
  async () => {
    await page.setViewport({ width: 390, height: 740 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]).catch(() => undefined);
    await checkout({ payer: undefined, billing: undefined });
    await press('Pay ₦1,500.00');
    await page.waitForSelector('[role=alert] ::-p-aria([name="City"][role="button"])');
    expect(await axeFaults()).toEqual([]);
    await checkout();
    await type('Card number', '4000000000000309');
    await type('Expiry date', '1230');
    await type('Security code', '111');
    await type('Name on card', 'Ada Obi');
    await press('Pay ₦1,500.00');
    await heading('Payment failed');
    expect(await axeFaults()).toEqual([]);
    const transfer = await page.waitForSelector('::-p-aria([name="Bank transfer"][role="radio"])');
    await transfer?.click();
    await press('Pay ₦1,500.00 Continue to the account number');
    await press('I have sent it');
    expect(await axeFaults()).toEqual([]);
    await press('Cancel');
    // Who has sent the money is asked first.
    await page.waitForSelector('[role=alert] ::-p-aria([name="Keep waiting"][role="button"])');
    expect(await axeFaults()).toEqual([]);
    await press('Cancel anyway');
    await heading('Payment canceled');
    expect(await axeFaults()).toEqual([]);
    await page.setViewport({ width: 1280, height: 800 });
  },
  PATIENCE_MS,
);

test('no breach of the policy, no error that nobody caught', () => {
  expect(faults).toEqual([]);
});
