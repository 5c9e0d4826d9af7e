import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { bundleScript } from '../../browser/build/bundle.ts';
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
  scene = await startCheckoutScene({ MERCHANT_NAME: 'Ada’s Books' });
});
afterAll(() => scene.stop());

const stay = { returnUrl: undefined };

const textsOf = (language: string): Record<string, string> =>
  JSON.parse(
    readFileSync(new URL(`../../browser/messages/${language}.json`, import.meta.url), 'utf8'),
  ) as Record<string, string>;

describe.each([
  ['ar', 'ar-EG', 'rtl'],
  ['es', 'es-GQ', 'ltr'],
  ['fr', 'fr-CI', 'ltr'],
  ['ha', 'ha-NG', 'ltr'],
  ['pt', 'pt-MZ', 'ltr'],
  ['sw', 'sw-KE', 'ltr'],
])('%s', (language, locale, direction) => {
  test('is loaded whole, from an address that never changes, and the page says so', async () => {
    const texts = textsOf(language);
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page, faults } = await scene.newPage({ locale, viewport: { width: 360, height: 740 } });
    const loading = page.waitForResponse((response) => response.url().endsWith(`/${language}.json`));
    await page.goto(session.checkoutUrl);
    await page.getByRole('radiogroup', { name: texts['chooseMethod'] ?? '' }).waitFor();
    const loaded = await loading;
    expect(new URL(loaded.url()).pathname).toMatch(/^\/kit\/[0-9a-f]{16}\/\w+\.json$/);
    expect(loaded.headers()['cache-control']).toContain('immutable');
    const root = page.locator('html');
    expect([await root.getAttribute('lang'), await root.getAttribute('dir')]).toEqual([locale, direction]);
    expect(await page.title()).toBe(`${texts['checkout'] ?? ''} – Ada’s Books`);
    await page.getByRole('heading', { level: 1, name: texts['checkout'] ?? '' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});

test('Arabic stands from right to left, and numbers in it from left to right', async () => {
  const session = await scene.client.createSession(sessionRequest(stay));
  const { page } = await scene.open(session, { locale: 'ar', viewport: { width: 360, height: 740 } });
  const number = page.getByLabel(textsOf('ar')['card.number'] ?? '');
  await number.fill('4111111111111111');
  expect(await number.inputValue()).toBe('4111 1111 1111 1111');
  expect(await number.evaluate((input) => getComputedStyle(input).direction)).toBe('ltr');
  const [first = 0, second = 0] = await page
    .locator('tillfront-checkout .method')
    .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().left));
  expect(first).toBeGreaterThan(second);
});

test('a payer chooses another language: nothing typed is lost, and the tab remembers it', async () => {
  const session = await scene.client.createSession(sessionRequest({ ...stay, billing: undefined }));
  const { page, faults } = await scene.open(session);
  await fillCard(page, { number: '5060990580000217499', pin: '1111' });
  await page.getByLabel('Street').fill('1 Marina');
  const choice = page.getByRole('combobox', { name: 'Language' });
  expect(await choice.locator('option').allTextContents()).toEqual(
    expect.arrayContaining(['English', 'العربية', 'Español', 'Français', 'Hausa', 'Português', 'Kiswahili']),
  );
  await choice.focus();
  await choice.selectOption('sw');
  const texts = textsOf('sw');
  const label = (key: string): ReturnType<typeof page.getByLabel> =>
    page.getByLabel(texts[key] ?? '', { exact: true });
  await label('card.number').waitFor();
  expect(await label('card.number').inputValue()).toBe('5060 9905 8000 0217 499');
  expect(await label('card.expiry').inputValue()).toBe('12 / 30');
  expect(await label('card.securityCode').inputValue()).toBe('111');
  expect(await label('card.pin').inputValue()).toBe('1111');
  expect(await label('card.name').inputValue()).toBe('Ada Obi');
  expect(await label('billing.street').inputValue()).toBe('1 Marina');
  // the focus stays with the choice
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT');
  await page.reload();
  await page.getByRole('radiogroup', { name: texts['chooseMethod'] ?? '' }).waitFor();
  expect(faults).toEqual([]);
});

test('where the browser’s language is not there, the session’s is', async () => {
  const session = await scene.client.createSession(sessionRequest(stay));
  const { page } = await scene.newPage({ locale: 'de-DE' });
  await page.route('**/v1/checkout-session', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      json: { ...((await answer.json()) as object), locale: 'fr-CI' },
    });
  });
  await page.goto(session.checkoutUrl);
  await page.getByRole('radiogroup', { name: textsOf('fr')['chooseMethod'] ?? '' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('fr-CI');
});

test('a language that is neither is English, and so is one whose file was changed on the way', async () => {
  const session = await scene.client.createSession(sessionRequest(stay));
  const german = await scene.open(session, { locale: 'de-DE' });
  await german.page.getByRole('radiogroup', { name: 'How do you want to pay?' }).waitFor();
  const { page } = await scene.newPage({ locale: 'fr-FR' });
  await page.route('**/kit/*/fr.json', async (route) => {
    const texts = { ...textsOf('fr'), notCharged: 'Payez à nouveau.' };
    await route.fulfill({ json: texts });
  });
  await page.goto(session.checkoutUrl);
  await page.getByRole('radiogroup', { name: 'How do you want to pay?' }).waitFor();
});

test('the npm package finds its languages under their plain names, whatever version answers it', async () => {
  const answer = await fetch(`${scene.tillfront.url}/kit/messages/sw.json`);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(await answer.json()).toEqual(textsOf('sw'));
  const packed = await bundleScript('kit/tillfront.ts', 'newest');
  expect(packed).toContain('messages/sw.json');
  expect(packed).not.toMatch(/[0-9a-f]{16}\/sw\.json/);
});

test('the page’s title says what a payer has to know: a mistake, and that it is paid', async () => {
  const { page } = await scene.open(await scene.client.createSession(sessionRequest(stay)));
  expect(await page.title()).toBe('Checkout – Ada’s Books');
  await pressPay(page);
  await page.waitForFunction(() => document.title === 'Error: Checkout – Ada’s Books');
  await fillCard(page, { number: '4000000000000309' });
  await pressPay(page);
  await outcome(page, 'Payment failed');
  expect(await page.title()).toBe('Payment failed – Ada’s Books');
  await fillCard(page, { number: '4111111111111111' });
  await pressPay(page);
  await outcome(page, 'Payment successful');
  expect(await page.title()).toBe('Paid – Ada’s Books');
});
