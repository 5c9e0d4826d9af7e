import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sessionRequest } from '../harness/client.js';
import {
  accessibilityFaults,
  fillCard,
  outcome,
  pressPay,
  startCheckoutScene,
  type CheckoutScene,
} from './checkout-scene.js';

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await startCheckoutScene();
});
afterAll(() => scene.stop());

const stay = { returnUrl: undefined };

test.each([320, 360, 1280])('at %d pixels nothing is cut off or scrolls sideways', async (width) => {
  const session = await scene.client.createSession(
    sessionRequest({ ...stay, payer: undefined, billing: undefined, amount: '123456789.00' }),
  );
  const { page } = await scene.open(session, { viewport: { width, height: 640 } });
  await page.getByLabel('Card number').fill('5060990580000217499');
  const measures = await page.evaluate(() => {
    const root = document.querySelector('tillfront-checkout');
    const controls = [...(root?.querySelectorAll<HTMLElement>('input, select, button, a, h2') ?? [])];
    const number = root?.querySelector<HTMLInputElement>('[autocomplete=cc-number]');
    return {
      page: document.documentElement.scrollWidth,
      outside: controls.filter((element) => element.getBoundingClientRect().right > innerWidth).length,
      small: controls.filter((element) => {
        const { width: across, height } = element.getBoundingClientRect();
        return element.matches('button, a, input') && across > 0 && (height < 24 || across < 24);
      }).length,
      hiddenDigits: number ? number.scrollWidth - number.clientWidth : -1,
    };
  });
  expect(measures).toEqual({ page: width, outside: 0, small: 0, hiddenDigits: 0 });
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('in the dark the contrast is enough too', async () => {
  const { page } = await scene.open(await scene.client.createSession(sessionRequest(stay)), {
    colorScheme: 'dark',
  });
  expect(await accessibilityFaults(page)).toEqual([]);
  await fillCard(page, { number: '4000000000000309' });
  await pressPay(page);
  await outcome(page, 'Payment failed');
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('in French, down to the amount', async () => {
  const { page, faults } = await scene.open(await scene.client.createSession(sessionRequest(stay)), {
    locale: 'fr-FR',
  });
  await page.getByRole('radiogroup', { name: 'Comment voulez-vous payer ?' }).waitFor();
  await page.getByRole('radio', { name: 'Carte' }).waitFor();
  await page.getByRole('button', { name: /^Payer 1\s500,00\s₦$/ }).waitFor();
  expect(await page.locator('tillfront-checkout .frame').getAttribute('lang')).toBe('fr-FR');
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test('typing in the middle of a number leaves the caret where it is', async () => {
  const { page } = await scene.open(await scene.client.createSession(sessionRequest(stay)));
  const number = page.getByLabel('Card number');
  const caret = (): Promise<number | null> =>
    number.evaluate((input) => (input as HTMLInputElement).selectionStart);
  await number.fill('4111111111111111');
  await number.evaluate((input) => (input as HTMLInputElement).setSelectionRange(7, 7));
  await page.keyboard.type('5');
  expect(await number.inputValue()).toBe('4111 1151 1111 1111 1');
  expect(await caret()).toBe(8);
  await page.keyboard.press('Backspace');
  expect(await number.inputValue()).toBe('4111 1111 1111 1111');
  expect(await caret()).toBe(7);
  // over a space: the digit before it goes
  await number.evaluate((input) => (input as HTMLInputElement).setSelectionRange(5, 5));
  await page.keyboard.press('Backspace');
  expect(await number.inputValue()).toBe('4111 1111 1111 111');
  expect(await caret()).toBe(3);
  // and by the other key the digit behind it
  await number.fill('4123 4567');
  await number.evaluate((input) => (input as HTMLInputElement).setSelectionRange(4, 4));
  await page.keyboard.press('Delete');
  expect(await number.inputValue()).toBe('4123 567');
});

test('a number is pasted with whatever stands between its digits', async () => {
  const { page } = await scene.open(await scene.client.createSession(sessionRequest(stay)), {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.evaluate(() => navigator.clipboard.writeText(' 5060-9905 8000\u00a00217 499\n'));
  await page.getByLabel('Card number').focus();
  await page.keyboard.press('Control+V');
  expect(await page.getByLabel('Card number').inputValue()).toBe('5060 9905 8000 0217 499');
});

test('browsers may fill the card in, and phones show digits', async () => {
  const { page } = await scene.open(await scene.client.createSession(sessionRequest(stay)));
  await page.getByLabel('Card number').fill('5060990580000217499');
  const attributes = await page.evaluate(() => {
    const root = document.querySelector('tillfront-checkout');
    return [...(root?.querySelectorAll('form .panel input') ?? [])].map(
      (input) => `${input.getAttribute('autocomplete')} ${input.getAttribute('inputmode') ?? ''}`,
    );
  });
  expect(attributes).toEqual([
    'cc-number numeric',
    'cc-exp numeric',
    'cc-csc numeric',
    'off numeric',
    'cc-name ',
  ]);
  // the year as browsers fill it in
  await page.getByLabel('Expiry date').fill('12/2030');
  await page.getByLabel('Expiry date').blur();
  expect(await page.getByLabel('Expiry date').getAttribute('aria-invalid')).toBe(null);
});
