import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startCheckoutScene, type CheckoutScene } from './checkout-scene.js';

/** A payer on a poor network sees at once that the page is coming: its first words need no script and no call. */

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await startCheckoutScene();
});
afterAll(() => scene.stop());

/** Slow 3G: 400 kbit/s, and 400 ms there and back. */
const BYTES_A_MS = 50;
const THERE_AND_BACK_MS = 400;

test('the first words are painted within a second on slow 3G: by a page and its style, which are small enough', async () => {
  const { checkoutUrl } = await scene.client.createSession();
  const { page, context } = await scene.newPage({ viewport: { width: 390, height: 780 } });
  const held: (() => Promise<void>)[] = [];
  let isHeld = true;
  await page.route('**/*', (route) => {
    const isPart = ['document', 'stylesheet'].includes(route.request().resourceType());
    if (isPart || !isHeld) return route.continue();
    held.push(() => route.continue());
    return undefined;
  });
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  const answers: number[] = [];
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => answers.push(encodedDataLength));
  await page.goto(checkoutUrl, { waitUntil: 'commit' });

  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  expect(await page.locator('body').innerText()).toMatch(/\w/);
  expect(answers).toHaveLength(2);
  const bytes = answers.reduce((sum, length) => sum + length, 0);
  expect(answers.length * THERE_AND_BACK_MS + bytes / BYTES_A_MS).toBeLessThan(1_000);

  expect(held.length).toBeGreaterThan(0);
  isHeld = false;
  await Promise.all(held.map((release) => release()));
  await page.getByLabel('Card number').waitFor();
});
