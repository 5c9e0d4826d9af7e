import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, problemOf, TillfrontClient, type PaymentBody } from '../harness/client.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { createTestStore, anyStore, type TestStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import {
  act,
  answer,
  approved,
  asked,
  cardAnswer,
  COMPLETION,
  failed,
  otherAmount,
  OTP,
  paidWith,
  paymentThatIs,
  say,
  sent,
  VOID,
  voided,
  waitingForCode,
  will,
  type Situation,
  type Stage,
} from './situations.js';
import { eventsOf, heldBack } from './two-paid.js';

const note = 'Seen on the bank statement of today.';
const WORDS = ['succeeded', 'failed', 'voided'] as const;

describe.each(anyStore)('a person’s word while something is being sent, on the %s store', (kind) => {
  let store: TestStore;
  let gateway: MisbehavingGateway;
  const replicas: Tillfront[] = [];
  /** The one that sends, and the one that the person calls: on PostgreSQL two replicas. */
  let sender: Stage;
  let other: Stage;

  beforeAll(async () => {
    store = await createTestStore(kind);
    gateway = await startMisbehavingGateway();
    const count = kind === 'postgres' ? 2 : 1;
    for (let index = 0; index < count; index += 1) {
      const env = { GATEWAY_TIMEOUT_MS: '60000' };
      replicas.push(await startTillfront({ store, gatewayUrl: gateway.url, env }));
    }
    const [first, second = first] = replicas as [Tillfront, Tillfront?];
    const clientOf = ({ url, merchantKey }: Tillfront) => new TillfrontClient(url, merchantKey);
    sender = { gateway, client: clientOf(first) };
    other = { gateway, client: clientOf(second) };
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await gateway?.close();
    await store?.dispose();
  });

  const resolve = (payment: PaymentBody, status: string, more: object = {}) =>
    act(other, 'resolve', payment, { status, note, ...more });

  async function refusedAll(payment: PaymentBody): Promise<void> {
    for (const status of WORDS) {
      const problem = problemOf(expectStatus(await resolve(payment, status), 409));
      expect(problem).toMatchObject({ code: 'operation-in-progress', paymentId: payment.id });
    }
  }

  async function needsAttention(payment: PaymentBody): Promise<void> {
    expect((await asked(sender, payment)).needsAttention).toBe(true);
  }

  /** A hold that the gateway contradicts, so that a person must look. */
  async function doubtfulHold(): Promise<Situation> {
    const found = await paymentThatIs(sender, 'authorized');
    say(sender, found.payment, answer(failed));
    await needsAttention(found.payment);
    return found;
  }

  test('a completion: nothing is resolved, and what it took is no second charge', async () => {
    const { payment, session } = await doubtfulHold();
    const completion = heldBack();
    will(sender, COMPLETION, payment, completion.responder);
    const completing = act(sender, 'complete', payment);
    await until(() => sent(sender, COMPLETION, payment).length === 1);
    await refusedAll(payment);
    const second = problemOf(expectStatus(await other.client.payCard(session), 409));
    expect(second.code).toBe('payment-in-progress');
    completion.release(answer(approved));
    expect(expectStatus(await completing, 200).body).toMatchObject({ status: 'succeeded' });
  });

  test('a void', async () => {
    const { payment } = await doubtfulHold();
    const call = heldBack();
    will(sender, VOID, payment, call.responder);
    const voiding = act(sender, 'void', payment);
    await until(() => sent(sender, VOID, payment).length === 1);
    await refusedAll(payment);
    call.release(answer(voided));
    expect(expectStatus(await voiding, 200).body.status).toBe('voided');
  });

  test('a one-time code', async () => {
    const { payment, session } = await waitingForCode(sender);
    say(sender, payment, otherAmount);
    await needsAttention(payment);
    const call = heldBack();
    will(sender, OTP, payment, call.responder);
    const submitting = sender.client.submitOtp(session, payment.id, '123456');
    await until(() => sent(sender, OTP, payment).length === 1);
    await refusedAll(payment);
    call.release(answer(approved));
    expect(expectStatus(await submitting, 200).body.status).toBe('succeeded');
  });

  test('one whose outcome is unknown is not being sent: resolved, and money after it is late and can be given back', async () => {
    const { payment } = await doubtfulHold();
    will(sender, COMPLETION, payment, { do: 'reset-after-reading' });
    say(sender, payment, answer(cardAnswer({}, { error: true, errorCode: '09' })));
    expectStatus(await act(sender, 'complete', payment), 202);
    expect(expectStatus(await resolve(payment, 'failed'), 200).body).toMatchObject({
      status: 'failed',
      needsAttention: false,
      pendingOperation: null,
    });
    say(sender, payment, answer(approved));
    expect(await asked(sender, payment)).toMatchObject({ status: 'succeeded', needsAttention: true });
    const succeeded = async () =>
      (await eventsOf(sender, payment)).find(({ type }) => type === 'payment.succeeded');
    await until(async () => (await succeeded()) !== undefined);
    expect(await succeeded()).toMatchObject({ late: true });
    will(sender, VOID, payment, answer(voided));
    expect(expectStatus(await act(sender, 'void', payment), 200).body.status).toBe('voided');
  });

  test('a changed amount of a paid payment is announced, once, and an unchanged one is not', async () => {
    const { payment } = await paymentThatIs(sender, 'succeeded');
    /** Each time another amount, so that it is not the answer that the person has settled before. */
    const resolveAfter = async (named: string, amountReceived?: string) => {
      say(sender, payment, paidWith({ amount: named, currency: 'NGN' }));
      await needsAttention(payment);
      return expectStatus(await resolve(payment, 'succeeded', { amountReceived }), 200).body;
    };
    const announced = async () =>
      (await eventsOf(sender, payment)).filter(({ type }) => type === 'payment.resolved');
    expect(await resolveAfter('1.00', '1400.00')).toMatchObject({ amountCaptured: '1400.00' });
    await until(async () => (await announced()).length === 1);
    expect(await announced()).toMatchObject([
      { data: { status: 'succeeded', amountCaptured: '1400.00', needsAttention: false } },
    ]);
    expect(await resolveAfter('2.00')).toMatchObject({ amountCaptured: '1400.00' });
    expect(await resolveAfter('3.00', '1400.00')).toMatchObject({ amountCaptured: '1400.00' });
    expect(await announced()).toHaveLength(1);
  });

  test('a resolve to paid is announced as paid, and by nothing else', async () => {
    const { payment } = await paymentThatIs(sender, 'requires_action');
    say(sender, payment, otherAmount);
    await needsAttention(payment);
    expectStatus(await resolve(payment, 'succeeded', { amountReceived: '1400.00' }), 200);
    const types = async () => (await eventsOf(sender, payment)).map(({ type }) => type);
    await until(async () => (await types()).includes('payment.succeeded'));
    expect(await types()).not.toContain('payment.resolved');
  });
});
