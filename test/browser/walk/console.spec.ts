import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { resolve } from 'node:path';
import { expectStatus, type PaymentBody } from '../../harness/client.js';
import { until } from '../../harness/until.js';
import { ENGINES, resize } from '../../setup/browser.js';
import { startServiceScene, type ServiceScene } from '../checkout-scene.js';
import { startVisitors, type Visitor, type Visitors } from './visitor.js';

/** Steps 47 to 60 of the walk: what people find at the console. */

let scene: ServiceScene;
beforeAll(async () => {
  scene = await startServiceScene({ GATEWAY_PROFILE: resolve('sandbox/refunds.profile.json') });
});
afterAll(() => scene.stop());

async function paid(more: object = {}, number = '4111111111111111'): Promise<PaymentBody> {
  const answer = await scene.client.payCard(await scene.client.createSession(more), { card: { number } });
  return expectStatus(answer, 201).body;
}

async function transfer(): Promise<{
  payment: PaymentBody;
  session: Parameters<typeof scene.client.payCard>[0];
}> {
  const session = await scene.client.createSession();
  return { payment: expectStatus(await scene.client.payTransfer(session), 201).body, session };
}

async function refresh({ id }: PaymentBody): Promise<PaymentBody> {
  await scene.client.post(`/v1/payments/${id}/refresh`);
  return scene.client.getPayment(id);
}

/** An order that was paid twice: by card, and by a transfer that had been given up. */
async function paidTwice(): Promise<{ payer: PaymentBody; duplicate: PaymentBody }> {
  const { payment, session } = await transfer();
  await scene.move(payment.gatewayReference, 'expire');
  await refresh(payment);
  const payer = expectStatus(
    await scene.client.payCard(session, { card: { number: '4111111111111111' } }),
    201,
  ).body;
  await scene.move(payment.gatewayReference, 'receive');
  return { payer, duplicate: await refresh(payment) };
}

/** A transfer of which less arrived than is owed. */
async function underpaid(): Promise<PaymentBody> {
  const { payment } = await transfer();
  await scene.move(payment.gatewayReference, 'receive', { amount: '1000.00' });
  return refresh(payment);
}

describe.each(ENGINES)('%s', (engine) => {
  let visitors: Visitors;
  beforeAll(async () => {
    visitors = await startVisitors(engine);
  });
  afterAll(() => visitors.close());

  async function signIn(place: string, key = scene.tillfront.merchantKey): Promise<Visitor> {
    const visitor = await visitors.open('about:blank');
    await visitor.page.evaluateOnNewDocument(() => {
      // A machine on which much time passes at once.
      const now = Date.now.bind(Date);
      const machine = globalThis as unknown as { passed: number };
      machine.passed = 0;
      Date.now = () => now() + machine.passed;
    });
    await visitor.page.goto(`${scene.tillfront.url}/console${place}`);
    const field = await visitor.page.waitForSelector('input[type=password]');
    await field?.type(key);
    await visitor.press('Sign in');
    await visitor.sees('Sign out');
    return visitor;
  }

  /** The words of a payment's row in the list. */
  async function row({ page }: Visitor, { id }: PaymentBody): Promise<string> {
    const link = await page.waitForSelector(`tbody a[data-payment="${id}"]`);
    return (await link?.evaluate((found) => found.closest('tr')?.innerText ?? '')) ?? '';
  }

  const listed = ({ page }: Visitor): Promise<string[]> =>
    page.$$eval('tbody a[data-payment]', (all) => all.map((link) => link.getAttribute('data-payment') ?? ''));

  /** Opens a payment from the list. */
  async function openPayment(visitor: Visitor, { id, reference }: PaymentBody): Promise<void> {
    const link = await visitor.page.waitForSelector(`tbody a[data-payment="${id}"]`);
    await link?.click();
    await visitor.titled(`${reference} – Tillfront console`);
  }

  test('47. One field finds a payment by a part of its reference, whoever paid, its gateway reference, its card or its amount.', async () => {
    const name = engine.toLowerCase();
    const wanted = await paid(
      {
        amount: engine === 'Firefox' ? '1888.00' : '1777.00',
        payer: {
          email: `Chioma.${engine}@example.com`,
          phone: engine === 'Firefox' ? '+2348031112233' : '+2348031112222',
          firstName: 'Chioma',
          lastName: 'Eze',
        },
      },
      engine === 'Firefox' ? '4000000000000101' : '5500000000000103',
    );
    const other = await paid();
    const visitor = await signIn('#payments');
    await row(visitor, wanted);
    for (const words of [
      wanted.reference.slice(6, 16).toLowerCase(),
      `chioma.${name}@EXAMPLE.com`,
      engine === 'Firefox' ? '+2348031112233' : '+2348031112222',
      wanted.gatewayReference,
      engine === 'Firefox' ? '0101' : '0103',
      wanted.amount,
    ]) {
      await visitor.fill('Find a payment', words);
      await visitor.press('Search');
      await until(async () => {
        const found = await listed(visitor);
        return found.includes(wanted.id) && !found.includes(other.id);
      }).catch(() => {
        throw new Error(`${words} did not find it alone`);
      });
      // No address tells of the payer.
      expect(visitor.page.url()).toMatch(/#payments\?search=\d+$/);
      await visitor.press('Clear');
      await row(visitor, other);
    }
    // A search is left and found again like any other place.
    await visitor.page.evaluate(() => history.back());
    await until(async () => !(await listed(visitor)).includes(other.id));
    expect(await visitor.value('Find a payment')).toBe(wanted.amount);
    expect(visitor.faults).toEqual([]);
  });

  test('48. The list says what became of the money: refunded, partly refunded, disputed, duplicate.', async () => {
    const [whole, part, disputed] = [await paid(), await paid(), await paid()];
    await scene.client.post(`/v1/payments/${whole.id}/refunds`);
    await scene.client.post(`/v1/payments/${part.id}/refunds`, { amount: '400.00' });
    await scene.move(disputed.gatewayReference, 'chargeback');
    await refresh(disputed);
    const { duplicate } = await paidTwice();
    const visitor = await signIn('#payments');
    for (const [payment, ...words] of [
      [whole, 'Refunded', '₦1,500.00 refunded'],
      [part, 'Partly refunded', '₦400.00 refunded'],
      [disputed, 'Disputed', '₦1,500.00 disputed'],
      [duplicate, 'Duplicate'],
    ] as const) {
      const text = await row(visitor, payment);
      for (const word of words) expect(text).toContain(word);
    }
    expect(await visitor.axeFaults()).toEqual([]);
    expect(await visitor.brokenSums()).toEqual([]);
  });

  test('49. A duplicate names the payment that it doubles, and each leads to the other.', async () => {
    const { payer, duplicate } = await paidTwice();
    const visitor = await signIn('#payments');
    expect(await row(visitor, duplicate)).toContain(`of ${payer.gatewayReference}`);
    await openPayment(visitor, duplicate);
    await visitor.sees('This order was paid twice: this payment is the duplicate.');
    await visitor.page.$$eval(
      '.detail a',
      (all, name) => all.find(({ textContent }) => textContent === name)?.click(),
      payer.gatewayReference,
    );
    await until(() => visitor.page.url().includes(payer.id));
    await visitor.sees('Other payments of this order');
    expect(await visitor.text()).toContain(duplicate.gatewayReference);
  });

  /** The row of the payment in the table of both sides. */
  const saidByGateway = (visitor: Visitor): Promise<string> =>
    visitor.page.$eval('.sides tbody tr td:last-child', ({ textContent }) => textContent ?? '');

  test('50. "The gateway said" is never what a person said.', async () => {
    const odd = await underpaid();
    // A person says that all of it came, after the gateway spoke of less.
    await scene.client.post(`/v1/payments/${odd.id}/resolve`, {
      status: 'succeeded',
      amountReceived: '1500.00',
      note: 'Seen on the bank statement.',
    });
    expect(await scene.client.getPayment(odd.id)).toMatchObject({ amountCaptured: '1500.00' });
    const visitor = await signIn(`#payments/${odd.id}`);
    await visitor.sees('The gateway said');
    expect(await saidByGateway(visitor)).toBe('No clear answer');
    await visitor.sees('Seen on the bank statement.');
  });

  test('51. A refund is filled in, asked about once more, and a double click is no answer to that.', async () => {
    const payment = await paid();
    const visitor = await signIn('#payments');
    await openPayment(visitor, payment);
    await visitor.press('Refund');
    expect(await visitor.value('Amount')).toBe('1500.00');
    await visitor.fill('Amount', '500.00');
    const ask = await visitor.page.waitForSelector('::-p-aria([name="Refund ₦500.00"][role="button"])');
    await ask?.click({ count: 2 });
    await visitor.sees(`Refund ₦500.00 of ${payment.reference} to the payer? This cannot be undone.`);
    expect((await scene.client.getPayment(payment.id)).amountRefunded).toBeNull();
    expect(await visitor.axeFaults()).toEqual([]);
    await visitor.press('Yes, refund ₦500.00');
    await until(async () => (await scene.client.getPayment(payment.id)).amountRefunded === '500.00');
    await until(async () => (await row(visitor, payment)).includes('₦500.00 refunded'));
  });

  test('52. What needs attention stands folded above the list, with its reason in words.', async () => {
    const odd = await underpaid();
    const visitor = await signIn('#payments');
    await row(visitor, odd);
    const reason = 'The gateway named another amount, currency or reference.';
    expect(await visitor.text()).not.toContain(reason);
    const summary = await visitor.page.waitForSelector('.attention summary');
    expect(await summary?.evaluate(({ textContent }) => textContent)).toMatch(/^Needs attention \(\d+\)$/);
    await summary?.click();
    await visitor.sees(reason);
    const words = await visitor.page.$eval('.attention', (list) => (list as HTMLElement).innerText);
    expect(words).toContain(odd.reference);
    expect(words).not.toMatch(/[a-z]_[a-z]/);
  });

  test('53. The way back from a payment leads to the same place of the list, with the focus on it.', async () => {
    const payments: PaymentBody[] = [];
    for (let index = 0; index < 12; index++) payments.push(await paid());
    const first = payments[0] as PaymentBody;
    const visitor = await signIn('#payments');
    const { page } = visitor;
    await resize(page, 800, 500);
    const link = await page.waitForSelector(`tbody a[data-payment="${first.id}"]`);
    await link?.scrollIntoView();
    const scrolled = await page.evaluate(() => scrollY);
    expect(scrolled).toBeGreaterThan(0);
    await link?.click();
    await visitor.titled(`${first.reference} – Tillfront console`);
    const marked = await page.$$eval('tr[aria-current=true] a', (all) =>
      all.map((found) => found.textContent),
    );
    expect(marked).toEqual([first.reference]);
    await page.evaluate(() => history.back());
    await until(async () => {
      const focused = await page.evaluate(() => document.activeElement?.getAttribute('data-payment'));
      return focused === first.id;
    });
    expect(Math.abs((await page.evaluate(() => scrollY)) - scrolled)).toBeLessThanOrEqual(1);
  });

  test('54. Each page has a title of its own.', async () => {
    const payment = await paid();
    const visitor = await signIn('');
    for (const [place, title] of [
      ['payments', 'Payments'],
      ['audit', 'Audit'],
      [`payments/${payment.id}`, payment.reference],
    ] as const) {
      await visitor.page.evaluate((hash) => (location.hash = hash), place);
      await visitor.titled(`${title} – Tillfront console`);
    }
    expect(visitor.faults).toEqual([]);
  });

  test('55. A reference is copied with one press, which says so.', async () => {
    const payment = await paid();
    const visitor = await signIn(`#payments/${payment.id}`);
    await visitor.page.evaluate(() => {
      const copied: string[] = [];
      Object.assign(globalThis, { copied });
      navigator.clipboard.writeText = (text) => {
        copied.push(text);
        return Promise.resolve();
      };
    });
    await visitor.press('Copy the gateway reference');
    await visitor.sees('Copied');
    const copied = await visitor.page.evaluate(() => (globalThis as unknown as { copied: string[] }).copied);
    expect(copied).toEqual([payment.gatewayReference]);
  });

  test('56. Paper shows the payment, and nothing to press.', async () => {
    const payment = await paid();
    const visitor = await signIn(`#payments/${payment.id}`);
    await visitor.sees(payment.gatewayReference);
    await visitor.page.evaluate(() => {
      // What is for paper is shown as on paper, in every engine.
      for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets])
        for (const rule of sheet.cssRules)
          if (rule instanceof CSSMediaRule && rule.media.mediaText === 'print') rule.media.mediaText = 'all';
    });
    expect(await visitor.text()).toContain(payment.gatewayReference);
    const pressable = await visitor.page.$$eval('nav, button, form, .list', (all) =>
      all.filter((element) => element.getClientRects().length > 0).map(({ outerHTML }) => outerHTML),
    );
    expect(pressable).toEqual([]);
  });

  test('57. What is wrong is said in people’s words, at the field that is marked for it.', async () => {
    const visitor = await signIn('#links');
    await visitor.fill('Reference', 'not a reference');
    await visitor.fill('Amount', '2500.00');
    await visitor.press('Create the link');
    await visitor.sees(/Reference: /);
    const { invalid } = await visitor.marks('Reference');
    expect(invalid).toBe(true);
    expect(await visitor.focused()).toBe('Reference');
    expect(await visitor.text()).not.toMatch(/\/reference|validation-failed|regex/);
    // Put right, it is a link and a code to scan.
    await visitor.fill('Reference', `LINK-${engine}`);
    await visitor.press('Create the link');
    await visitor.page.waitForSelector('svg.qr');
    expect(await visitor.axeFaults()).toEqual([]);
    const payment = await paid();
    await visitor.page.evaluate((hash) => (location.hash = hash), `payments/${payment.id}`);
    await visitor.titled(`${payment.reference} – Tillfront console`);
    await visitor.press('Refund');
    await visitor.fill('Amount', 'all');
    await visitor.press('Refund');
    await visitor.sees('Amount: must be an amount, such as 1500.00');
    expect((await visitor.marks('Amount')).invalid).toBe(true);
    expect(await visitor.axeFaults()).toEqual([]);
  });

  test('58. After 15 minutes without a person the page forgets the key, and says why.', async () => {
    const visitor = await signIn('');
    const pass = (minutes: number): Promise<void> =>
      visitor.page.evaluate((ms) => {
        (globalThis as unknown as { passed: number }).passed += ms;
      }, minutes * 60_000);
    await pass(14);
    await visitor.page.mouse.move(20, 20);
    await visitor.page.mouse.move(60, 60);
    await pass(14);
    // The page looks every five seconds: it has looked by then, and stayed.
    await new Promise((done) => setTimeout(done, 6_000));
    expect(await visitor.text()).toContain('Sign out');
    await pass(2);
    await visitor.sees('You were signed out after 15 minutes without use.');
    expect(await visitor.text()).not.toContain('Sign out');
  });

  test('59. A key pasted with its name, as the configuration has it, signs in.', async () => {
    const visitor = await signIn('', `ops-anna=${scene.tillfront.merchantKey}`);
    await visitor.titled('Overview – Tillfront console');
    const kept = await visitor.page.evaluate(() =>
      JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href]),
    );
    expect(kept).not.toContain(scene.tillfront.merchantKey);
  });
});
