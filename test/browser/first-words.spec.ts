import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startCheckoutScene, type CheckoutScene } from './checkout-scene.js';

/** A payer on a poor network sees at once that the page is coming: its first words need no script and no call. */

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await startCheckoutScene();
});
afterAll(() => scene.stop());

test('the first words are painted within a second on slow 3G', async () => {
  const { checkoutUrl } = await scene.client.createSession();
  const visit = async (): Promise<number> => {
    const { page, context } = await scene.newPage({ viewport: { width: 390, height: 780 } });
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    // 400 kbit/s, and 400 ms there and back
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: 50_000,
      uploadThroughput: 50_000,
    });
    await page.goto(checkoutUrl);
    await page.getByLabel('Card number').waitFor();
    return page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
    );
  };
  // The quickest of three: this machine may be busy with other tests.
  const visits = [await visit(), await visit(), await visit()];
  expect(Math.min(...visits)).toBeLessThan(1_000);
});
