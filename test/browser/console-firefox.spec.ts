import { afterAll, beforeAll, expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'puppeteer-core';
import type { Sandbox } from '../../sandbox/server.ts';
import { expectStatus, sessionRequest, TillfrontClient } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { launchFirefox } from '../setup/browser.js';

/** The console in another engine, under its policy. */

const PATIENCE_MS = 180_000;

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
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (/Content-Security-Policy|error/i.test(message.text())) faults.push(message.text());
  });
}, PATIENCE_MS);
afterAll(async () => {
  await browser.close();
  await tillfront.stop();
  await sandbox.close();
});

async function find(role: string, name: string): Promise<void> {
  await page.waitForSelector(`::-p-aria([name="${name}"][role="${role}"])`);
}

async function press(role: string, name: string): Promise<void> {
  const found = await page.waitForSelector(`::-p-aria([name="${name}"][role="${role}"])`);
  await found?.click();
}

async function type(label: string, text: string): Promise<void> {
  const field = await page.waitForSelector(`::-p-aria([name="${label}"][role="textbox"])`);
  await field?.click();
  await page.keyboard.type(text);
}

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
  'signs in, shows the overview, one payment and the audit, and makes a link, on a phone in the dark',
  async () => {
    const session = await client.createSession(sessionRequest());
    const payment = expectStatus(
      await client.payCard(session, { card: { number: '4111111111111111' } }),
      201,
    ).body;
    await page.setViewport({ width: 360, height: 740 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]).catch(() => undefined);
    await page.goto(`${tillfront.url}/console`);
    const key = await page.waitForSelector('input[type=password]');
    await key?.type(tillfront.merchantKey);
    await press('button', 'Sign in');
    await find('heading', 'Overview');
    await page.waitForSelector('.curve svg');
    expect(await axeFaults()).toEqual([]);
    await press('link', 'Payments');
    await press('link', payment.reference);
    await page.waitForSelector('.timeline');
    expect(await axeFaults()).toEqual([]);
    await press('link', 'Audit');
    await find('rowheader', 'sign-in');
    expect(await axeFaults()).toEqual([]);
    await press('link', 'Payment link');
    await type('Reference', 'LINK-FOX');
    await type('Amount', '10.00');
    await press('button', 'Create the link');
    await page.waitForSelector('svg.qr');
    expect(await axeFaults()).toEqual([]);
    const { scrollWidth, clientWidth } = await page.evaluate(() => ({
      scrollWidth: document.documentElement.scrollWidth,
      clientWidth: document.documentElement.clientWidth,
    }));
    expect(scrollWidth).toBe(clientWidth);
    expect(faults).toEqual([]);
  },
  PATIENCE_MS,
);
