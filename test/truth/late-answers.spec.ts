import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, type PaymentBody } from '../harness/client.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import {
  act,
  answer,
  approved,
  asked,
  CARD,
  cardAnswer,
  failed,
  paymentThatIs,
  say,
  sessionOf,
  timelineOf,
  usualMoney,
  VOID,
  will,
} from './situations.js';
import { settleMeanwhile } from './stored-time.js';

/** A call to the gateway that answers only when the test says so. */
function heldCall(): { behaviour: () => Promise<Behaviour>; release: (behaviour: Behaviour) => void } {
  let release: (behaviour: Behaviour) => void = () => undefined;
  const answered = new Promise<Behaviour>((resolve) => (release = resolve));
  return { behaviour: () => answered, release };
}

describe.each(anyStore)('an answer that comes after its operation was settled, on the %s store', (store) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene(store);
  });
  afterAll(() => scene.stop());

  /** A card payment whose call is still on its way when another process has found out how it stands. */
  async function lateCardAnswer(said: Behaviour, status: 'failed' | 'succeeded'): Promise<PaymentBody> {
    const session = await scene.client.createSession();
    const call = heldCall();
    will(scene, CARD, session, call.behaviour);
    const paying = scene.client.payCard(session);
    await until(() => scene.gateway.requestsTo(CARD).some(({ text }) => text.includes(session.reference)));
    const { data } = expectStatus(
      await scene.client.get<{ data: PaymentBody[] }>(`/v1/payments?reference=${session.reference}`),
      200,
    ).body;
    const [payment] = data;
    if (!payment) throw new Error('the payment was not recorded');
    await settleMeanwhile(scene, payment, status);
    call.release(said);
    return expectStatus(await paying, 201, 202).body;
  }

  test('a call that ends without an answer makes the gateway be asked at once', async () => {
    const payment = await lateCardAnswer({ do: 'reset-after-reading' }, 'failed');
    say(scene, payment, answer(approved));
    await until(async () => (await scene.client.getPayment(payment.id)).status === 'succeeded');
  });

  test('a success pays a payment that was closed meanwhile, late and announced', async () => {
    const payment = await lateCardAnswer(answer(approved), 'failed');
    expect(payment).toMatchObject({ status: 'succeeded', amountCaptured: '1500.00', needsAttention: false });
    const events = await scene.client.getEvents(payment.id);
    expect(events.find(({ to }) => to === 'succeeded')).toMatchObject({ from: 'failed', late: true });
    const session = await sessionOf(scene, { id: payment.sessionId } as never);
    expect(session.status).toBe('paid');
  });

  test('a decline of a payment that was paid meanwhile needs attention and takes nothing back', async () => {
    const payment = await lateCardAnswer(answer(failed), 'succeeded');
    expect(payment).toMatchObject({ status: 'succeeded', needsAttention: true });
  });

  test('a success of another amount pays nothing', async () => {
    const other = cardAnswer({ status: 'SUCCESS', ...usualMoney, amount: '2.00' });
    const payment = await lateCardAnswer(answer(other), 'failed');
    expect(payment).toMatchObject({ status: 'failed', needsAttention: true });
  });

  test('a void that only says "success" pays nothing that was settled meanwhile', async () => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    const call = heldCall();
    will(scene, VOID, payment, call.behaviour);
    say(scene, payment, answer(cardAnswer({ status: 'VOIDED' })));
    const voiding = act(scene, 'void', payment);
    await until(() => scene.gateway.requestsTo(VOID).some(({ text }) => text.includes(payment.reference)));
    await settleMeanwhile(scene, payment, 'authorized');
    call.release(answer(cardAnswer({ status: 'SUCCESS', ...usualMoney })));
    const after = expectStatus(await voiding, 200).body;
    expect(after.status).toBe('authorized');
    expect(await timelineOf(scene, payment)).not.toContain('succeeded');
    expect((await asked(scene, payment)).status).toBe('voided');
  });
});
