import { afterAll, beforeAll, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sessionRequest } from '../harness/client.js';
import { fillCard, pressPay, startCheckoutScene, type CheckoutScene } from './harness.js';
import { shopPage, startShop, type Shop } from './shop.js';

let scene: CheckoutScene;
let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
  scene = await startCheckoutScene({
    MERCHANT_NAME: 'Marina Market',
    ALLOWED_ORIGINS: `${shop.origin},https://shop.example`,
  });
});
afterAll(async () => {
  await scene.stop();
  await shop.close();
});
const looks = { light: {}, dark: { colorScheme: 'dark' }, forced: { forcedColors: 'active' } } as const;
const shoot = (page: Page, name: string) =>
  page.screenshot({ path: `/tmp/shots/${name}.png`, fullPage: true });
for (const width of [320, 768, 1440])
  for (const look of ['light', 'dark', 'forced'] as const) {
    if (width !== 320 && look === 'forced' && width !== 768) continue;
    test(`${width} ${look}`, async () => {
      const open = async (over = {}) =>
        (
          await scene.open(
            await scene.client.createSession(
              sessionRequest({ returnUrl: 'https://shop.example/thanks', ...over }),
            ),
            { viewport: { width, height: 800 }, ...looks[look] },
          )
        ).page;
      const form = await open({ payer: undefined, billing: undefined });
      await fillCard(form, { number: '5060990580000217499' });
      if (look === 'light') await shoot(form, `${width}-${look}-form`);
      await pressPay(form);
      await form.getByText('Please check:').waitFor();
      await shoot(form, `${width}-${look}-errors`);
      const failed = await open();
      await fillCard(failed, { number: '4000000000000309' });
      await pressPay(failed);
      await failed.getByRole('heading', { name: 'Payment failed' }).waitFor();
      await shoot(failed, `${width}-${look}-failed`);
      if (width === 1440) return;
      const paid = await open();
      await fillCard(paid, { number: '4111111111111111' });
      await pressPay(paid);
      await paid.getByRole('heading', { name: 'Payment successful' }).waitFor();
      await shoot(paid, `${width}-${look}-paid`);
      const transfer = await open();
      await transfer.getByRole('radio', { name: 'Bank transfer' }).check();
      await pressPay(transfer);
      await transfer.getByRole('heading', { name: 'Transfer' }).waitFor();
      await shoot(transfer, `${width}-${look}-transfer`);
      if (look !== 'light') return;
      const otp = await open();
      await fillCard(otp, { number: '4000000000000705' });
      await pressPay(otp);
      await otp.getByLabel('One-time code').fill('000000');
      await otp.getByRole('button', { name: 'Continue' }).click();
      await otp.getByText('not accepted').waitFor();
      await shoot(otp, `${width}-${look}-otp`);
      const arabic = (
        await scene.open(await scene.client.createSession(sessionRequest({ returnUrl: undefined })), {
          viewport: { width, height: 800 },
          locale: 'ar-EG',
        })
      ).page;
      await shoot(arabic, `${width}-${look}-arabic`);
      const session = await scene.client.createSession(sessionRequest({ returnUrl: undefined }));
      shop.show(
        shopPage(scene.tillfront.url, session.clientToken, 'appearance="accent: #8a4b1f; radius: 3px"'),
      );
      const { page } = await scene.newPage({ viewport: { width, height: 800 } });
      await page.goto(shop.origin);
      await page.frameLocator('iframe').getByRole('radiogroup').waitFor();
      await page.waitForTimeout(500);
      await shoot(page, `${width}-${look}-element`);
    });
  }
