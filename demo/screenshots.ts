import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { findChromium } from '../test/setup/browser-programs.ts';
import { ready, start, stopAll, type Running } from './processes.ts';
import { ROOT, readSettings, type DemoSettings } from './settings.ts';
import { SHOPPER } from './shop/shopper.ts';

/** Takes the documentation's screenshots from the running demo: `npm run screenshots`. */

const FOLDER = join(ROOT, 'docs/images');
const PHONE = { width: 360, height: 740 };
const PAGE = { width: 720, height: 760 };
const WIDE = { width: 1180, height: 820 };
/** Somebody who asks, and somebody else who approves. */
const ANNA = 'key-of-anna-for-pictures-on-loopback';
const BEN = 'key-of-ben-for-pictures-on-loopback';

interface Studio {
  browser: Browser;
  settings: DemoSettings;
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tillfront-screenshots-'));
  const env = {
    ...{ DATA_DIR: dataDir, PORT: '3700', SHOP_PORT: '3701', SANDBOX_PORT: '4710' },
    ...{ DEMO_PEOPLE: `anna=${ANNA},ben=${BEN}`, DEMO_APPROVAL_ABOVE: 'NGN:1000.00' },
  };
  const settings = readSettings(env);
  const demo = start('The demo', ['demo/run.ts'], env, ROOT);
  const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] });
  try {
    await ready(demo, settings.shopUrl);
    await announced(demo);
    await mkdir(FOLDER, { recursive: true });
    const studio = { browser, settings };
    await checkoutPictures(studio);
    await shopPictures(studio);
    await consolePictures(studio);
  } finally {
    await browser.close();
    await stopAll([demo]);
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function announced(demo: Running): Promise<void> {
  for (let waited = 0; !demo.output().includes('until Ctrl-C'); waited++) {
    if (waited > 300 || demo.child.exitCode !== null) throw new Error(demo.output());
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function open({ browser }: Studio, url: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-NG', reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(url);
  return page;
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled', caret: 'hide' });
  await page.context().close();
}

async function session({ settings }: Studio, reference: string): Promise<string> {
  const answer = await fetch(`${settings.tillfrontUrl}/v1/checkout-sessions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${settings.merchantKey}`,
      'content-type': 'application/json',
      'idempotency-key': reference,
    },
    body: JSON.stringify({ reference, amount: '1500.00', currency: 'NGN', ...SHOPPER }),
  });
  return ((await answer.json()) as { checkoutUrl: string }).checkoutUrl;
}

async function fillCard(page: Page, number: string, pin?: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry date').fill('12 / 30');
  await page.getByLabel('Security code').fill('111');
  if (pin !== undefined) await page.getByLabel('Card PIN').fill(pin);
  await page.getByLabel('Name on card').fill('Ada Obi');
}

function pay(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Pay ₦1,500.00' }).click();
}

async function checkoutPictures(studio: Studio): Promise<void> {
  const form = await open(studio, await session(studio, 'ORDER-1001'), {
    viewport: { ...PAGE, height: 900 },
  });
  await fillCard(form, '5060990580000217499', '1111');
  await shoot(form, 'checkout-card');

  const phone = await open(studio, await session(studio, 'ORDER-1002'), {
    viewport: PHONE,
    colorScheme: 'dark',
  });
  await phone.getByRole('radiogroup').waitFor();
  await shoot(phone, 'checkout-phone-dark');

  const outcomes: [name: string, number: string, shown: string][] = [
    ['checkout-otp', '4000000000000705', 'Confirm it’s you'],
    ['checkout-failed', '4000000000000309', 'Payment failed'],
    ['checkout-success', '4111111111111111', 'Payment successful'],
    ['checkout-confirming', '4000000000001125', 'We are confirming your payment'],
  ];
  for (const [index, [name, number, shown]] of outcomes.entries()) {
    const page = await open(studio, await session(studio, `ORDER-11${index}`), {
      // after a decline the form stands below the news
      viewport: { ...PAGE, height: name === 'checkout-failed' ? 1000 : 620 },
    });
    await fillCard(page, number);
    await pay(page);
    await page.getByRole('heading', { name: shown }).waitFor();
    await shoot(page, name);
  }

  const transfer = await open(studio, await session(studio, 'ORDER-1201'), {
    viewport: { ...PAGE, height: 820 },
  });
  await transfer.getByRole('radio', { name: 'Bank transfer' }).check();
  await pay(transfer);
  await transfer.getByRole('heading', { name: 'Transfer' }).waitFor();
  await shoot(transfer, 'checkout-transfer');

  const french = await open(studio, await session(studio, 'ORDER-1301'), {
    viewport: PHONE,
    locale: 'fr-FR',
  });
  await french.getByRole('radio', { name: 'Carte' }).waitFor();
  await shoot(french, 'checkout-phone-french');
}

async function shopPictures(studio: Studio): Promise<void> {
  const order = await open(studio, studio.settings.shopUrl, { viewport: WIDE });
  await order.getByRole('button', { name: 'Half a Yellow Sun' }).click();
  await order.frameLocator('tillfront-checkout iframe').getByRole('radiogroup').waitFor();
  await shoot(order, 'shop-order');
}

async function consolePictures(studio: Studio): Promise<void> {
  await needAttention(studio, studio.settings.sandboxUrl);
  await giveBack(studio, 'ORDER-112', '500.00', 'One of two books was out of stock.');
  await giveBack(studio, 'ORDER-112', '600.00', 'The parcel came back.');

  const refund = await openConsole(studio, 'payments?status=succeeded', { ...WIDE, height: 760 });
  await refund.getByRole('link', { name: 'ORDER-112' }).click();
  await refund.getByRole('button', { name: 'Refund', exact: true }).click();
  await refund.getByRole('dialog').getByLabel('Amount').fill('300.00');
  await refund.getByRole('dialog').getByLabel('Reason').fill('The cover was damaged.');
  await shoot(refund, 'console-refund');

  const link = await openConsole(studio, 'links', { width: 760, height: 1400 });
  await link.getByLabel('Reference').fill('INVOICE-2031-07');
  await link.getByLabel('Amount').fill('25000.00');
  await link.getByLabel('Currency').fill('NGN');
  await link.getByRole('button', { name: 'Create the link' }).click();
  await link.getByRole('img', { name: 'The link as a QR code' }).waitFor();
  await link.getByRole('heading', { name: 'Payment link' }).scrollIntoViewIfNeeded();
  await shoot(link, 'console-link');

  await upload(studio);
  const places: [place: string, name: string, height: number][] = [
    ['', 'overview', 900],
    ['payments', 'payments', 720],
    ['approvals', 'approvals', 480],
    ['settlements', 'settlements', 480],
    ['differences', 'differences', 480],
    ['ledger', 'ledger', 400],
    ['audit', 'audit', 620],
  ];
  for (const [place, name, height] of places) {
    const page = await openConsole(studio, place, { ...WIDE, height }, BEN);
    await page
      .locator(`main ${place === 'approvals' ? '.alerting' : 'tbody'}`)
      .last()
      .waitFor();
    await shoot(page, `console-${name}`);
  }
  const odd = await openConsole(studio, 'payments?needsAttention=true', { width: 1000, height: 1000 });
  await odd.getByRole('link', { name: 'ORDER-1401' }).click();
  await odd.getByRole('heading', { name: 'Timeline' }).waitFor();
  await shoot(odd, 'console-payment');
  const report = await openConsole(studio, 'settlements', { ...WIDE, height: 620 });
  await report.getByRole('rowheader').getByRole('link').first().click();
  await report.getByRole('heading', { name: /^Settlement \d/ }).waitFor();
  await report.waitForLoadState('networkidle');
  await shoot(report, 'console-settlement');
}

/** Uploads what the sandbox reports as settled, with two planted differences. */
async function upload({ settings }: Studio): Promise<void> {
  const report = await fetch(`${settings.sandboxUrl}/sandbox/settlement.csv?plant=amount,unknown`);
  const headers = { authorization: `Bearer ${ANNA}`, 'content-type': 'text/csv' };
  const body = await report.text();
  const answer = await fetch(`${settings.tillfrontUrl}/v1/settlements`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`The report: ${await answer.text()}`);
}

/** Gives money back of an order, in the name of a person. Above the bound it waits for another one. */
async function giveBack(
  { settings }: Studio,
  reference: string,
  amount: string,
  reason: string,
): Promise<void> {
  const { tillfrontUrl } = settings;
  const headers = { authorization: `Bearer ${ANNA}`, 'content-type': 'application/json' };
  const found = await fetch(`${tillfrontUrl}/v1/payments?reference=${reference}`, { headers });
  const { data } = (await found.json()) as { data: { id: string }[] };
  const answer = await fetch(`${tillfrontUrl}/v1/payments/${data[0]?.id ?? ''}/refunds`, {
    ...{ method: 'POST', headers: { ...headers, 'idempotency-key': `refund-${reference}-${amount}` } },
    body: JSON.stringify({ amount, reason }),
  });
  if (!answer.ok) throw new Error(`The refund of ${reference}: ${await answer.text()}`);
}

/** One of the console's pages, signed in. */
async function openConsole(
  studio: Studio,
  place: string,
  viewport: { width: number; height: number },
  key = studio.settings.merchantKey,
): Promise<Page> {
  const { tillfrontUrl } = studio.settings;
  const page = await open(studio, `${tillfrontUrl}/console#${place}`, { viewport });
  await page.getByLabel('Merchant key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor();
  return page;
}

/** A transfer of too little, which only a person can decide about. */
async function needAttention(studio: Studio, sandboxUrl: string): Promise<void> {
  const { tillfrontUrl, merchantKey } = studio.settings;
  const page = await open(studio, await session(studio, 'ORDER-1401'), { viewport: PAGE });
  await page.getByRole('radio', { name: 'Bank transfer' }).check();
  await pay(page);
  await page.getByRole('heading', { name: 'Transfer' }).waitFor();
  await fetch(`${sandboxUrl}/sandbox/transactions/ORDER-1401_1/receive`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ amount: '1000.00' }),
  });
  const headers = { authorization: `Bearer ${merchantKey}`, 'content-type': 'application/json' };
  const found = await fetch(`${tillfrontUrl}/v1/payments?reference=ORDER-1401`, { headers });
  const { data } = (await found.json()) as { data: { id: string }[] };
  const id = data[0]?.id ?? '';
  await fetch(`${tillfrontUrl}/v1/payments/${id}/refresh`, { method: 'POST', headers, body: '{}' });
  await page.context().close();
}

await main();
