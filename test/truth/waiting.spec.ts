import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readerToken } from '../../src/auth/tokens.js';
import { Secret } from '../../src/secrets/secret.js';
import { expectStatus, problemOf, TillfrontClient, type PaymentBody } from '../harness/client.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { createTestStore, type StoreKind, type TestStore } from '../harness/test-store.js';
import { startTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import {
  answer,
  approved,
  asked,
  cardAnswer,
  otpRequired,
  paymentThatIs,
  pending,
  questions,
  say,
  wait,
  type Stage,
} from './situations.js';

const settings: [StoreKind, number][] = [
  ['embedded', 1],
  ['postgres', 2],
];

describe.each(settings)('waiting for a change on the %s store with %i process(es)', (kind, processes) => {
  let store: TestStore;
  let gateway: MisbehavingGateway;
  let replicas: Tillfront[];
  let stages: Stage[];

  beforeAll(async () => {
    store = await createTestStore(kind);
    gateway = await startMisbehavingGateway();
    replicas = await Promise.all(
      Array.from({ length: processes }, () => startTillfront({ store, gatewayUrl: gateway.url })),
    );
    stages = replicas.map(({ url, merchantKey }) => ({
      gateway,
      client: new TillfrontClient(url, merchantKey),
    }));
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await gateway.close();
    await store.dispose();
  });

  const first = () => stages[0] as Stage;
  /** Another process, where there is one. */
  const last = () => stages.at(-1) as Stage;

  async function waitFor(stage: Stage, payment: PaymentBody, seconds: string | number) {
    const began = Date.now();
    const answered = await stage.client.get<PaymentBody>(`/v1/payments/${payment.id}?wait=${seconds}`);
    return { answered, body: answered.body, took: Date.now() - began };
  }

  test('a move is told at once, and within a second where another process made it', async () => {
    const took: number[] = [];
    for (let times = 0; times < 3; times++) {
      const { payment } = await paymentThatIs(first(), 'requires_action');
      say(first(), payment, answer(approved));
      const waiting = stages.map((stage) => waitFor(stage, payment, 20));
      await wait(400);
      const moved = Date.now();
      await asked(last(), payment);
      for (const { body } of await Promise.all(waiting)) expect(body.status).toBe('succeeded');
      took.push(Date.now() - moved);
    }
    // What else the machine does only ever adds to it.
    expect(Math.min(...took)).toBeLessThan(processes > 1 ? 2_000 : 800);
  });

  test('a new action of the same status is told too', async () => {
    const { payment, session } = await paymentThatIs(first(), 'processing');
    say(first(), payment, answer(otpRequired));
    const otp = await waitFor(first(), payment, 10);
    expect(otp.body).toMatchObject({ status: 'requires_action', nextAction: { type: 'otp' } });
    const redirect = answer(
      cardAnswer({ status: 'REDIRECT_REQUIRED', redirectUrl: 'https://bank.example/' }),
    );
    gateway.script('POST /payment/validate-otp', redirect);
    const waiting = waitFor(last(), otp.body, 10);
    await wait(300);
    expectStatus(await first().client.submitOtp(session, payment.id, '123456'), 200);
    expect((await waiting).body.nextAction).toMatchObject({ type: 'redirect' });
  });

  test('at once, where it stands otherwise than it was seen: nothing happens unnoticed between two calls', async () => {
    const { payment } = await paymentThatIs(first(), 'requires_action');
    const standing = `requires_action.${payment.nextAction?.type}`;
    // Held while it stands as it was seen, told when it moves.
    const held = await waitFor(first(), payment, `1&seen=${standing}`);
    expect(held.body.status).toBe('requires_action');
    expect(held.took).toBeGreaterThan(900);
    say(first(), payment, answer(approved));
    await asked(first(), payment);
    for (const seen of [standing, 'requires_action', 'processing']) {
      for (const stage of stages) {
        const { answered, body, took } = await waitFor(stage, payment, `25&seen=${seen}`);
        expectStatus(answered, 200);
        expect(body.status).toBe('succeeded');
        expect(took).toBeLessThan(20_000);
      }
    }
    const problem = problemOf((await waitFor(first(), payment, '1&seen=paid')).answered);
    expect(problem).toMatchObject({ code: 'validation-failed', errors: [{ pointer: '/seen' }] });
  }, 120_000);

  test('without a change after so many seconds', async () => {
    const { payment } = await paymentThatIs(first(), 'requires_action');
    const { body, took } = await waitFor(first(), payment, 1);
    expect(body.status).toBe('requires_action');
    expect(took).toBeGreaterThan(900);
    expect(took).toBeLessThan(10_000);
    const atOnce: number[] = [];
    for (let times = 0; times < 3; times++) atOnce.push((await waitFor(first(), payment, 0)).took);
    expect(Math.min(...atOnce)).toBeLessThan(900);
  });

  test('hundreds wait beside each other, and other requests go through', async () => {
    const { payment } = await paymentThatIs(first(), 'requires_action');
    const { payment: calm } = await paymentThatIs(first(), 'requires_action');
    say(first(), payment, answer(approved));
    const waiting = Array.from({ length: 180 }, (_, turn) =>
      turn % 3 === 0
        ? waitFor(stages[turn % stages.length] as Stage, calm, 4)
        : waitFor(stages[turn % stages.length] as Stage, payment, 25),
    );
    await wait(500);
    const began = Date.now();
    await first().client.getPayment(calm.id);
    // Not only when those who wait have gone.
    expect(Date.now() - began).toBeLessThan(10_000);
    await asked(first(), payment);
    const all = await Promise.all(waiting);
    expect(all.filter(({ body }) => body.id === payment.id && body.status === 'succeeded')).toHaveLength(120);
    expect(all.filter(({ body }) => body.id === calm.id && body.status === 'requires_action')).toHaveLength(
      60,
    );
  });

  test('a token holds eight: one more is answered at once and told when to come back, and who leaves makes room', async () => {
    const stage = first();
    const { payment, session } = await paymentThatIs(stage, 'requires_action');
    say(stage, payment, answer(pending));
    const link = readerToken(payment.id, new Secret<readonly string[]>([testKeys.secretKey]), Date.now());
    for (const token of [session.clientToken, link]) {
      const leave = new AbortController();
      const ask = (signal?: AbortSignal): Promise<Response> =>
        fetch(`${replicas[0]?.url}/v1/payments/${payment.id}?wait=30`, {
          headers: { authorization: `Bearer ${token}` },
          ...(signal && { signal }),
        });
      const hold = async (): Promise<void> => {
        // One that is answered, as where the payment moved, comes again.
        while (!leave.signal.aborted)
          await ask(leave.signal)
            .then((one) => one.text())
            .catch(() => undefined);
      };
      const held = Array.from({ length: 8 }, hold);
      // Asked until all of the eight have come; those that come before them are held themselves, and leave.
      let refused: Response | undefined;
      await until(async () => {
        const one = await ask(AbortSignal.timeout(1_000)).catch(() => undefined);
        if (one?.headers.get('retry-after') === '5') refused = one;
        return refused !== undefined;
      });
      expect(refused?.status).toBe(200);
      expect(await refused?.json()).toMatchObject({ id: payment.id, status: 'requires_action' });
      // A merchant's key has its own room, and who does not wait needs none.
      expect(await stage.client.getPayment(payment.id)).toMatchObject({ status: 'requires_action' });
      const { answered, took } = await waitFor(stage, payment, 1);
      expect(answered.headers.get('retry-after')).toBeNull();
      expect(took).toBeGreaterThan(900);
      leave.abort();
      await Promise.all(held);
      await until(async () => {
        const again = await ask(AbortSignal.timeout(1_000)).catch(() => undefined);
        return again === undefined;
        // Long before their time is over.
      }, 15_000);
    }
  });

  test.each(['31', '-1', '1.5', 'soon', '', '1e1', '1&wait=2'])(
    '?wait=%s is refused by its place',
    async (seconds) => {
      const { payment } = await paymentThatIs(first(), 'succeeded');
      const { answered } = await waitFor(first(), payment, seconds);
      const problem = problemOf(expectStatus(answered, 400));
      expect(problem).toMatchObject({ code: 'validation-failed', errors: [{ pointer: '/wait' }] });
    },
  );

  test('two processes never ask about one payment at the same time', async () => {
    const { payment } = await paymentThatIs(first(), 'requires_action');
    let atOnce = 0;
    let most = 0;
    say(first(), payment, async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await wait(60);
      atOnce -= 1;
      return answer(pending);
    });
    await Promise.all(
      Array.from({ length: 10 }, (_, turn) => asked(stages[turn % stages.length] as Stage, payment)),
    );
    expect(most).toBe(1);
    // Those that wait together in one process share a question.
    expect(questions(first(), payment)).toBeGreaterThanOrEqual(stages.length);
  });

  test('whoever waits is answered at once when the process is to end', async () => {
    const leaving = await startTillfront({
      store: kind === 'postgres' ? store : 'embedded',
      gatewayUrl: gateway.url,
    });
    const stage = { gateway, client: new TillfrontClient(leaving.url, leaving.merchantKey) };
    const { payment } = await paymentThatIs(stage, 'requires_action');
    const waiting = waitFor(stage, payment, 30);
    // It waits by the time that what was asked after it is answered.
    for (let times = 0; times < 3; times++) {
      await stage.client.getPayment(payment.id);
      await wait(100);
    }
    const exit = await leaving.stop();
    const { body, took } = await waiting;
    expect(body.status).toBe('requires_action');
    expect(took).toBeLessThan(15_000);
    expect(exit.code).toBe(0);
  });
});
