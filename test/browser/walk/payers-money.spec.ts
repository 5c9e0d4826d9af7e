import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { resolve } from 'node:path';
import { expectStatus, type PaymentBody, type SessionBody } from '../../harness/client.js';
import { ENGINES } from '../../setup/browser.js';
import { startServiceScene, type ServiceScene } from '../checkout-scene.js';
import { startVisitors, type Machine, type Visitor, type Visitors } from './visitor.js';

/**
 * A walk through the pages, one promise a step, in two engines. Steps 1 to 19: what a payer is told of their money. The other
 * steps stand in the files beside this one.
 */

const NOT_CHARGED = 'You have not been charged';
const NOT_AGAIN = 'do not pay again: the shop will be told';
const HOUR = 3_600_000;

let scene: ServiceScene;
beforeAll(async () => {
  scene = await startServiceScene({
    MERCHANT_NAME: 'Shop',
    GATEWAY_PROFILE: resolve('sandbox/refunds.profile.json'),
  });
});
afterAll(() => scene.stop());

describe.each(ENGINES)('%s', (engine) => {
  let visitors: Visitors;
  beforeAll(async () => {
    visitors = await startVisitors(engine);
  });
  afterAll(() => visitors.close());

  const newSession = (more: object = {}): Promise<SessionBody> =>
    scene.client.createSession({ returnUrl: undefined, ...more });

  const paymentOf = async ({ reference }: SessionBody): Promise<PaymentBody> =>
    (await scene.client.paymentsOf(reference))[0] as PaymentBody;

  interface Transferring {
    visitor: Visitor;
    session: SessionBody;
    move: (move: string, body?: object) => Promise<void>;
  }

  /** A payer at the account of a transfer. */
  async function transferring(): Promise<Transferring> {
    const session = await newSession();
    const visitor = await visitors.checkout(session);
    await visitor.by('Bank transfer');
    await visitor.pay();
    await visitor.sees('Transfer ₦1,500.00');
    const { gatewayReference } = await paymentOf(session);
    return { visitor, session, move: (move, body) => scene.move(gatewayReference, move, body) };
  }

  async function send(visitor: Visitor): Promise<void> {
    await visitor.press('I have sent it');
    await visitor.sees('Most transfers arrive within minutes');
  }

  async function saysNotAgain(visitor: Visitor): Promise<void> {
    await visitor.sees(NOT_AGAIN);
    expect(await visitor.text()).not.toContain(NOT_CHARGED);
  }

  /** Somebody who opens a checkout after it was paid by card. */
  async function after(number: string, then: (payment: PaymentBody) => Promise<unknown>): Promise<Visitor> {
    const session = await newSession();
    const answer = await scene.client.payCard(session, { card: { number } });
    await then(expectStatus(answer, 201).body);
    return visitors.checkout(session);
  }

  const refund = async (payment: PaymentBody, amount?: string): Promise<void> => {
    await scene.move(payment.gatewayReference, 'refund', amount === undefined ? {} : { amount });
    await scene.client.post(`/v1/payments/${payment.id}/refresh`);
  };

  test('1. Sent money whose time ran out is being confirmed, and nobody says that it was not charged.', async () => {
    const { visitor, move } = await transferring();
    await send(visitor);
    await move('expire');
    await visitor.outcome('We are confirming your payment');
    await saysNotAgain(visitor);
    expect(await visitor.axeFaults()).toEqual([]);
    await move('approve');
    await visitor.outcome('Payment successful');
    expect(visitor.faults).toEqual([]);
  });

  test('2. An account that ran out without a word of the payer says "If you sent it, do not pay again".', async () => {
    const { visitor, move } = await transferring();
    await move('expire');
    await visitor.outcome('Payment failed');
    await saysNotAgain(visitor);
    await move('approve');
    await visitor.outcome('Payment successful');
  });

  test('3. Whoever cancels what they said they sent is asked first, and told not to pay again after.', async () => {
    const { visitor } = await transferring();
    await send(visitor);
    await visitor.press('Cancel');
    await visitor.sees('If you did, do not cancel');
    expect(await visitor.axeFaults()).toEqual([]);
    await visitor.press('Cancel anyway');
    await visitor.outcome('Payment canceled');
    await saysNotAgain(visitor);
  });

  test('4. Late money corrects the open page of a canceled payment.', async () => {
    const { visitor, move } = await transferring();
    await visitor.press('Cancel');
    await visitor.outcome('Payment canceled');
    await move('approve');
    await visitor.outcome('Payment successful');
    await visitor.titled('Paid – Shop');
  });

  test('5. Late money corrects a page on which another way is being chosen.', async () => {
    const { visitor, move } = await transferring();
    await visitor.press('Cancel');
    await visitor.outcome('Payment canceled');
    await visitor.press('Try another way');
    await visitor.sees('If you have already paid for this order, do not pay again');
    await move('approve');
    await visitor.outcome('Payment successful');
  });

  test('6. A closed checkout still says not to pay again, and late money corrects it too.', async () => {
    const { visitor, session, move } = await transferring();
    await visitor.press('Cancel');
    await visitor.outcome('Payment canceled');
    await scene.client.post(`/v1/checkout-sessions/${session.id}/close`);
    await visitor.page.reload();
    await visitor.outcome('This checkout is closed');
    await saysNotAgain(visitor);
    await move('approve');
    await visitor.outcome('Payment successful');
  });

  test('7. A card payment canceled after a visit to the bank’s page is not called uncharged.', async () => {
    const visitor = await visitors.checkout(await newSession());
    await visitor.payCard('4000000000000804');
    await visitor.sees('Approve');
    await visitor.page.goBack();
    await visitor.sees('One more step');
    await visitor.press('Cancel');
    await visitor.outcome('Payment canceled');
    await saysNotAgain(visitor);
  });

  test('8. An outcome that nobody knows is called so, with "Do not pay again" and nothing to pay with.', async () => {
    const session = await newSession();
    const visitor = await visitors.checkout(session);
    await visitor.payCard('4000000000001125');
    await visitor.outcome('We are confirming your payment');
    await visitor.sees('Do not pay again');
    expect(await visitor.text()).not.toContain(NOT_CHARGED);
    expect(await visitor.offers('Pay ₦1,500.00')).toBe(false);
    expect(await visitor.offers('Try another way')).toBe(false);
  });

  test('9. Only where the bank itself refused is a payer told that they were not charged.', async () => {
    const session = await newSession();
    const visitor = await visitors.checkout(session);
    await visitor.payCard('4000000000000309');
    await visitor.outcome('Payment failed');
    await visitor.sees(NOT_CHARGED);
    expect(await scene.charges(session.reference)).toBe(0);
  });

  /** The minutes for which an account is promised on a machine whose clock is wrong, and a card that is good for years. */
  async function clockIsNotBelieved(clockOffBy: number): Promise<void> {
    const machine: Machine = { clockOffBy };
    const transfer = await visitors.checkout(await newSession(), machine);
    const told = await transfer.page.evaluate(() => Date.now());
    expect(Math.abs(told - Date.now() - clockOffBy)).toBeLessThan(60_000);
    await transfer.by('Bank transfer');
    await transfer.pay();
    await transfer.sees(/yours for another \d\d:\d\d/);
    const [, minutes = ''] = /another (\d\d):/.exec(await transfer.text()) ?? [];
    // The sandbox keeps an account for half an hour.
    expect(Number(minutes)).toBeGreaterThan(20);
    expect(Number(minutes)).toBeLessThanOrEqual(30);
    const card = await visitors.checkout(await newSession(), machine);
    await card.payCard('4111111111111111');
    await card.outcome('Payment successful');
    const expired = await visitors.checkout(await newSession(), machine);
    await expired.fillCard('4111111111111111', { expiry: '0120' });
    await expired.pay();
    await expired.sees('This card has expired.');
  }

  test('10. A phone whose clock is 45 minutes fast promises and refuses what any other does.', () =>
    clockIsNotBelieved(0.75 * HOUR));

  test('11. So does a phone that is a day slow.', () => clockIsNotBelieved(-24 * HOUR));

  test('12. So does a phone that is years ahead, or behind.', async () => {
    await clockIsNotBelieved(6 * 365 * 24 * HOUR);
    await clockIsNotBelieved(-10 * 365 * 24 * HOUR);
  });

  test('13. Canadian, Australian, Mexican and US dollars can be told apart, in every language.', async () => {
    const currencies = ['USD', 'CAD', 'AUD', 'MXN'];
    for (const languages of [['en-US'], ['en-CA'], ['fr-CA'], ['es-MX'], ['pt-BR'], ['sw-KE']]) {
      const said: string[] = [];
      for (const currency of currencies) {
        const visitor = await visitors.checkout(await newSession({ currency }), { languages });
        const amount = await visitor.page.$eval('.summary .sum', ({ textContent }) => textContent);
        said.push(amount ?? '');
        await visitor.page.close();
      }
      const signs = said.map((amount) => amount.replaceAll(/[\s\d.,]/g, ''));
      expect([languages, new Set(signs).size, signs]).toEqual([languages, 4, signs]);
    }
  });

  test('14. Money that is only held is called reserved, and not paid.', async () => {
    const visitor = await after('4000000000000903', () => Promise.resolve());
    await visitor.sees('Payment authorized');
    await visitor.sees('₦1,500.00 is reserved for this order.');
    expect(await visitor.text()).not.toMatch(/\bpaid\b/i);
  });

  test('15. Refunded money is called refunded, and not a success.', async () => {
    const visitor = await after('4111111111111111', (payment) => refund(payment));
    await visitor.sees('Payment refunded');
    await visitor.sees('₦1,500.00 was given back to you.');
    expect(await visitor.text()).not.toContain('Payment successful');
  });

  test('16. A payment of which a part came back says which part.', async () => {
    const visitor = await after('4111111111111111', (payment) => refund(payment, '400.00'));
    await visitor.sees('You paid ₦1,500.00.');
    await visitor.sees('₦400.00 of it was given back to you.');
  });

  test('17. Less money than is owed is named, with "Ask the shop before you send any more money".', async () => {
    const { visitor, move } = await transferring();
    await move('approve', { amount: '1000.00' });
    await visitor.outcome('Part of the money arrived');
    await visitor.sees('₦1,000.00 of ₦1,500.00 arrived.');
    await visitor.sees('Ask the shop before you send any more money');
    expect(await visitor.text()).not.toContain(NOT_CHARGED);
  });

  test('18. The longest amounts never break inside their digits on the narrowest phone.', async () => {
    for (const [currency, amount] of [
      ['NGN', '123456789.00'],
      ['USD', '123456789.00'],
      ['JPY', '123456789'],
      ['KWD', '123456789.000'],
      ['XOF', '123456789'],
    ]) {
      const visitor = await visitors.checkout(await newSession({ currency, amount }), { width: 320 });
      expect((await visitor.page.$$('.sum')).length).toBeGreaterThanOrEqual(2);
      expect([currency, await visitor.brokenSums(), await visitor.overflow()]).toEqual([currency, [], 0]);
      await visitor.page.close();
    }
  });

  test('19. An order that was paid is shown as paid, whoever opens it, and offers nothing to pay.', async () => {
    const visitor = await after('4111111111111111', () => Promise.resolve());
    await visitor.sees('Payment successful');
    await visitor.sees('You paid ₦1,500.00.');
    expect(await visitor.offers('Pay ₦1,500.00')).toBe(false);
    expect(visitor.faults).toEqual([]);
  });
});
