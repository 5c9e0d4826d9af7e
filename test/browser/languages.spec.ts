import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { bundleScript } from '../../browser/build/bundle.ts';
import { sessionRequest } from '../harness/client.js';
import { accessibilityFaults, startCheckoutScene, type CheckoutScene } from './checkout-scene.js';

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

test('what a browser says that is no language is passed over', async () => {
  const session = await scene.client.createSession(sessionRequest(stay));
  const { page, faults } = await scene.newPage({});
  // Chromium says so where the system has no locale.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'languages', { value: ['en', 'en-US@posix'] });
  });
  await page.goto(session.checkoutUrl);
  await page.getByRole('radiogroup', { name: 'How do you want to pay?' }).waitFor();
  expect(faults).toEqual([]);
});

test('the npm package finds its languages under their plain names, whatever version answers it', async () => {
  const answer = await fetch(`${scene.tillfront.url}/kit/messages/sw.json`);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(await answer.json()).toEqual(textsOf('sw'));
  const packed = await bundleScript('kit/tillfront.ts', 'newest');
  expect(packed).toContain('messages/sw.json');
  expect(packed).not.toMatch(/[0-9a-f]{16}\/sw\.json/);
});
