import { describe, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectStatus, problemOf, type PaymentBody } from '../harness/client.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { sideBySide, type Scenario } from './scenarios.js';
import {
  act,
  answer,
  approved,
  asked,
  cardAnswer,
  COMPLETION,
  failed,
  held,
  noWord,
  OTP,
  otherAmount,
  otpRequired,
  paidWith,
  payCard,
  paymentThatIs,
  payWallet,
  pending,
  say,
  sessionOf,
  timelineOf,
  usualMoney,
  VOID,
  voided,
  will,
} from './situations.js';

const note = 'Seen on the bank statement of today.';

async function disputed(scene: Scene, said: Behaviour = otherAmount): Promise<PaymentBody> {
  const { payment } = await payWallet(scene);
  say(scene, payment, said);
  const found = await asked(scene, payment);
  expect(found).toMatchObject({
    status: 'requires_action',
    needsAttention: true,
    nextAction: payment.nextAction,
  });
  return found;
}

const ownWaiting = answer(cardAnswer({ status: 'PENDING', ...usualMoney }));

const scenarios: Record<string, Scenario<Scene>> = {
  'is raised once, and is first of a list': async (scene) => {
    const payment = await disputed(scene);
    await asked(scene, payment);
    await asked(scene, payment);
    const events = await timelineOf(scene, payment);
    expect(events.filter((type) => type === 'needs_attention')).toHaveLength(1);
    const path = `/v1/payments?needsAttention=true&reference=${payment.reference}`;
    const { body } = await scene.client.get<{ data: PaymentBody[] }>(path);
    expect(body.data.map(({ id }) => id)).toEqual([payment.id]);
  },

  'is lifted by an answer with the payment’s own amount and currency': async (scene) => {
    for (const said of [
      ownWaiting,
      answer(approved),
      answer(cardAnswer({ status: 'FAILED', ...usualMoney })),
    ]) {
      const payment = await disputed(scene);
      say(scene, payment, said);
      expect((await asked(scene, payment)).needsAttention).toBe(false);
    }
  },

  'is lifted by the answer to an operation too, for after a success nobody asks again': async (scene) => {
    const { session, payment } = await payCard(scene, answer(otpRequired));
    say(scene, payment, otherAmount, answer(otpRequired));
    expect(await asked(scene, payment)).toMatchObject({ status: 'requires_action', needsAttention: true });
    will(scene, OTP, payment, answer(approved));
    const { body } = expectStatus(await scene.client.submitOtp(session, payment.id, '123456'), 200);
    expect(body).toMatchObject({ status: 'succeeded', needsAttention: false });
    expect(await timelineOf(scene, payment)).toContain('attention_lifted');
  },

  'is not lifted by an answer without an amount, with another one, or that says nothing': async (scene) => {
    const others: Behaviour[] = [
      answer(pending),
      noWord,
      otherAmount,
      paidWith({ amount: '1500.00', currency: 'USD' }),
      answer(cardAnswer({ ...usualMoney }, { error: true, errorCode: '05' })),
      answer(cardAnswer({ ...usualMoney }, { error: true, errorCode: 'NOT_FOUND' })),
    ];
    for (const said of others) {
      const payment = await disputed(scene);
      say(scene, payment, said);
      expect((await asked(scene, payment)).needsAttention).toBe(true);
    }
  },

  'a success without an amount is believed, though it lifts nothing': async (scene) => {
    const payment = await disputed(scene);
    say(scene, payment, paidWith({}));
    expect(await asked(scene, payment)).toMatchObject({ status: 'succeeded', needsAttention: true });
  },

  'a person says that it was paid, and how much': async (scene) => {
    const payment = await disputed(scene);
    const body = { status: 'succeeded', amountReceived: '1.00', note };
    const resolved = expectStatus(await act(scene, 'resolve', payment, body), 200).body;
    expect(resolved).toMatchObject({ status: 'succeeded', amountCaptured: '1.00', needsAttention: false });
    expect((await sessionOf(scene, { id: payment.sessionId } as never)).status).toBe('paid');
    say(scene, payment, otherAmount);
    expect(await asked(scene, payment)).toMatchObject({ status: 'succeeded', needsAttention: false });
    const events = await scene.client.getEvents(payment.id);
    expect(events.find(({ type }) => type === 'resolved')).toMatchObject({
      actor: 'merchant',
      detail: { as: 'succeeded', note },
    });
  },

  'a person says that it was paid, without saying how much': async (scene) => {
    const payment = await disputed(scene);
    const resolved = await act(scene, 'resolve', payment, { status: 'succeeded', note });
    expect(expectStatus(resolved, 200).body.amountCaptured).toBe('1500.00');
  },

  'a person says that what is paid is right, with another amount': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'succeeded');
    say(scene, payment, otherAmount);
    expect(await asked(scene, payment)).toMatchObject({ status: 'succeeded', needsAttention: true });
    const body = { status: 'succeeded', amountReceived: '1.00', note };
    const resolved = expectStatus(await act(scene, 'resolve', payment, body), 200).body;
    expect(resolved).toMatchObject({ status: 'succeeded', amountCaptured: '1.00', needsAttention: false });
    expect((await asked(scene, payment)).needsAttention).toBe(false);
  },

  'a person says that it failed: the settled answer does not reopen it, the right one does': async (
    scene,
  ) => {
    const payment = await disputed(scene);
    const resolved = expectStatus(await act(scene, 'resolve', payment, { status: 'failed', note }), 200).body;
    expect(resolved).toMatchObject({
      status: 'failed',
      needsAttention: false,
      nextAction: null,
      failure: { code: 'resolved', retryable: false },
    });
    expect(await asked(scene, payment)).toMatchObject({ status: 'failed', needsAttention: false });
    say(scene, payment, paidWith({ amount: '2.00', currency: 'NGN' }));
    expect(await asked(scene, payment)).toMatchObject({ status: 'failed', needsAttention: true });
    say(scene, payment, answer(approved));
    // The gateway's success counts against the person's word, and a person must know of it.
    expect(await asked(scene, payment)).toMatchObject({ status: 'succeeded', needsAttention: true });
    expect((await asked(scene, payment)).needsAttention).toBe(true);
    const seen = await act(scene, 'resolve', payment, { status: 'succeeded', note });
    expect(expectStatus(seen, 200).body).toMatchObject({ status: 'succeeded', needsAttention: false });
  },

  'a person says that it was voided': async (scene) => {
    const payment = await disputed(scene);
    const resolved = await act(scene, 'resolve', payment, { status: 'voided', note });
    expect(expectStatus(resolved, 200).body).toMatchObject({ status: 'voided', needsAttention: false });
    expect(await asked(scene, payment)).toMatchObject({ status: 'voided', needsAttention: false });
  },

  'a contradiction moves nothing, and a person ends it': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    say(scene, payment, answer(failed));
    expect(await asked(scene, payment)).toMatchObject({ status: 'authorized', needsAttention: true });
    const resolved = await act(scene, 'resolve', payment, { status: 'voided', note });
    expect(expectStatus(resolved, 200).body).toMatchObject({ status: 'voided', needsAttention: false });
    expect(await asked(scene, payment)).toMatchObject({ status: 'voided', needsAttention: false });
  },

  'a person ends an operation of unknown outcome': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    const tooMuch = paidWith({ amount: '1499.99', currency: 'NGN' });
    will(scene, COMPLETION, payment, tooMuch);
    say(scene, payment, tooMuch);
    const pendingOne = expectStatus(await act(scene, 'complete', payment, { amount: '1000.00' }), 202).body;
    expect(pendingOne).toMatchObject({ needsAttention: true, pendingOperation: { type: 'complete' } });
    const body = { status: 'succeeded', amountReceived: '1499.99', note };
    const resolved = expectStatus(await act(scene, 'resolve', payment, body), 200).body;
    expect(resolved).toMatchObject({
      status: 'succeeded',
      amountCaptured: '1499.99',
      pendingOperation: null,
    });
    will(scene, VOID, payment, answer(voided));
    expect(expectStatus(await act(scene, 'void', payment), 200).body.status).toBe('voided');
  },

  'only what needs attention can be resolved': async (scene) => {
    for (const status of [
      'processing',
      'requires_action',
      'authorized',
      'succeeded',
      'failed',
      'voided',
    ] as const) {
      const { payment } = await paymentThatIs(scene, status);
      const refused = await act(scene, 'resolve', payment, { status: 'succeeded', note });
      expect(problemOf(expectStatus(refused, 409)).code).toBe('invalid-state');
    }
  },

  'not against the table': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'voided');
    say(scene, payment, answer(approved));
    expect(await asked(scene, payment)).toMatchObject({ status: 'voided', needsAttention: true });
    for (const status of ['succeeded', 'failed']) {
      const refused = await act(scene, 'resolve', payment, { status, note });
      expect(problemOf(expectStatus(refused, 409)).code).toBe('invalid-state');
    }
    expectStatus(await act(scene, 'resolve', payment, { status: 'voided', note }), 200);
    expect(await asked(scene, payment)).toMatchObject({ status: 'voided', needsAttention: false });
  },

  'what a person says must fit': async (scene) => {
    const payment = await disputed(scene);
    for (const [body, pointer] of [
      [{ status: 'canceled', note }, '/status'],
      [{ status: 'succeeded' }, '/note'],
      [{ status: 'succeeded', note: '' }, '/note'],
      [{ status: 'succeeded', note, amountReceived: '1.001' }, '/amountReceived'],
      [{ status: 'succeeded', note, amountReceived: '0.00' }, '/amountReceived'],
      [{ status: 'succeeded', note, colour: 'red' }, '/colour'],
    ] as const) {
      const problem = problemOf(expectStatus(await act(scene, 'resolve', payment, body), 400));
      expect(problem.errors?.map((fault) => fault.pointer)).toEqual([pointer]);
    }
  },

  'is the merchant’s to resolve, under a key': async (scene) => {
    const payment = await disputed(scene);
    const body = { status: 'failed', note };
    const reading = await act(scene, 'resolve', payment, body, { token: scene.tillfront.merchantReadKey });
    expectStatus(reading, 403);
    const keyless = await act(scene, 'resolve', payment, body, { idempotencyKey: null });
    expect(problemOf(expectStatus(keyless, 400)).code).toBe('idempotency-key-missing');
    const options = { idempotencyKey: randomUUID() };
    expectStatus(await act(scene, 'resolve', payment, body, options), 200);
    const again = expectStatus(await act(scene, 'resolve', payment, body, options), 200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await act(scene, 'resolve', payment, { ...body, note: 'Another' }, options);
    expect(problemOf(expectStatus(other, 422)).code).toBe('idempotency-key-reused');
  },

  'a hold of another amount is not taken': async (scene) => {
    const { payment } = await payCard(
      scene,
      answer(cardAnswer({ status: 'AUTHORIZED', amount: '1.00', currency: 'NGN' })),
    );
    expect(payment).toMatchObject({ status: 'processing', needsAttention: true, amountAuthorized: null });
    say(scene, payment, answer(held));
    expect(await asked(scene, payment)).toMatchObject({ status: 'authorized', needsAttention: false });
  },
};

describe.each(anyStore)('what needs attention on the %s store', (store) => {
  sideBySide(() => startScene(store, { GATEWAY_TIMEOUT_MS: '20000' }), scenarios);
});
