import { describe, expect } from '@jest/globals';
import { expectStatus, problemOf } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import {
  announcedOf,
  expectGivenBack,
  giveBack,
  lost,
  paid,
  REFUND,
  refundsOf,
  refundsSent,
  refused,
  resolveRefund,
  says,
  withRefunds,
  withRefundStatus,
} from './refunds.js';
import { sideBySide, type Scenario } from './scenarios.js';
import {
  act,
  answer,
  asked,
  noWord,
  questions,
  say,
  VOID,
  voided,
  will,
  type Situation,
} from './situations.js';
import { storedRows } from './stored-time.js';
import { eventsOf, paidTwice } from './two-paid.js';

const YEAR = 365 * 24 * 3_600_000;

/** What is known to have been heard of the payment's refunds was heard ten minutes earlier. */
const tenMinutesPass = (scene: Scene, { id }: Situation['payment']): Promise<unknown> =>
  storedRows(
    scene,
    `update operations set fall_heard_at = fall_heard_at - 600000 where payment_id = '${id}' and type = 'refund'`,
  );

/** A payment whose void time has ended: the gateway never answered it and went on saying that it is paid. */
async function voidEndedByTime(scene: Scene, { payment }: Situation): Promise<void> {
  will(scene, VOID, payment, lost);
  say(scene, payment, says('SUCCESS'));
  expectStatus(await act(scene, 'void', payment), 202);
  const denied = async (): Promise<boolean> =>
    (await eventsOf(scene, payment)).some(({ type }) => type === 'payment.operation_refused');
  await until(denied, 60_000);
}

const bySum: Record<string, Scenario<Scene>> = {
  'a reversal of a part beside a refund may be besides it: nothing more is left, and a person looks': async (
    scene,
  ) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'));
    expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 201);
    say(scene, payment, says('VOIDED', { amount: '1000.00' }));
    expect(await asked(scene, payment)).toMatchObject({ amountRefunded: '1500.00', needsAttention: true });
    const more = problemOf(expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 409));
    expect(more.code).toBe('invalid-state');
    expect(refundsSent(scene, payment)).toHaveLength(1);
    // The same answer counts once, and a person settles it once.
    expect(await asked(scene, payment)).toMatchObject({ amountRefunded: '1500.00', needsAttention: true });
    expectStatus(await act(scene, 'resolve', payment, { status: 'succeeded', note: 'Looked.' }), 200);
    expect(await asked(scene, payment)).toMatchObject({ amountRefunded: '1500.00', needsAttention: false });
  },

  'a reversal of a part after a smaller refund counts once, however often it is heard': async (scene) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'));
    expectStatus(await giveBack(scene, payment, { amount: '300.00' }), 201);
    say(scene, payment, says('VOIDED', { amount: '400.00' }));
    for (let times = 0; times < 3; times += 1) {
      expect(await asked(scene, payment)).toMatchObject({ amountRefunded: '700.00', needsAttention: true });
    }
  },

  'one that names what was given back in all is clear': async (scene) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'));
    expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 201);
    say(scene, payment, says('VOIDED', { amount: '1500.00', refundedAmount: '1000.00' }));
    expect(await asked(scene, payment)).toMatchObject({ amountRefunded: '1000.00', needsAttention: false });
  },

  'one that was refused in words and done all the same is not made again': async (scene) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, refused, says('PARTIALLY_REFUNDED'));
    const first = expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 409);
    expect(problemOf(first).code).toBe('gateway-refused');
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '500.00' }));
    const again = expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 409);
    expect(problemOf(again).code).toBe('invalid-state');
    expect(refundsSent(scene, payment)).toHaveLength(1);
    expect((await scene.client.getPayment(payment.id)).needsAttention).toBe(true);
    const [refund] = await refundsOf(scene, payment);
    if (!refund) throw new Error('no refund');
    expectStatus(await resolveRefund(scene, payment, refund, 'succeeded'), 200);
    await expectGivenBack(scene, payment, '500.00', ['succeeded']);
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '500.00' }));
    expect((await asked(scene, payment)).needsAttention).toBe(false);
    expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 201);
    await expectGivenBack(scene, payment, '1000.00', ['succeeded', 'succeeded']);
  },

  'where a person says that it failed indeed, it can be made again, though the sum goes on holding it':
    async (scene) => {
      const { payment } = await paid(scene);
      say(scene, payment, says('SUCCESS'));
      will(scene, REFUND, payment, refused, says('REFUNDED'));
      expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 409);
      say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '500.00' }));
      expect(await asked(scene, payment)).toMatchObject({ amountRefunded: '500.00', needsAttention: true });
      const [refund] = await refundsOf(scene, payment);
      if (!refund) throw new Error('no refund');
      expectStatus(await resolveRefund(scene, payment, refund, 'failed'), 200);
      expect(await asked(scene, payment)).toMatchObject({ amountRefunded: null, needsAttention: false });
      expect(expectStatus(await giveBack(scene, payment), 201).body.amount).toBe('1500.00');
      await expectGivenBack(scene, payment, '1500.00', ['failed', 'succeeded']);
    },

  'a refusal in words is followed by a question at once': async (scene) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'), says('PARTIALLY_REFUNDED', { refundedAmount: '500.00' }));
    will(scene, REFUND, payment, refused);
    expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 409);
    await until(async () => (await scene.client.getPayment(payment.id)).needsAttention);
    expect(questions(scene, payment)).toBe(2);
  },

  'the gateway gave another sum back by itself: that is no refused refund': async (scene) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, refused, says('PARTIALLY_REFUNDED'));
    expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 409);
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '400.00' }));
    expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 201);
    await expectGivenBack(scene, payment, '900.00', ['failed', 'succeeded']);
  },

  'after a void that time has ended nothing is given back without a fresh answer, of the whole order': async (
    scene,
  ) => {
    const twice = await paidTwice(scene, ['TX-A', 'TX-B']);
    const [first, second] = [twice.first, twice.second];
    say(scene, second.payment, says('SUCCESS'));
    await voidEndedByTime(scene, first);
    will(scene, REFUND, first.payment, says('REFUNDED'));
    say(scene, first.payment, noWord);
    for (const { payment } of [first, second]) {
      const answered = expectStatus(await giveBack(scene, payment), 409);
      expect(problemOf(answered)).toMatchObject({ code: 'outcome-unknown', paymentId: first.payment.id });
    }
    const voiding = expectStatus(await act(scene, 'void', second.payment), 409);
    expect(problemOf(voiding)).toMatchObject({ code: 'outcome-unknown', paymentId: first.payment.id });
    expect(refundsSent(scene, first.payment)).toEqual([]);
    say(scene, first.payment, answer(voided));
    expect(problemOf(expectStatus(await giveBack(scene, first.payment), 409)).code).toBe('invalid-state');
    expect(refundsSent(scene, first.payment)).toEqual([]);
  },

  'a reversal of the whole beside a refund, after a void that time has ended, needs a person': async (
    scene,
  ) => {
    const found = await paid(scene);
    const { payment } = found;
    await voidEndedByTime(scene, found);
    will(scene, REFUND, payment, says('REFUNDED'));
    expectStatus(await giveBack(scene, payment), 201);
    say(scene, payment, answer(voided));
    expect(await asked(scene, payment)).toMatchObject({ status: 'succeeded', needsAttention: true });
    expectStatus(await act(scene, 'resolve', payment, { status: 'succeeded', note: 'Both came.' }), 200);
    expect((await asked(scene, payment)).needsAttention).toBe(false);
  },

  'a person says that one bounced, also without attention: it failed late and can be made again': async (
    scene,
  ) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'), says('REFUNDED'));
    const made = expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 201).body;
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '500.00' }));
    await asked(scene, payment);
    const resolved = expectStatus(await resolveRefund(scene, payment, made, 'failed'), 200).body;
    expect(resolved).toMatchObject({ status: 'succeeded', amountRefunded: null, needsAttention: false });
    await expectGivenBack(scene, payment, null, ['failed']);
    await announcedOf(scene, payment, 2);
    const told = (await eventsOf(scene, payment)).filter(({ type }) => type.startsWith('payment.refund'));
    expect(told.at(-1)).toMatchObject({
      type: 'payment.refund_failed',
      late: true,
      operation: { amount: '500.00', refundId: made.id },
      data: { amountRefunded: null },
    });
    // The gateway's sum goes on holding it.
    expect(await asked(scene, payment)).toMatchObject({ amountRefunded: null, needsAttention: false });
    expect(expectStatus(await giveBack(scene, payment), 201).body.amount).toBe('1500.00');
    await expectGivenBack(scene, payment, '1500.00', ['failed', 'succeeded']);
    const again = await resolveRefund(scene, payment, made, 'failed');
    expect(problemOf(expectStatus(again, 409)).code).toBe('invalid-state');
  },
};

Object.assign(bySum, {
  'the key of a refund answers for longer than any other': async (scene) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'));
    const idempotencyKey = `lasting-${payment.id}`;
    const made = expectStatus(await giveBack(scene, payment, { amount: '5.00' }, { idempotencyKey }), 201);
    await storedRows(
      scene,
      `update idempotency_keys set created_at = created_at - ${YEAR}, expires_at = expires_at - ${YEAR} where key = '${idempotencyKey}'`,
    );
    const again = await giveBack(scene, payment, { amount: '5.00' }, { idempotencyKey });
    expect(expectStatus(again, 200).body.id).toBe(made.body.id);
    expect(refundsSent(scene, payment)).toHaveLength(1);
  },

  'a fall of the sum by a refund that it held, heard again ten minutes later, is a bounce': async (scene) => {
    const { payment } = await paid(scene);
    const sum = (refundedAmount: string) => {
      say(scene, payment, says('SUCCESS', { refundedAmount }));
    };
    sum('0.00');
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'));
    expectStatus(await giveBack(scene, payment, { amount: '300.00' }), 201);
    // The sum only lags behind: it never held the refund.
    await asked(scene, payment);
    await tenMinutesPass(scene, payment);
    await asked(scene, payment);
    sum('300.00');
    await asked(scene, payment);
    expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 201);
    await expectGivenBack(scene, payment, '800.00', ['succeeded', 'succeeded']);
    sum('800.00');
    await asked(scene, payment);
    // Heard once, and then again too early.
    sum('500.00');
    for (let times = 0; times < 2; times += 1) await asked(scene, payment);
    await expectGivenBack(scene, payment, '800.00', ['succeeded', 'succeeded']);
    // It was an error of the gateway's.
    sum('800.00');
    await asked(scene, payment);
    await tenMinutesPass(scene, payment);
    sum('500.00');
    await asked(scene, payment);
    await expectGivenBack(scene, payment, '800.00', ['succeeded', 'succeeded']);
    await tenMinutesPass(scene, payment);
    await asked(scene, payment);
    await expectGivenBack(scene, payment, '500.00', ['failed', 'succeeded']);
    expect((await announcedOf(scene, payment, 3)).at(-1)).toEqual([
      'payment.refund_failed',
      '500.00',
      '300.00',
    ]);
    expect(expectStatus(await giveBack(scene, payment), 201).body.amount).toBe('1000.00');
  },

  'a refund that was done is asked about again an hour later, and a fall of the sum ten minutes later':
    async (scene) => {
      const { payment } = await paid(scene);
      say(scene, payment, says('SUCCESS', { refundedAmount: '0.00' }));
      will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'));
      expectStatus(await giveBack(scene, payment, { amount: '300.00' }), 201);
      const nextIn = async (): Promise<number> => {
        const [row] = await storedRows(
          scene,
          `select next_status_check_at as at from payments where id = '${payment.id}'`,
        );
        return (Number(row?.['at']) - Date.now()) / 60_000;
      };
      const hour = await nextIn();
      expect([hour > 50, hour < 61]).toEqual([true, true]);
      say(scene, payment, says('SUCCESS', { refundedAmount: '300.00' }));
      await asked(scene, payment);
      say(scene, payment, says('SUCCESS', { refundedAmount: '0.00' }));
      await asked(scene, payment);
      const minutes = await nextIn();
      expect([minutes > 5, minutes < 11]).toEqual([true, true]);
    },
} satisfies Record<string, Scenario<Scene>>);

const byRefundStatus: Record<string, Scenario<Scene>> = {
  'a sum that may hold a refund still open counts only without it, and it can be made again': async (
    scene,
  ) => {
    const { payment } = await paid(scene);
    const at = `GET /refund/${payment.gatewayReference}_r1`;
    scene.gateway.script(at, says('PENDING'));
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('PENDING'), says('REFUNDED'));
    expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 202);
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '500.00' }));
    expect((await asked(scene, payment)).amountRefunded).toBeNull();
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '700.00' }));
    expect((await asked(scene, payment)).amountRefunded).toBe('200.00');
    scene.gateway.script(at, says('FAILED'));
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '200.00' }));
    await asked(scene, payment);
    await expectGivenBack(scene, payment, '200.00', ['failed']);
    expect((await announcedOf(scene, payment, 2)).map(([type, sum]) => `${type} ${sum}`)).toEqual([
      'payment.refunded 200.00',
      'payment.refund_failed 200.00',
    ]);
    expect(expectStatus(await giveBack(scene, payment), 201).body.amount).toBe('1300.00');
  },

  'one that is done after all counts beside what was given back meanwhile': async (scene) => {
    const { payment } = await paid(scene);
    const at = `GET /refund/${payment.gatewayReference}_r1`;
    scene.gateway.script(at, says('PENDING'));
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('PENDING'));
    expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 202);
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '700.00' }));
    expect((await asked(scene, payment)).amountRefunded).toBe('200.00');
    scene.gateway.script(at, says('REFUNDED'));
    await asked(scene, payment);
    await expectGivenBack(scene, payment, '700.00', ['succeeded']);
  },
};

describe.each(anyStore)('refunds that turn out otherwise, on the %s store', (store) => {
  const env = { GATEWAY_TIMEOUT_MS: '1000', NOT_FOUND_GRACE_SECONDS: '6' };
  describe('by the payment’s own answers', () => {
    sideBySide(() => startScene(store, { ...env, GATEWAY_PROFILE: withRefunds() }), bySum);
  });
  describe('where the gateway can be asked about one', () => {
    sideBySide(() => startScene(store, { ...env, GATEWAY_PROFILE: withRefundStatus() }), byRefundStatus);
  });
});
