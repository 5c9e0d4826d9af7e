import { describe, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
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
  paymentThatIs,
  say,
  timelineOf,
  VOID,
  voided,
  wait,
  will,
} from './situations.js';
import { heldBack, paidTwice } from './two-paid.js';

const usual: Record<string, Scenario<Scene>> = {
  'a part is given back, then the rest, each once and under a reference of its own': async (scene) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED', { amount: '500.00' }), says('REFUNDED'));
    const part = await giveBack(scene, payment, { amount: '500.00', reason: 'One was broken.' });
    expect(expectStatus(part, 201).body).toEqual({
      id: expect.stringMatching(/^ref_/),
      paymentId: payment.id,
      amount: '500.00',
      status: 'succeeded',
      reason: 'One was broken.',
      createdAt: expect.any(String),
    });
    expect(expectStatus(await giveBack(scene, payment), 201).body.amount).toBe('1000.00');
    expect(refundsSent(scene, payment)).toEqual([
      { refundRef: `${payment.gatewayReference}_r1`, amount: '500.00' },
      { refundRef: `${payment.gatewayReference}_r2`, amount: '1000.00' },
    ]);
    await expectGivenBack(scene, payment, '1500.00', ['succeeded', 'succeeded']);
    expect(await announcedOf(scene, payment, 2)).toEqual([
      ['payment.refunded', '500.00', '500.00'],
      ['payment.refunded', '1500.00', '1000.00'],
    ]);
    expect(problemOf(expectStatus(await giveBack(scene, payment), 409)).code).toBe('invalid-state');
    const entries = await scene.client.getEvents(payment.id);
    expect(entries.find(({ type }) => type === 'operation_intended')?.actor).toBe('payer');
    const ofRefunds = entries.filter(
      ({ detail }) => (detail as { operation?: string } | undefined)?.operation === 'refund',
    );
    expect(ofRefunds.map(({ type, actor }) => [type, actor])).toEqual([
      ['operation_intended', 'merchant'],
      ['operation_confirmed', 'merchant'],
      ['operation_intended', 'merchant'],
      ['operation_confirmed', 'merchant'],
    ]);
  },

  'null is no amount: nothing is given back': async (scene) => {
    const { payment } = await paid(scene);
    const refused = problemOf(expectStatus(await giveBack(scene, payment, { amount: null }), 400));
    expect(refused).toMatchObject({ code: 'validation-failed', errors: [{ pointer: '/amount' }] });
    expect(refundsSent(scene, payment)).toEqual([]);
    expect(await refundsOf(scene, payment)).toEqual([]);
  },

  'a reason that holds a card or its code is refused, and another is kept': async (scene) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED', { amount: '500.00' }));
    for (const reason of ['Card 5060 9905 8000 0217 499, order of 2031-01-31', 'the cvv is 739']) {
      const refused = expectStatus(await giveBack(scene, payment, { amount: '500.00', reason }), 400);
      expect(problemOf(refused)).toMatchObject({
        code: 'validation-failed',
        errors: [{ pointer: '/reason' }],
      });
    }
    const idempotencyKey = randomUUID();
    const body = { amount: '500.00', reason: 'order of 2031-01-31' };
    const made = expectStatus(await giveBack(scene, payment, body, { idempotencyKey }), 201).body;
    expect(made.reason).toBe('order of 2031-01-31');
    // The same money, written otherwise, is the same request.
    const again = { ...body, amount: '500' };
    expect(expectStatus(await giveBack(scene, payment, again, { idempotencyKey }), 200).body.id).toBe(
      made.id,
    );
    const other = await giveBack(scene, payment, { ...body, amount: '50' }, { idempotencyKey });
    expect(problemOf(expectStatus(other, 422)).code).toBe('idempotency-key-reused');
  },

  'a status query that reports the same sum announces nothing more, and another sum does': async (scene) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, says('SUCCESS'));
    expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 201);
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '500.00' }));
    expect((await asked(scene, payment)).amountRefunded).toBe('500.00');
    // Without a sum it says what is known already.
    say(scene, payment, says('PARTIALLY_REFUNDED'));
    expect(await asked(scene, payment)).toMatchObject({ amountRefunded: '500.00', needsAttention: false });
    say(scene, payment, says('SUCCESS', { refundedAmount: '700.00' }));
    expect((await asked(scene, payment)).amountRefunded).toBe('700.00');
    expect(await announcedOf(scene, payment, 2)).toEqual([
      ['payment.refunded', '500.00', '500.00'],
      ['payment.refunded', '700.00', undefined],
    ]);
    const more = problemOf(expectStatus(await giveBack(scene, payment, { amount: '800.01' }), 409));
    expect(more.code).toBe('invalid-state');
    expectStatus(await giveBack(scene, payment, { amount: '800.00' }), 201);
    await expectGivenBack(scene, payment, '1500.00', ['succeeded', 'succeeded']);
  },

  'what the gateway gave back by itself and a refund are counted together': async (scene) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '400.00' }));
    expect((await asked(scene, payment)).amountRefunded).toBe('400.00');
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'));
    expectStatus(await giveBack(scene, payment, { amount: '100.00' }), 201);
    await expectGivenBack(scene, payment, '500.00', ['succeeded']);
    expect(expectStatus(await giveBack(scene, payment), 201).body.amount).toBe('1000.00');
  },

  'a whole refund that the gateway calls a reversal leaves the payment paid': async (scene) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, says('REFUNDED'));
    expectStatus(await giveBack(scene, payment), 201);
    say(scene, payment, answer(voided));
    expect(await asked(scene, payment)).toMatchObject({ status: 'succeeded', amountRefunded: '1500.00' });
    expect(await announcedOf(scene, payment, 1)).toEqual([['payment.refunded', '1500.00', '1500.00']]);
  },

  'a refused one is recorded as failed and announced, and its reference is never used again': async (
    scene,
  ) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, refused, says('FAILED'), answer({}, 422), says('REFUNDED'));
    for (let times = 0; times < 3; times += 1) {
      const problem = problemOf(expectStatus(await giveBack(scene, payment), 409));
      expect([problem.code, problem.paymentId]).toEqual(['gateway-refused', payment.id]);
    }
    await expectGivenBack(scene, payment, null, ['failed', 'failed', 'failed']);
    expectStatus(await giveBack(scene, payment), 201);
    expect(refundsSent(scene, payment).map(({ refundRef }) => refundRef.slice(-2))).toEqual([
      'r1',
      'r2',
      'r3',
      'r4',
    ]);
    expect((await announcedOf(scene, payment, 4)).map(([type]) => type)).toEqual([
      'payment.refund_failed',
      'payment.refund_failed',
      'payment.refund_failed',
      'payment.refunded',
    ]);
  },

  'nothing was done where the credentials are wrong, the gateway is busy or was not reached': async (
    scene,
  ) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, answer({}, 401), answer({}, 403), answer({}, 429));
    expect(problemOf(expectStatus(await giveBack(scene, payment), 502)).code).toBe(
      'gateway-credentials-rejected',
    );
    expect(problemOf(expectStatus(await giveBack(scene, payment), 502)).code).toBe(
      'gateway-credentials-rejected',
    );
    const busy = expectStatus(await giveBack(scene, payment), 503);
    expect([problemOf(busy).code, busy.headers.get('retry-after')]).toEqual(['gateway-busy', '5']);
    await expectGivenBack(scene, payment, null, ['failed', 'failed', 'failed']);
    expect((await scene.client.getPayment(payment.id)).pendingOperation).toBeNull();
  },

  'more than the rest, a payment that is not paid, a disputed one, no amount of the currency': async (
    scene,
  ) => {
    const { payment } = await paid(scene);
    const code = async (body: object, status: number): Promise<string> =>
      problemOf(expectStatus(await giveBack(scene, payment, body), status)).code;
    expect(await code({ amount: '1500.01' }, 409)).toBe('invalid-state');
    expect(await code({ amount: '0.00' }, 400)).toBe('validation-failed');
    expect(await code({ amount: '1.001' }, 400)).toBe('validation-failed');
    expect(await code({ amount: 5 }, 400)).toBe('validation-failed');
    expect(await code({ cause: 'x' }, 400)).toBe('validation-failed');
    for (const status of ['processing', 'authorized', 'failed', 'voided'] as const) {
      const other = await paymentThatIs(scene, status);
      const answered = expectStatus(await giveBack(scene, other.payment), 409);
      // What is not known yet is in progress, or in no state to be given back.
      expect(problemOf(answered).code).toBe('invalid-state');
    }
    say(scene, payment, says('CHARGEBACK'));
    expect((await asked(scene, payment)).disputed).toBe(true);
    expect(await code({}, 409)).toBe('invalid-state');
    expect(await refundsOf(scene, payment)).toEqual([]);
    expect(refundsSent(scene, payment)).toEqual([]);
  },

  'a replay gives the refund as it now stands, and another body is no replay': async (scene) => {
    const { payment } = await paid(scene);
    const { responder, release } = heldBack();
    will(scene, REFUND, payment, responder);
    const key = { idempotencyKey: `again-${payment.id}` };
    const first = giveBack(scene, payment, { amount: '10.00' }, key);
    await until(() => refundsSent(scene, payment).length === 1);
    const meanwhile = problemOf(expectStatus(await giveBack(scene, payment, { amount: '10.00' }, key), 409));
    expect(meanwhile.code).toBe('idempotency-in-flight');
    const other = problemOf(expectStatus(await giveBack(scene, payment, { amount: '20.00' }), 409));
    expect(other.code).toBe('operation-in-progress');
    release(says('PARTIALLY_REFUNDED'));
    const made = expectStatus(await first, 201).body;
    const again = expectStatus(await giveBack(scene, payment, { amount: '10.00' }, key), 200);
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([made, 'true']);
    const reused = problemOf(expectStatus(await giveBack(scene, payment, { amount: '10.01' }, key), 422));
    expect(reused.code).toBe('idempotency-key-reused');
    expect(refundsSent(scene, payment)).toHaveLength(1);
  },

  'ten at once never give back more than was taken': async (scene) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, async () => {
      await wait(20);
      return says('PARTIALLY_REFUNDED');
    });
    const all = await Promise.all(
      Array.from({ length: 10 }, () => giveBack(scene, payment, { amount: '400.00' })),
    );
    for (const { status } of all) expect([201, 409]).toContain(status);
    for (let more = 0; more < 4; more += 1) await giveBack(scene, payment, { amount: '400.00' });
    await expectGivenBack(scene, payment, '1200.00', ['succeeded', 'succeeded', 'succeeded']);
    expect(refundsSent(scene, payment)).toHaveLength(3);
  },

  'a refund and a void exclude one another': async (scene) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, lost);
    say(scene, payment, says('SUCCESS'));
    expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 202);
    expect(problemOf(expectStatus(await act(scene, 'void', payment), 409)).code).toBe(
      'operation-in-progress',
    );
    const other = (await paid(scene)).payment;
    will(scene, VOID, other, lost);
    say(scene, other, says('SUCCESS'));
    expectStatus(await act(scene, 'void', other), 202);
    expect(problemOf(expectStatus(await giveBack(scene, other), 409)).code).toBe('operation-in-progress');
    const third = (await paid(scene)).payment;
    will(scene, REFUND, third, says('PARTIALLY_REFUNDED'));
    expectStatus(await giveBack(scene, third, { amount: '500.00' }), 201);
    expect(problemOf(expectStatus(await act(scene, 'void', third), 409)).code).toBe('invalid-state');
  },

  'a duplicate is given back by a refund': async (scene) => {
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2']);
    will(scene, REFUND, second.payment, says('REFUNDED'));
    expectStatus(await giveBack(scene, second.payment), 201);
    expect(refundsSent(scene, second.payment)).toEqual([
      { refundRef: `${second.payment.gatewayReference}_r1`, amount: '1500.00' },
    ]);
    expect(await scene.client.getPayment(first.payment.id)).toMatchObject({
      status: 'succeeded',
      amountRefunded: null,
    });
    expect(await scene.client.getPayment(second.payment.id)).toMatchObject({
      status: 'succeeded',
      duplicateOf: first.payment.id,
      amountRefunded: '1500.00',
    });
  },
};

const unknown: Record<string, Scenario<Scene>> = {
  'a lost answer is unknown until what was given back rises by just its amount': async (scene) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'), says('SUCCESS'), says('SUCCESS', { refundedAmount: '500.00' }));
    will(scene, REFUND, payment, lost);
    const { body } = expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 202);
    expect(body.status).toBe('processing');
    expect((await scene.client.getPayment(payment.id)).pendingOperation).toMatchObject({
      type: 'refund',
      amount: '500.00',
    });
    expect(problemOf(expectStatus(await giveBack(scene, payment, { amount: '1.00' }), 409)).code).toBe(
      'operation-in-progress',
    );
    await until(async () => (await refundsOf(scene, payment))[0]?.status === 'succeeded');
    await expectGivenBack(scene, payment, '500.00', ['succeeded']);
    expect((await scene.client.getPayment(payment.id)).pendingOperation).toBeNull();
    expect(refundsSent(scene, payment)).toHaveLength(1);
    expect(await announcedOf(scene, payment, 1)).toEqual([['payment.refunded', '500.00', '500.00']]);
  },

  'a rise that is not its own confirms nothing, and the whole of a greater one needs a person': async (
    scene,
  ) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('PENDING'));
    const { body } = expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 202);
    // Somebody gives 200.00 back on the gateway's own page.
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '200.00' }));
    expect(await asked(scene, payment)).toMatchObject({ amountRefunded: '200.00', needsAttention: false });
    // And 300.00 more: together as much as the refund, and yet not it.
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '500.00' }));
    expect(await asked(scene, payment)).toMatchObject({
      amountRefunded: '500.00',
      pendingOperation: { type: 'refund' },
    });
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '1100.00' }));
    expect(await asked(scene, payment)).toMatchObject({ amountRefunded: '1100.00', needsAttention: true });
    await expectGivenBack(scene, payment, '1100.00', ['processing']);
    expectStatus(await resolveRefund(scene, payment, body, 'failed'), 200);
    await expectGivenBack(scene, payment, '1100.00', ['failed']);
    expect(await scene.client.getPayment(payment.id)).toMatchObject({
      needsAttention: false,
      pendingOperation: null,
    });
    expect((await announcedOf(scene, payment, 4)).map(([type, sum]) => `${type} ${sum}`)).toEqual([
      'payment.refunded 200.00',
      'payment.refunded 500.00',
      'payment.refunded 1100.00',
      'payment.refund_failed 1100.00',
    ]);
  },

  'no number of answers that show nothing refuses it': async (scene) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, lost);
    expectStatus(await giveBack(scene, payment), 202);
    await wait(2_500);
    for (let times = 0; times < 4; times += 1) await asked(scene, payment);
    await expectGivenBack(scene, payment, null, ['processing']);
    say(scene, payment, says('REFUNDED'));
    await asked(scene, payment);
    await expectGivenBack(scene, payment, '1500.00', ['succeeded']);
  },

  'a reversal of the whole confirms a refund of the whole': async (scene) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, lost);
    say(scene, payment, says('SUCCESS'));
    expectStatus(await giveBack(scene, payment), 202);
    say(scene, payment, answer(voided));
    await asked(scene, payment);
    await expectGivenBack(scene, payment, '1500.00', ['succeeded']);
  },

  'an answer about other money is nothing, and a person says what became of it': async (scene) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('REFUNDED', { amount: '499.00' }));
    const { body } = expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 202);
    expect(await scene.client.getPayment(payment.id)).toMatchObject({
      needsAttention: true,
      amountRefunded: null,
    });
    // A later answer about the payment does not make it any clearer.
    say(scene, payment, says('SUCCESS', { amount: '1500.00', currency: 'NGN' }));
    expect((await asked(scene, payment)).needsAttention).toBe(true);
    const code = async (status: string, more: object = {}): Promise<string> => {
      const called = act(scene, 'resolve', payment, { refundId: body.id, status, note: 'Seen.', ...more });
      return problemOf(expectStatus(await called, 400)).code;
    };
    expect(await code('voided')).toBe('validation-failed');
    expect(await code('succeeded', { amountReceived: '1.00' })).toBe('validation-failed');
    const strange = await resolveRefund(scene, payment, { ...body, id: 'ref_nobody' }, 'failed');
    expect(problemOf(expectStatus(strange, 409)).code).toBe('invalid-state');
    const whole = await act(scene, 'resolve', payment, { status: 'voided', note: 'Seen.' });
    expect(problemOf(expectStatus(whole, 409)).code).toBe('invalid-state');
    const resolved = expectStatus(await resolveRefund(scene, payment, body, 'succeeded'), 200).body;
    expect(resolved).toMatchObject({ status: 'succeeded', amountRefunded: '500.00', needsAttention: false });
    await expectGivenBack(scene, payment, '500.00', ['succeeded']);
    expect(await timelineOf(scene, payment)).toContain('resolved');
    const again = await resolveRefund(scene, payment, body, 'succeeded');
    expect(problemOf(expectStatus(again, 409)).code).toBe('invalid-state');
  },

  'a person who says that the payment succeeded says nothing of its refund': async (scene) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('REFUNDED', { currency: 'USD' }));
    expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 202);
    expectStatus(await act(scene, 'resolve', payment, { status: 'succeeded', note: 'Paid.' }), 200);
    await expectGivenBack(scene, payment, null, ['processing']);
  },
};

const byRefundStatus: Record<string, Scenario<Scene>> = {
  'the question about the refund alone decides, whatever was given back besides': async (scene) => {
    const { payment } = await paid(scene);
    const at = `GET /refund/${payment.gatewayReference}_r1`;
    scene.gateway.script(at, says('PENDING'));
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '500.00' }));
    will(scene, REFUND, payment, lost);
    expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 202);
    await until(() => scene.gateway.requestsTo(at).length > 0);
    expect((await asked(scene, payment)).amountRefunded).toBe('500.00');
    await expectGivenBack(scene, payment, '500.00', ['processing']);
    scene.gateway.script(at, says('FAILED'));
    await asked(scene, payment);
    await expectGivenBack(scene, payment, '500.00', ['failed']);
    expect((await announcedOf(scene, payment, 2)).map(([type]) => type)).toEqual([
      'payment.refunded',
      'payment.refund_failed',
    ]);
  },

  'the schedule asks about it by itself, and announces the money once': async (scene) => {
    const { payment } = await paid(scene);
    const refundRef = `${payment.gatewayReference}_r1`;
    scene.gateway.script(
      `GET /refund/${refundRef}`,
      answer({}, 500),
      says('REFUNDED', { refundRef, amount: '300.00' }),
    );
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('PENDING'));
    expectStatus(await giveBack(scene, payment, { amount: '300.00' }), 202);
    say(scene, payment, says('SUCCESS', { refundedAmount: '300.00' }));
    await until(async () => (await refundsOf(scene, payment))[0]?.status === 'succeeded');
    await expectGivenBack(scene, payment, '300.00', ['succeeded']);
    expect(await announcedOf(scene, payment, 1)).toHaveLength(1);
  },

  'an answer about another refund is nothing': async (scene) => {
    const { payment } = await paid(scene);
    const at = `GET /refund/${payment.gatewayReference}_r1`;
    const other = { refundRef: `${payment.gatewayReference}_r2` };
    scene.gateway.script(at, says('REFUNDED', other));
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('REFUNDED', other));
    expectStatus(await giveBack(scene, payment, { amount: '300.00' }), 202);
    expect(await asked(scene, payment)).toMatchObject({ needsAttention: true, amountRefunded: null });
    await expectGivenBack(scene, payment, null, ['processing']);
    scene.gateway.script(at, says('REFUNDED', { refundRef: `${payment.gatewayReference}_r1` }));
    expect(await asked(scene, payment)).toMatchObject({ needsAttention: false, amountRefunded: '300.00' });
  },
};

const none: Record<string, Scenario<Scene>> = {
  'refunds are not supported': async (scene) => {
    const { payment } = await paid(scene);
    expect(problemOf(expectStatus(await giveBack(scene, payment), 409)).code).toBe('not-supported');
    expect(await refundsOf(scene, payment)).toEqual([]);
  },

  'a payment that is held as unpaid was given nothing back, as far as a shop is told': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'failed');
    say(scene, payment, says('REFUNDED'));
    expect(await asked(scene, payment)).toMatchObject({
      status: 'failed',
      needsAttention: true,
      amountRefunded: null,
    });
    expect(await announcedOf(scene, payment, 0)).toEqual([]);
  },
};

describe.each(anyStore)('refunds on the %s store', (store) => {
  const env = { GATEWAY_TIMEOUT_MS: '1000', NOT_FOUND_GRACE_SECONDS: '6' };
  describe('as merchants ask for them', () => {
    sideBySide(() => startScene(store, { ...env, GATEWAY_PROFILE: withRefunds() }), usual);
  });
  describe('whose outcome is unknown', () => {
    sideBySide(() => startScene(store, { ...env, GATEWAY_PROFILE: withRefunds() }), unknown);
  });
  describe('that the gateway can be asked about', () => {
    sideBySide(() => startScene(store, { ...env, GATEWAY_PROFILE: withRefundStatus() }), byRefundStatus);
  });
  describe('where the profile has none', () => {
    sideBySide(() => startScene(store, env), none);
  });
});
