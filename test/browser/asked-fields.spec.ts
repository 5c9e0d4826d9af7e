import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { sessionRequest } from '../harness/client.js';
import { cardAnswer } from '../harness/gateway-answers.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../harness/scene.js';
import { launchChromium } from '../setup/browser.js';
import { changedProfile, without } from './built-in-profile.js';
import { fillCard, outcome, pressPay } from './checkout-scene.js';

/** The page asks for what the gateway takes, and for nothing else. */

jest.setTimeout(180_000);

const paid: Behaviour = { do: 'answer', body: cardAnswer({ status: 'SUCCESS', amount: '1500.00' }) };
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

function withProfile(
  name: string,
  change: Parameters<typeof changedProfile>[0],
  tests: (open: (session?: object) => Promise<Page>, scene: () => Scene) => void,
): void {
  describe(name, () => {
    let scene: Scene;
    beforeAll(async () => {
      scene = await startScene('embedded', { GATEWAY_PROFILE: changedProfile(change) });
    });
    afterAll(() => scene.stop());
    const open = async (more: object = {}): Promise<Page> => {
      scene.gateway.script('POST /payment/card', paid);
      const session = await scene.client.createSession(sessionRequest({ returnUrl: undefined, ...more }));
      const page = await browser.newPage();
      await page.goto(session.checkoutUrl);
      await page.getByLabel('Card number').waitFor();
      return page;
    };
    tests(open, () => scene);
  });
}

const PAYER = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Obi' };

/** What the gateway was sent last. */
const sent = (scene: Scene): object => scene.gateway.requestsTo('POST /payment/card').at(-1)?.json as object;

const address = ['billingStreet', 'billingCity', 'billingStateProvince', 'billingPostCode', 'billingCountry'];

withProfile(
  'a gateway that takes little',
  without(...address, 'payerPhone', 'firstName', 'lastName', 'nameOnCard'),
  (open, scene) => {
    test('a card and an e-mail address', async () => {
      const page = await open({ payer: undefined, billing: undefined });
      expect(await page.locator('.view .field:not([hidden]) label').allTextContents()).toEqual([
        'Card number',
        'Expiry date',
        'Security code',
        'Email',
      ]);
      await page.getByLabel('Card number').fill('4111111111111111');
      await page.getByLabel('Expiry date').fill('1230');
      await page.getByLabel('Security code').fill('111');
      await page.getByLabel('Email').fill('ada@example.com');
      await pressPay(page);
      await outcome(page, 'Payment successful');
      expect(sent(scene())).toMatchObject({ cardNumber: '4111111111111111', payerEmail: 'ada@example.com' });
      expect(Object.keys(sent(scene()))).not.toContain('nameOnCard');
    });
  },
);

withProfile(
  'Visa with its PIN',
  (profile) => (profile.pinWithCard = ['visa']),
  (open, scene) => {
    test('the PIN with the card, of these brands', async () => {
      const page = await open();
      const pin = page.getByLabel('Card PIN');
      await page.getByLabel('Card number').fill('5060990580000217499');
      expect(await pin.isVisible()).toBe(false);
      await fillCard(page, { number: '4111111111111111' });
      await page.getByText('Visa cards need their PIN.').waitFor();
      await pressPay(page);
      await page.getByText('Card PIN is missing.').waitFor();
      await pin.fill('1111');
      await pressPay(page);
      await outcome(page, 'Payment successful');
      expect(sent(scene())).toMatchObject({ card_pin: '1111' });
    });
  },
);

withProfile(
  'the built-in profile',
  () => undefined,
  (open, scene) => {
    test('a phone number as people of the country write it', async () => {
      const page = await open({ payer: PAYER });
      await fillCard(page, { number: '4111111111111111' });
      const phone = page.getByLabel('Phone');
      await phone.fill('mine');
      await pressPay(page);
      await page.getByText('Enter a phone number').waitFor();
      await phone.fill('0803 111 2222');
      await pressPay(page);
      await outcome(page, 'Payment successful');
      expect(sent(scene())).toMatchObject({ payerPhone: '08031112222' });
    });
  },
);
