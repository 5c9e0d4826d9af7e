import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { cardAnswer } from '../harness/gateway-answers.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../harness/scene.js';
import { launchChromium } from '../setup/browser.js';
import { asksForPin, changedProfile } from './built-in-profile.js';

jest.setTimeout(180_000);

const says = (status: string): Behaviour => ({
  do: 'answer',
  body: cardAnswer({ status, amount: '1500.00' }),
});
let scene: Scene;
let browser: Browser;

beforeAll(async () => {
  scene = await startScene('embedded', { GATEWAY_PROFILE: changedProfile(asksForPin) });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await scene.stop();
});

test.each([
  ['en-GB', 'Card PIN', 'Continue', 'That PIN was not accepted.', 'Payment successful'],
  ['fr-FR', 'Code PIN de la carte', 'Continuer', 'Ce code PIN n’a pas été accepté.', 'Paiement réussi'],
])('the page asks for the card’s PIN, in %s', async (locale, label, button, wrong, outcome) => {
  scene.gateway.script('POST /payment/card', says('PIN_REQUIRED'));
  scene.gateway.script('GET /transaction/*', says('PIN_REQUIRED'));
  scene.gateway.script('POST /payment/validate-pin', says('PIN_REQUIRED'), says('SUCCESS'));
  const session = await scene.client.createSession();
  await scene.client.payCard(session);
  const context = await browser.newContext({ locale });
  const page = await context.newPage();
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/pin')) sent.push(request.postDataJSON());
  });
  await page.goto(session.checkoutUrl);
  const pin = page.getByRole('textbox', { name: label });
  await pin.fill('1111');
  // as in the card form: hidden, and not offered to be saved as a password
  expect(await pin.getAttribute('type')).toBe('text');
  expect(
    await pin.evaluate((field) => getComputedStyle(field).getPropertyValue('-webkit-text-security')),
  ).toBe('disc');
  await page.getByRole('button', { name: button }).click();
  await page.getByText(wrong).waitFor();
  await pin.fill('4917');
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('heading', { name: outcome }).waitFor();
  const encrypted = { encryptedPin: expect.stringMatching(/^eyJ[^.]+(\.[^.]+){4}$/) };
  expect(sent).toEqual([encrypted, encrypted]);
  const typed = scene.gateway.requestsTo('POST /payment/validate-pin').slice(-2);
  expect(typed.map(({ json }) => (json as { pin: string }).pin)).toEqual(['1111', '4917']);
  await context.close();
});
