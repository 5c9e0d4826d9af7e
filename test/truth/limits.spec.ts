import { describe, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectStatus, problemOf, TillfrontClient, type SessionBody } from '../harness/client.js';
import { startMisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore, createTestStore } from '../harness/test-store.js';
import { startTillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { sideBySide, type Scenario } from './scenarios.js';
import {
  answer,
  approved,
  CARD,
  declined,
  failed,
  otpRequired,
  OTP,
  payCard,
  pending,
  say,
  sent,
  sessionOf,
  will,
  type Stage,
} from './situations.js';
import { randomWord } from '../harness/random-word.js';

/** Luhn-valid card numbers, as many as are wanted. */
function cardNumber(index: number): string {
  const body = `400000${String(index).padStart(9, '0')}`;
  const sum = [...body].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

let cards = 0;
const newCard = () => ({ card: { number: cardNumber((cards += 1)), cvv: '111', pin: undefined } });

async function decline(stage: Stage, session: SessionBody, body: object = newCard(), headers = {}) {
  will(stage, CARD, session, answer(declined));
  return stage.client.payCard(session, body, { headers });
}

const declines: Record<string, Scenario<Scene>> = {
  'too many declines close the session': async (scene) => {
    const session = await scene.client.createSession();
    for (let tries = 0; tries < 3; tries += 1) {
      expect((await sessionOf(scene, session)).status).toBe('open');
      expect(expectStatus(await decline(scene, session), 201).body.status).toBe('failed');
    }
    expect((await sessionOf(scene, session)).status).toBe('closed');
    expect(problemOf(expectStatus(await decline(scene, session), 409)).code).toBe('session-closed');
    expect(sent(scene, CARD, session)).toHaveLength(3);
  },

  'declines that are told later count too': async (scene) => {
    const session = await scene.client.createSession();
    const { payment } = await payCard(scene, answer(pending), session);
    say(scene, payment, answer(failed));
    await scene.client.waitForStatus(payment.id, 'failed');
    const second = await payCard(scene, answer(otpRequired), session);
    will(scene, OTP, second.payment, answer(failed));
    expectStatus(await scene.client.submitOtp(session, second.payment.id, '123456'), 200);
    expectStatus(await decline(scene, session), 201);
    expect((await sessionOf(scene, session)).status).toBe('closed');
  },

  'rejections and outages do not count': async (scene) => {
    const session = await scene.client.createSession();
    for (const said of [
      answer({}, 400),
      answer({}, 401),
      answer({}, 422),
      answer({}, 429),
      answer({}, 403),
    ]) {
      will(scene, CARD, session, said);
      await scene.client.payCard(session);
    }
    expect((await sessionOf(scene, session)).status).toBe('open');
    expect((await payCard(scene, answer(approved), session)).payment.status).toBe('succeeded');
  },

  'declines of other methods do not count': async (scene) => {
    const session = await scene.client.createSession();
    for (let tries = 0; tries < 4; tries += 1) {
      will(scene, 'POST /payment/transfer', session, answer(declined));
      expect(expectStatus(await scene.client.payTransfer(session), 201).body.status).toBe('failed');
    }
    expect((await sessionOf(scene, session)).status).toBe('open');
  },

  'late money pays a session that declines have closed': async (scene) => {
    const session = await scene.client.createSession();
    will(scene, CARD, session, answer({}, 400));
    const rejected = expectStatus(await scene.client.payCard(session), 201).body;
    for (let tries = 0; tries < 3; tries += 1) await decline(scene, session);
    say(scene, rejected, answer(approved));
    await scene.client.post(`/v1/payments/${rejected.id}/refresh`);
    expect((await sessionOf(scene, session)).status).toBe('paid');
  },
};

const TRANSFER = 'POST /payment/transfer';

async function tryTransfer(scene: Scene, session: SessionBody, idempotencyKey: string = randomUUID()) {
  will(scene, TRANSFER, session, answer(declined));
  return scene.client.payTransfer(session, {}, { idempotencyKey });
}

const attempts: Record<string, Scenario<Scene>> = {
  'too many payments of any method close the session, once and for all': async (scene) => {
    const session = await scene.client.createSession();
    const keys = [randomUUID(), randomUUID(), randomUUID()];
    for (const key of keys) expectStatus(await tryTransfer(scene, session, key), 201);
    expect((await sessionOf(scene, session)).status).toBe('open');
    for (let tries = 0; tries < 2; tries += 1) {
      const refused = problemOf(expectStatus(await tryTransfer(scene, session), 409));
      expect(refused.code).toBe('session-closed');
    }
    expect(await sessionOf(scene, session)).toMatchObject({ status: 'closed', closedReason: 'attempts' });
    expect(sent(scene, TRANSFER, session)).toHaveLength(3);
    // Keys are looked at before the session's state.
    const replay = expectStatus(await tryTransfer(scene, session, keys[0]), 200);
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    const closings = async (): Promise<object[]> =>
      (await eventsOf(scene)).filter(({ data }) => data.id === session.id);
    await until(async () => (await closings()).length > 0);
    expect(await closings()).toMatchObject([
      { type: 'checkout_session.closed', data: { status: 'closed', closedReason: 'attempts' } },
    ]);
  },

  'a further session of the same order has its own': async (scene) => {
    const first = await scene.client.createSession();
    for (let tries = 0; tries < 4; tries += 1) await tryTransfer(scene, first);
    const second = await scene.client.createSession({ reference: first.reference });
    for (let tries = 0; tries < 3; tries += 1) {
      will(scene, TRANSFER, first, answer(declined));
      expectStatus(await scene.client.payTransfer(second), 201);
    }
    expectStatus(await scene.client.payTransfer(second), 409);
    expect(await sessionOf(scene, second)).toMatchObject({ status: 'closed', closedReason: 'attempts' });
  },

  'many at the same time are no more': async (scene) => {
    const session = await scene.client.createSession();
    let started = 0;
    for (let round = 0; round < 6; round += 1) {
      const answers = await Promise.all([1, 2, 3, 4].map(() => tryTransfer(scene, session)));
      started += answers.filter(({ status }) => status === 201).length;
    }
    expect(started).toBe(3);
    expect((await sessionOf(scene, session)).status).toBe('closed');
  },
};

const shown: Record<string, Scenario<Scene>> = {
  'a session shows its newest twenty payments, wherever it is read': async (scene) => {
    const session = await scene.client.createSession();
    const made: string[] = [];
    for (let tries = 0; tries < 23; tries += 1)
      made.push(expectStatus(await tryTransfer(scene, session), 201).body.id);
    const { client } = scene;
    const views = [
      (await client.get<SessionBody>('/v1/checkout-session', { token: session.clientToken })).body,
      await sessionOf(scene, session),
      ...(await client.get<{ data: SessionBody[] }>(`/v1/checkout-sessions?reference=${session.reference}`))
        .body.data,
      expectStatus(await client.post<SessionBody>(`/v1/checkout-sessions/${session.id}/close`, {}), 200).body,
    ];
    expect(views).toHaveLength(4);
    for (const { payments } of views)
      expect((payments as { id: string }[]).map(({ id }) => id)).toEqual(made.slice(-20));
  },
};

async function eventsOf({ client }: Scene): Promise<{ type: string; data: SessionBody }[]> {
  const all: { id: string; type: string; data: SessionBody }[] = [];
  for (;;) {
    const after = all.at(-1)?.id;
    const path = `/v1/events?limit=100${after === undefined ? '' : `&after=${after}`}`;
    const { data } = (await client.get<{ data: typeof all }>(path)).body;
    all.push(...data);
    if (data.length < 100) return all;
  }
}

const methods: Record<string, Scenario<Scene>> = {
  'what is not offered cannot be paid with, and not be asked for': async (scene) => {
    const session = await scene.client.createSession();
    expect(session.methods).toEqual(['card', 'wallet']);
    const refused = problemOf(expectStatus(await scene.client.payTransfer(session), 400));
    expect(refused.code).toBe('validation-failed');
    const asked = await scene.client.post('/v1/checkout-sessions', {
      reference: `M-${randomWord(8)}`,
      amount: '1.00',
      currency: 'NGN',
      methods: ['card', 'ussd'],
    });
    expect(problemOf(expectStatus(asked, 400)).errors?.map(({ pointer }) => pointer)).toEqual(['/methods/1']);
  },

  'a session may offer fewer': async (scene) => {
    const session = await scene.client.createSession({ methods: ['wallet'] });
    const refused = problemOf(expectStatus(await scene.client.payCard(session), 400));
    expect(refused.code).toBe('validation-failed');
    expect(sent(scene, CARD, session)).toEqual([]);
  },
};

/** Every request comes from the address that it names. */
const from = (address: string) => ({ 'x-forwarded-for': address });
const proxied = { TRUST_PROXY: '1', MAX_DECLINES_PER_SESSION: '100' };

const testing: Record<string, Scenario<Scene>> = {
  'many different cards of one address: that address is stopped, others are not': async (scene) => {
    const address = from('198.51.100.7');
    const session = await scene.client.createSession();
    for (let tries = 0; tries < 4; tries += 1)
      expectStatus(await decline(scene, session, newCard(), address), 201);
    const stopped = expectStatus(await decline(scene, session, newCard(), address), 429);
    expect(problemOf(stopped).code).toBe('rate-limited');
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await scene.client.createSession();
    expectStatus(await decline(scene, other, newCard(), address), 429);
    expectStatus(await decline(scene, session, newCard(), from('198.51.100.8')), 201);
    expect(sent(scene, CARD, session)).toHaveLength(5);
  },

  'one card again and again: that card is stopped everywhere': async (scene) => {
    const body = newCard();
    const session = await scene.client.createSession();
    for (let tries = 0; tries < 4; tries += 1)
      expectStatus(await decline(scene, session, body, from(`198.51.101.${tries}`)), 201);
    const other = await scene.client.createSession();
    expectStatus(await decline(scene, other, body, from('198.51.102.1')), 429);
    expectStatus(await decline(scene, other, newCard(), from('198.51.102.1')), 201);
  },

  'one card of one address is one card': async (scene) => {
    const [body, address] = [newCard(), from('198.51.103.1')];
    const session = await scene.client.createSession();
    for (let tries = 0; tries < 3; tries += 1)
      expectStatus(await decline(scene, session, body, address), 201);
    expectStatus(await decline(scene, session, newCard(), address), 201);
  },

  'outages and unknown outcomes never count': async (scene) => {
    const address = from('198.51.104.1');
    for (const said of [
      answer({}, 402),
      answer({}, 429),
      answer({}, 401),
      answer({}, 500),
      answer({}, 403),
      answer({}, 502),
    ]) {
      const session = await scene.client.createSession();
      will(scene, CARD, session, said);
      await scene.client.payCard(session, newCard(), { headers: address });
    }
    const session = await scene.client.createSession();
    will(scene, CARD, session, answer(approved));
    expectStatus(await scene.client.payCard(session, newCard(), { headers: address }), 201);
  },

  'a request that was made before is answered all the same': async (scene) => {
    const address = from('198.51.105.1');
    const session = await scene.client.createSession();
    const [body, idempotencyKey] = [newCard(), randomUUID()];
    will(scene, CARD, session, answer(declined));
    const options = { headers: address, idempotencyKey };
    expectStatus(await scene.client.payCard(session, body, options), 201);
    for (let tries = 0; tries < 3; tries += 1) await decline(scene, session, newCard(), address);
    expectStatus(await decline(scene, session, newCard(), address), 429);
    const again = expectStatus(await scene.client.payCard(session, body, options), 200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  },

  'other methods go on': async (scene) => {
    const address = from('198.51.106.1');
    const session = await scene.client.createSession();
    for (let tries = 0; tries < 4; tries += 1) await decline(scene, session, newCard(), address);
    expectStatus(await decline(scene, session, newCard(), address), 429);
    will(scene, 'POST /payment/transfer', session, answer(declined));
    expectStatus(await scene.client.payTransfer(session, {}, { headers: address }), 201);
  },
};

describe.each(anyStore)('declines on the %s store', (store) => {
  sideBySide(() => startScene(store, { MAX_DECLINES_PER_SESSION: '3' }), declines);
});

describe.each(anyStore)('payments of a session on the %s store', (store) => {
  sideBySide(() => startScene(store, { MAX_PAYMENTS_PER_SESSION: '3' }), attempts);
});

describe.each(anyStore)('more payments of a session than are shown, on the %s store', (store) => {
  sideBySide(() => startScene(store, { MAX_PAYMENTS_PER_SESSION: '0' }), shown);
});

describe.each(anyStore)('card testing on the %s store', (store) => {
  sideBySide(() => startScene(store, { ...proxied, CARD_TESTING_LIMIT: '3' }), testing);
});

describe('card testing across processes', () => {
  sideBySide(
    async () => {
      const store = await createTestStore('postgres');
      const gateway = await startMisbehavingGateway();
      const env = { ...proxied, CARD_TESTING_LIMIT: '3' };
      const replicas = await Promise.all(
        [1, 2].map(() => startTillfront({ store, gatewayUrl: gateway.url, env })),
      );
      const clients = replicas.map(({ url, merchantKey }) => new TillfrontClient(url, merchantKey));
      return {
        gateway,
        clients,
        client: clients[0] as TillfrontClient,
        stop: async () => {
          await Promise.all(replicas.map((replica) => replica.stop()));
          await gateway.close();
          await store.dispose();
        },
      };
    },
    {
      'is counted for all': async ({ gateway, clients }) => {
        const stages = clients.map((client) => ({ gateway, client })) as [Stage, Stage];
        const address = from('198.51.107.1');
        const session = await stages[0].client.createSession();
        for (let tries = 0; tries < 4; tries += 1)
          expectStatus(await decline(stages[tries % 2] as Stage, session, newCard(), address), 201);
        for (const stage of stages) expectStatus(await decline(stage, session, newCard(), address), 429);
      },
    },
  );
});

describe('methods', () => {
  sideBySide(() => startScene('embedded', { PAYMENT_METHODS: 'card,wallet' }), methods);
});

describe('calls a minute', () => {
  sideBySide(() => startScene('embedded', { RATE_LIMIT_PER_MINUTE: '5', TRUST_PROXY: '1' }), {
    'that start or confirm a payment are limited per address': async (scene) => {
      const address = from('203.0.113.9');
      const session = await scene.client.createSession();
      will(scene, CARD, session, answer(declined));
      const pay = (headers: Record<string, string>) => scene.client.payCard(session, {}, { headers });
      for (let calls = 0; calls < 5; calls += 1) expect((await pay(address)).status).not.toBe(429);
      const limited = expectStatus(await pay(address), 429);
      expect(problemOf(limited).code).toBe('rate-limited');
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      const otp = await scene.client.submitOtp(session, 'pay_1', '123456', { headers: address });
      expectStatus(otp, 429);
      expect((await pay(from('203.0.113.10'))).status).not.toBe(429);
      for (let calls = 0; calls < 10; calls += 1)
        expectStatus(
          await scene.client.get('/v1/checkout-session', { token: session.clientToken, headers: address }),
          200,
        );
      await until(async () => (await sessionOf(scene, session)).id === session.id);
    },
  });
});
