import { describe, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectStatus, problemOf } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { sideBySide, type Scenario } from './scenarios.js';
import {
  act,
  answer,
  CARD,
  noWord,
  pending,
  questions,
  redirectRequired,
  say,
  sent,
  will,
  type Situation,
} from './situations.js';
import { storedRows } from './stored-time.js';

/** What payers may cost the gateway: whatever they ask for, it is asked within bounds, and they are answered. */

interface Away extends Situation {
  /** The address that the gateway was told. */
  back: string;
}

async function away(scene: Scene, address = '192.0.2.1'): Promise<Away> {
  const session = await scene.client.createSession();
  will(scene, CARD, session, answer(redirectRequired));
  const paid = await scene.client.payCard(session, {}, { headers: from(address) });
  const payment = expectStatus(paid, 201).body;
  const [request] = sent(scene, CARD, payment);
  say(scene, payment, answer(pending));
  return { session, payment, back: (request?.json as { authNotifyUrl: string }).authNotifyUrl };
}

const from = (address: string) => ({ 'x-forwarded-for': address });

async function comeBack({ back, payment }: Away, address = '192.0.2.1'): Promise<void> {
  const answered = await fetch(back, { redirect: 'manual', headers: from(address) });
  const place = new URL(answered.headers.get('location') ?? '');
  expect([answered.status, place.searchParams.get('payment'), place.searchParams.get('status')]).toEqual([
    303,
    payment.id,
    'requires_action',
  ]);
}

const bounds: Record<string, Scenario<Scene>> = {
  'ten return links that are opened without end cause twelve questions each': async (scene) => {
    const all: Away[] = [];
    for (let each = 0; each < 10; each += 1) all.push(await away(scene));
    const began = performance.now();
    await Promise.all(
      all.map(async (each) => {
        for (let round = 0; round < 40; round += 1) await Promise.all([1, 2].map(() => comeBack(each)));
      }),
    );
    const minutes = Math.floor((performance.now() - began) / 60_000);
    for (const { payment } of all) {
      // The schedule asks too, now and then.
      expect(questions(scene, payment)).toBeLessThanOrEqual(12 * (minutes + 1) + 6);
      expect(questions(scene, payment)).toBeGreaterThan(0);
    }
  },

  'an answer is shared for a second': async (scene) => {
    const one = await away(scene);
    const began = performance.now();
    for (let times = 0; times < 10; times += 1) await comeBack(one);
    const seconds = Math.ceil((performance.now() - began) / 1_000);
    // As many as there were seconds, the schedule's own with them.
    expect(questions(scene, one.payment)).toBeLessThanOrEqual(2 * seconds);
  },

  'a cancellation always asks anew, twelve times a minute': async (scene) => {
    const one = await away(scene);
    say(scene, one.payment, noWord);
    const cancel = (token?: string, idempotencyKey: string = randomUUID()) =>
      act(scene, 'cancel', one.payment, {}, { idempotencyKey, ...(token !== undefined && { token }) });
    const { clientToken } = one.session;
    const key = randomUUID();
    for (let times = 0; times < 11; times += 1) {
      const before = questions(scene, one.payment);
      expect(problemOf(expectStatus(await cancel(clientToken), 409)).code).toBe('outcome-unknown');
      expect(questions(scene, one.payment)).toBeGreaterThan(before);
    }
    // The gateway has no word on it: the twelfth is kept for a key that is answered.
    say(scene, one.payment, answer(pending));
    expect(expectStatus(await cancel(clientToken, key), 200).body.status).toBe('canceled');
    const replay = expectStatus(await cancel(clientToken, key), 200);
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
  },

  'one more is refused, and the merchant may still': async (scene) => {
    const one = await away(scene);
    say(scene, one.payment, noWord);
    const cancel = (token?: string) =>
      act(scene, 'cancel', one.payment, {}, token === undefined ? {} : { token });
    const { clientToken } = one.session;
    const began = performance.now();
    for (let times = 0; times < 12; times += 1) expectStatus(await cancel(clientToken), 409);
    const refused = await cancel(clientToken);
    // On a machine that takes a minute for them the first no longer count.
    if (performance.now() - began < 60_000) {
      expect(problemOf(expectStatus(refused, 429)).code).toBe('rate-limited');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const before = questions(scene, one.payment);
    expectStatus(await cancel(), 409);
    expect(questions(scene, one.payment)).toBeGreaterThan(before);
  },
};

describe.each(anyStore)('what payers ask of the gateway on the %s store', (store) => {
  sideBySide(() => startScene(store, { TRUST_PROXY: '1', GATEWAY_STATUS_QUERIES_PER_SECOND: '10' }), bounds);
});

describe('what one address asks in a minute', () => {
  sideBySide(() => startScene('embedded', { TRUST_PROXY: '1', RATE_LIMIT_PER_MINUTE: '5' }), {
    'is bounded over all payments: a return then shows what is known, and a cancellation is refused': async (
      scene,
    ) => {
      const all: Away[] = [];
      for (let each = 0; each < 8; each += 1) all.push(await away(scene, `203.0.113.${each}`));
      // The schedule leaves them alone.
      await storedRows(scene, `update payments set next_status_check_at = ${Date.now() + 3_600_000}`);
      for (const each of all) await comeBack(each, '192.0.2.7');
      const asked = all.filter(({ payment }) => questions(scene, payment) > 0);
      expect(asked).toHaveLength(5);
      const [one] = all;
      if (!one) throw new Error('there is no payment');
      const cancel = (options: object) => act(scene, 'cancel', one.payment, {}, options);
      const refused = await cancel({ token: one.session.clientToken, headers: from('192.0.2.7') });
      expect(problemOf(expectStatus(refused, 429)).code).toBe('rate-limited');
      expectStatus(await cancel({ headers: from('192.0.2.7') }), 200);
    },
  });
});
