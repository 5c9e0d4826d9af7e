import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sessionRequest, type SessionBody } from '../harness/client.js';
import {
  accessibilityFaults,
  outcome,
  pressPay,
  startCheckoutScene,
  type CheckoutScene,
} from './checkout-scene.js';

/** Money that may be on its way, and money that comes late: the page never says that nobody was charged. */

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await startCheckoutScene();
});
afterAll(() => scene.stop());

const NOT_CHARGED = 'You have not been charged';
const stay = { returnUrl: undefined };

/** A transfer that waits for its money, and the gateway’s name for it. */
async function transferring(): Promise<{
  page: Page;
  session: SessionBody;
  faults: string[];
  move: (move: string, body?: object) => Promise<void>;
}> {
  const session = await scene.client.createSession(sessionRequest(stay));
  const { page, faults } = await scene.open(session);
  await page.getByRole('radio', { name: 'Bank transfer', exact: true }).check();
  await pressPay(page);
  await page.getByRole('heading', { name: 'Transfer ₦1,500.00' }).waitFor();
  const [payment] = await scene.client.paymentsOf(session.reference);
  const move = (name: string, body?: object): Promise<void> =>
    scene.move(payment?.gatewayReference ?? '', name, body);
  return { page, session, faults, move };
}

const send = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'I have sent it' }).click();
  await page.getByText('Most transfers arrive within minutes').waitFor();
};

async function saysNotToPayAgain(page: Page): Promise<void> {
  await page.getByText('If you sent it, do not pay again: the shop will be told').waitFor();
  expect(await page.getByText(NOT_CHARGED).count()).toBe(0);
}

test('sent, then the account expires: the page keeps asking, also after a reload, and late money is seen', async () => {
  const { page, move, faults } = await transferring();
  await send(page);
  await move('expire');
  await outcome(page, 'We are confirming your payment');
  await saysNotToPayAgain(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.reload();
  await outcome(page, 'We are confirming your payment');
  await saysNotToPayAgain(page);
  await move('approve');
  await outcome(page, 'Payment successful');
  expect(faults).toEqual([]);
});

test('sent, expired, and not sent after all: the payer goes on, and is warned', async () => {
  const { page, move } = await transferring();
  await send(page);
  await move('expire');
  await page.getByRole('button', { name: 'I did not pay' }).click();
  await page.getByRole('radiogroup', { name: 'How do you want to pay?' }).waitFor();
  await page.getByText('If you have already paid for this order, do not pay again').waitFor();
  await page.reload();
  await page.getByRole('radiogroup', { name: 'How do you want to pay?' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

describe('canceling what was sent', () => {
  test('is asked about first, and can be thought better of', async () => {
    const { page, session, faults } = await transferring();
    await send(page);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('alert').getByText('do not cancel').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Keep waiting' }).click();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
    const [payment] = await scene.client.paymentsOf(session.reference);
    expect(payment?.status).toBe('requires_action');
    expect(faults).toEqual([]);
  });
});

test('another amount than the one owed: the payer asks the shop first', async () => {
  const { page, move, faults } = await transferring();
  await move('approve', { amount: '1000.00' });
  await page.getByText('Ask the shop before you send any more money').waitFor();
  await outcome(page, 'We are confirming your payment');
  expect(await page.getByText(NOT_CHARGED).count()).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.reload();
  await outcome(page, 'We are confirming your payment');
  expect(faults).toEqual([]);
});
