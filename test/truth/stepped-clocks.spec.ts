import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, type PaymentBody } from '../harness/client.js';
import { notFoundAnswer } from '../harness/gateway-answers.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../harness/scene.js';
import { onEachStore } from '../harness/side-by-side.js';
import type { StoreKind } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import {
  act,
  answer,
  approved,
  CARD,
  payCard,
  paymentThatIs,
  pending,
  questions,
  say,
  sent,
  sessionOf,
  VOID,
  voided,
  will,
} from './situations.js';

const PRELOAD = new URL('../harness/step-clock.mjs', import.meta.url).href;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Longer than any of these tests takes from a call to its end, and shorter than any of the steps. */
const GRACE_SECONDS = 600;

const STEPS: [string, number][] = [
  ['forward by 20 minutes', 20 * MINUTE],
  ['back by an hour', -HOUR],
  ['forward by a day', DAY],
  ['back by a day', -DAY],
  ['forward by an hour', HOUR],
];

/** An answer that the gateway gives when the test says so. */
function held(): { behaviour: Promise<Behaviour>; give: (behaviour: Behaviour) => void } {
  let give: (behaviour: Behaviour) => void = () => undefined;
  const behaviour = new Promise<Behaviour>((resolve) => (give = resolve));
  return { behaviour, give };
}

describe('a wall clock that is set while the service runs', () => {
  const scenes = new Map<StoreKind, Scene>();

  beforeAll(async () => {
    const steps = STEPS.map(([, milliseconds]) => milliseconds).join(',');
    await onEachStore(async (store) => {
      const scene = await startScene(store, {
        NODE_OPTIONS: `--import ${PRELOAD}`,
        CLOCK_STEPS_MS: steps,
        NOT_FOUND_GRACE_SECONDS: String(GRACE_SECONDS),
        GATEWAY_TIMEOUT_MS: '60000',
        GATEWAY_STATUS_QUERIES_PER_SECOND: '0',
      });
      scenes.set(store, scene);
    });
  });
  afterAll(() => Promise.all([...scenes.values()].map((scene) => scene.stop())));

  test.each(STEPS)(
    '%s, during calls and between them: nothing is charged twice, failed or dropped',
    () => onEachStore((store) => stepped(scenes.get(store) as Scene)),
    120_000,
  );

  async function stepped(scene: Scene): Promise<void> {
    const { client, tillfront } = scene;
    const slowPay = held();
    const session = await client.createSession();
    will(scene, CARD, session, () => slowPay.behaviour);
    const paying = client.payCard(session);
    const paid = await paymentThatIs(scene, 'succeeded');
    const slowVoid = held();
    will(scene, VOID, paid.session, () => slowVoid.behaviour);
    const voiding = act(scene, 'void', paid.payment);
    const unknown = await paymentThatIs(scene, 'processing');
    say(scene, unknown.payment, answer(notFoundAnswer));
    const waiting = await paymentThatIs(scene, 'requires_action');
    say(scene, waiting.payment, answer(pending));
    await until(() => sent(scene, CARD, session).length + sent(scene, VOID, paid.session).length === 2);

    process.kill(tillfront.pid, 'SIGUSR2');
    // The schedule has run since, for longer than a lease lasts, and has heard the word that a grace waits for.
    await until(() => questions(scene, unknown.payment) >= 4);
    await until(() => questions(scene, waiting.payment) >= 1);

    const [calling] = await client.paymentsOf(session.reference);
    const living = calling as PaymentBody;
    expect(living.status).toBe('processing');
    expect(questions(scene, living)).toBe(0);
    expect(questions(scene, paid.payment)).toBe(0);
    expectStatus(await client.payCard(session), 409);
    expectStatus(await act(scene, 'void', paid.payment), 409);
    expect(await client.getPayment(unknown.payment.id)).toMatchObject({ status: 'processing' });
    expect(await client.getPayment(waiting.payment.id)).toMatchObject({ status: 'requires_action' });

    slowPay.give(answer(approved));
    slowVoid.give(answer(voided));
    expect(expectStatus(await paying, 201).body.status).toBe('succeeded');
    expect(expectStatus(await voiding, 200).body.status).toBe('voided');
    expect(sent(scene, CARD, session)).toHaveLength(1);
    expect(sent(scene, VOID, paid.session)).toHaveLength(1);
    expect((await sessionOf(scene, session)).status).toBe('paid');
    const between = await payCard(scene, answer(approved));
    expect(between.payment.status).toBe('succeeded');
    say(scene, unknown.payment, answer(approved));
    expect(expectStatus(await act(scene, 'refresh', unknown.payment), 200).body.status).toBe('succeeded');
    say(scene, waiting.payment, answer(approved));
    expect(expectStatus(await act(scene, 'refresh', waiting.payment), 200).body.status).toBe('succeeded');
  }
});
