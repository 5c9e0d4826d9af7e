import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionRequest } from '../harness/client.js';
import {
  accessibilityFaults,
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

describe('paying by wallet', () => {
  test.each([
    ['Approve', 'Payment successful', 1],
    ['Decline', 'Payment failed', 0],
  ])('%s at the cashier, then back by the back button', async (decision, heading, charges) => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page, faults } = await scene.open(session);
    await page.getByRole('radio', { name: 'Wallet', exact: true }).check();
    expect(await accessibilityFaults(page)).toEqual([]);
    await pressPay(page);
    await page.getByRole('button', { name: decision }).click();
    await page.getByText(decision === 'Approve' ? 'The order is paid' : 'The order was declined').waitFor();
    await page.goto(session.checkoutUrl);
    await outcome(page, heading);
    expect(await scene.charges(session.reference)).toBe(charges);
    expect(faults).toEqual([]);
  });

  test('back from the cashier without a decision: go there again, or cancel and choose another way', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page, faults } = await scene.open(session);
    await page.getByRole('radio', { name: 'Wallet', exact: true }).check();
    await pressPay(page);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await outcome(page, 'Payment canceled');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try another way' }).click();
    await page.getByRole('radiogroup', { name: 'How do you want to pay?' }).waitFor();
    expect(faults).toEqual([]);
  });
});

describe('paying by bank transfer', () => {
  test('the account, until the money is there', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page, faults } = await scene.open(session, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('radio', { name: 'Bank transfer', exact: true }).check();
    await pressPay(page);
    await page.getByRole('heading', { name: 'Transfer ₦1,500.00' }).waitFor();
    const [payment] = await scene.client.paymentsOf(session.reference);
    const account = payment?.nextAction as unknown as { accountNumber: string };
    await page.getByText(account.accountNumber).waitFor();
    await page.getByRole('button', { name: 'Copy account number' }).click();
    await page.getByText('Copied').first().waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(account.accountNumber);
    const time = page.getByText(/yours for another \d\d:\d\d/);
    const before = await time.textContent();
    await page.waitForFunction(
      (shown) => !document.querySelector('tillfront-checkout')?.textContent?.includes(shown),
      before?.match(/\d\d:\d\d/)?.[0] ?? '',
    );
    expect(await accessibilityFaults(page)).toEqual([]);
    await scene.move(payment?.gatewayReference ?? '', 'approve');
    await outcome(page, 'Payment successful');
    expect(faults).toEqual([]);
  });
});

test('"I have sent it" looks at once, says thank you, and waits on', async () => {
  await scene.notify('drop');
  const session = await scene.client.createSession(sessionRequest(stay));
  const { page, faults } = await scene.open(session);
  await page.getByRole('radio', { name: 'Bank transfer', exact: true }).check();
  await pressPay(page);
  const asked = page.waitForRequest('**/v1/checkout-session');
  await page.getByRole('button', { name: 'I have sent it' }).click();
  await asked;
  await page.getByText('Most transfers arrive within minutes').waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Thank you');
  expect(await page.getByRole('button', { name: 'I have sent it' }).count()).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  await scene.notify('normal');
  const [payment] = await scene.client.paymentsOf(session.reference);
  await scene.move(payment?.gatewayReference ?? '', 'approve');
  await outcome(page, 'Payment successful');
  expect(faults).toEqual([]);
});

describe('a gateway that does not say whose account it is', () => {
  let folder: string;
  let quiet: CheckoutScene;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tillfront-test-quiet-'));
    const profile = join(folder, 'profile.json');
    await writeFile(profile, JSON.stringify({ outcome: { accountName: ['/nowhere'] } }));
    quiet = await startCheckoutScene({ GATEWAY_PROFILE: profile });
  });
  afterAll(async () => {
    await quiet?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('the account is shown without an owner', async () => {
    const session = await quiet.client.createSession(sessionRequest(stay));
    const { page, faults } = await quiet.open(session);
    await page.getByRole('radio', { name: 'Bank transfer', exact: true }).check();
    await pressPay(page);
    await page.getByRole('heading', { name: 'Transfer ₦1,500.00' }).waitFor();
    const [payment] = await quiet.client.paymentsOf(session.reference);
    expect(payment?.nextAction).toMatchObject({ type: 'transfer', accountName: null });
    expect(await page.locator('dl.account dt').allTextContents()).toEqual([
      'Bank',
      'Account number',
      'Amount',
    ]);
    expect(await page.locator('dl.account').textContent()).not.toContain('null');
    expect(faults).toEqual([]);
  });
});

describe('paying by USSD', () => {
  test('the bank, then the code to dial, until it is paid', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page, faults } = await scene.open(session);
    await page.getByRole('radio', { name: 'USSD', exact: true }).check();
    // The banks come a moment after the choice of the method.
    await page.getByLabel('Your bank').locator('option').nth(1).waitFor({ state: 'attached' });
    await pressPay(page);
    expect(await page.getByLabel('Your bank').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Your bank').selectOption({ index: 1 });
    expect(await accessibilityFaults(page)).toEqual([]);
    await pressPay(page);
    await page.getByRole('heading', { name: 'Dial this code' }).waitFor();
    const [payment] = await scene.client.paymentsOf(session.reference);
    const { code } = payment?.nextAction as unknown as { code: string };
    const dial = page.getByRole('link', { name: 'Dial' });
    expect(await dial.getAttribute('href')).toBe(`tel:${code.replaceAll('#', '%23')}`);
    expect(await accessibilityFaults(page)).toEqual([]);
    await scene.move(payment?.gatewayReference ?? '', 'approve');
    await outcome(page, 'Payment successful');
    expect(faults).toEqual([]);
  });

  test.each([
    ['at a desk', {}, ['Copy', 'Dial', 'I have paid', 'Cancel']],
    ['on a phone', { hasTouch: true, isMobile: true }, ['Dial', 'Copy', 'I have paid', 'Cancel']],
  ])('%s what helps most comes first', async (_, device, order) => {
    const { page } = await scene.open(await scene.client.createSession(sessionRequest(stay)), {
      viewport: { width: 390, height: 740 },
      ...device,
    });
    await page.getByRole('radio', { name: 'USSD', exact: true }).check();
    await page.getByLabel('Your bank').selectOption({ index: 1 });
    await pressPay(page);
    await page.getByRole('heading', { name: 'Dial this code' }).waitFor();
    const shown = await page
      .locator('tillfront-checkout .view')
      .evaluate((view) =>
        [...view.querySelectorAll('a, button')].map((control) => control.textContent?.trim() ?? ''),
      );
    expect(shown.map((text, index) => text.startsWith(order[index] ?? '-'))).toEqual(order.map(() => true));
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('canceled when it is paid already: paid is what the payer sees', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page } = await scene.open(session);
    await page.getByRole('radio', { name: 'USSD', exact: true }).check();
    await page.getByLabel('Your bank').selectOption({ index: 1 });
    await pressPay(page);
    await page.getByRole('heading', { name: 'Dial this code' }).waitFor();
    const [payment] = await scene.client.paymentsOf(session.reference);
    // A notification would bring the news before the payer cancels.
    await scene.notify('drop');
    await scene.move(payment?.gatewayReference ?? '', 'approve');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await outcome(page, 'Payment successful');
    await scene.notify('normal');
  });
});
