import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { sessionRequest } from '../harness/client.js';
import {
  accessibilityFaults,
  fillCard,
  outcome,
  pressPay,
  startCheckoutScene,
  type CheckoutScene,
} from './checkout-scene.js';

/** Who is paid, and the way back to them. */

/** A picture that would run a script, load another and tell of both, if it could. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40">
  <script>document.documentElement.setAttribute('data-ran', '1'); fetch('/ran')</script>
  <image href="/ran" width="1" height="1"/>
  <rect width="40" height="40" fill="#8a4b1f" onload="document.documentElement.setAttribute('data-ran', '1')"/>
</svg>`;

let folder: string;
let scene: CheckoutScene;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillfront-test-brand-'));
  await writeFile(join(folder, 'logo.svg'), LOGO);
  scene = await startCheckoutScene({
    MERCHANT_NAME: 'Ada’s Books',
    MERCHANT_LOGO_FILE: join(folder, 'logo.svg'),
    MERCHANT_ACCENT_COLOR: '#8A4B1F',
  });
});
afterAll(async () => {
  await scene.stop();
  await rm(folder, { recursive: true, force: true });
});

const color = (page: Page): Promise<string> =>
  page
    .getByRole('button', { name: 'Pay ₦1,500.00' })
    .evaluate((button) => getComputedStyle(button).backgroundColor);

test.each(['light', 'dark'] as const)(
  'name, logo and colour stand on the page, in the %s',
  async (colorScheme) => {
    const { page, faults } = await scene.open(await scene.client.createSession(sessionRequest()), {
      colorScheme,
    });
    await page.getByText('Ada’s Books', { exact: true }).waitFor();
    expect(await page.title()).toBe('Checkout – Ada’s Books');
    const logo = page.locator('tillfront-checkout img');
    // The name may stand there before the picture has come.
    const width = await logo.evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      return image.naturalWidth;
    });
    expect(width).toBe(40);
    expect((await color(page)) === 'rgb(138, 75, 31)').toBe(colorScheme === 'light');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  },
);

test('the logo runs nothing and loads nothing, not even when it is opened as a page', async () => {
  const { page } = await scene.newPage();
  const { logo } = (await (await fetch(`${scene.tillfront.url}/kit/merchant.json`)).json()) as {
    logo: string;
  };
  const asked: string[] = [];
  page.on('response', (response) => asked.push(new URL(response.url()).pathname));
  const answer = await page.goto(scene.tillfront.url + logo);
  expect(answer?.headers()['content-security-policy']).toContain('sandbox');
  expect(await page.evaluate(() => document.documentElement.hasAttribute('data-ran'))).toBe(false);
  expect(asked).toEqual([logo]);
});

test('the way back is offered wherever it is safe, and says how it stands', async () => {
  const session = await scene.client.createSession(
    sessionRequest({ returnUrl: 'https://shop.example/thanks' }),
  );
  const { page } = await scene.open(session);
  const back = page.getByRole('link', { name: 'Back to Ada’s Books' });
  const address = async (): Promise<URLSearchParams> =>
    new URL((await back.getAttribute('href')) ?? '').searchParams;
  expect((await address()).size).toBe(0);
  await fillCard(page, { number: '4000000000000309' });
  await pressPay(page);
  await outcome(page, 'Payment failed');
  expect((await address()).get('status')).toBe('failed');
  await fillCard(page, { number: '4000000000000705' });
  await pressPay(page);
  await page.getByLabel('One-time code').waitFor();
  expect((await address()).get('status')).toBe('requires_action');
  await page.getByLabel('One-time code').fill('123456');
  await page.getByRole('button', { name: 'Continue' }).click();
  await outcome(page, 'Payment successful');
  expect((await address()).get('status')).toBe('succeeded');
  expect(await back.count()).toBe(1);
});

test('while a payment is being sent, nobody is led away', async () => {
  const session = await scene.client.createSession(
    sessionRequest({ returnUrl: 'https://shop.example/thanks' }),
  );
  const { page } = await scene.open(session);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/v1/payments/card', async (route) => {
    await held;
    await route.continue();
  });
  await fillCard(page, { number: '4111111111111111' });
  await pressPay(page);
  await page.getByText('Processing your payment…').waitFor();
  expect(await page.getByRole('link', { name: 'Back to Ada’s Books' }).isVisible()).toBe(false);
  release();
  await outcome(page, 'Payment successful');
});
