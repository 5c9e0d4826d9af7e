import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cardRequest, problemOf, TillfrontClient } from '../harness/client.js';
import { answer, approved, cardAnswer, declined } from '../harness/gateway-answers.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { createTestStore, type TestStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { cardNumber } from './canary/canaries.js';

/** Thieves try stolen cards at shops: limits that hold whichever session and replica they use. */

const LIMIT = 3;

let gateway: MisbehavingGateway;
const running: Tillfront[] = [];
const places: TestStore[] = [];

beforeAll(async () => {
  gateway = await startMisbehavingGateway();
});
afterAll(async () => {
  for (const tillfront of running) await tillfront.stop();
  for (const place of places) await place.dispose();
  await gateway.close();
});

async function start(
  kind: 'embedded' | 'postgres',
  replicas: number,
  env: Record<string, string> = {},
): Promise<Tillfront[]> {
  const place = await createTestStore(kind);
  places.push(place);
  const started: Tillfront[] = [];
  for (let index = 0; index < replicas; index++) {
    const store =
      kind === 'postgres' && index > 0 ? { ...place, dataDir: (await createDataDir()).dataDir } : place;
    started.push(
      await startTillfront({
        store,
        gatewayUrl: gateway.url,
        env: { CARD_TESTING_LIMIT: String(LIMIT), TRUST_PROXY: '1', CARD_ENCRYPTION_KEY: undefined, ...env },
      }),
    );
  }
  running.push(...started);
  return started;
}

async function createDataDir(): Promise<TestStore> {
  const place = await createTestStore('embedded');
  places.push(place);
  return place;
}

/** One attempt in a session of its own. */
async function attempt(tillfront: Tillfront, number: string, address: string) {
  const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  const session = await client.createSession();
  return client.payCard(session, cardRequest({ card: { number, cvv: '111' } }), {
    headers: { 'x-forwarded-for': address },
  });
}

const fresh = () => cardNumber('453201', 16);
/** Within two seconds a replica knows what the other one saw. */
const told = () => new Promise((resolve) => setTimeout(resolve, 2_000));

describe('with two replicas on one PostgreSQL', () => {
  let replicas: Tillfront[];
  const replica = (index: number): Tillfront => replicas[index % 2] as Tillfront;

  beforeAll(async () => {
    replicas = await start('postgres', 2);
  });

  test('an address with too many declined cards is refused, across sessions and replicas', async () => {
    gateway.script('POST /payment/card', answer(declined));
    const address = '203.0.113.7';
    for (let index = 0; index <= LIMIT; index++) {
      const answered = await attempt(replica(index), fresh(), address);
      expect([index, answered.status, answered.body.failure?.code]).toEqual([index, 201, 'declined']);
    }
    await told();
    gateway.forget();
    for (let index = 0; index < 4; index++) {
      const refused = await attempt(replica(index), fresh(), address);
      expect(problemOf(refused)).toMatchObject({ status: 429, code: 'rate-limited' });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(gateway.requestsTo('POST /payment/card')).toEqual([]);
    expect((await attempt(replica(0), fresh(), '203.0.113.8')).status).toBe(201);
  });

  test('a card that was declined too often is refused from every address', async () => {
    gateway.script('POST /payment/card', answer(declined));
    const number = fresh();
    for (let index = 0; index <= LIMIT; index++) {
      expect((await attempt(replica(index), number, `198.51.100.${index}`)).status).toBe(201);
    }
    await told();
    for (const index of [0, 1]) {
      expect(problemOf(await attempt(replica(index), number, `198.51.100.${90 + index}`)).code).toBe(
        'rate-limited',
      );
    }
    gateway.script('POST /payment/card', answer(approved));
    expect((await attempt(replica(0), fresh(), '198.51.100.90')).body.status).toBe('succeeded');
  });

  test('one network of IPv6 is one address', async () => {
    gateway.script('POST /payment/card', answer(declined));
    for (let index = 0; index <= LIMIT; index++) {
      expect((await attempt(replica(index), fresh(), `2001:db8:1:2::${index + 1}`)).status).toBe(201);
    }
    await told();
    expect((await attempt(replica(0), fresh(), '2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await attempt(replica(1), fresh(), '2001:db8:1:3::1')).status).toBe(201);
  });

  test('outages and unknown outcomes never count', async () => {
    const outages: Behaviour[] = [
      { do: 'text', status: 500, text: '' },
      { do: 'reset-after-reading' },
      { do: 'reset-before-reading' },
      { do: 'text', status: 401, text: '' },
      { do: 'text', status: 429, text: '' },
      answer(cardAnswer({ status: 'PENDING' })),
      answer(cardAnswer({}, { error: true, message: 'Issuer is away', errorCode: '91' })),
    ];
    const number = fresh();
    for (const [index, outage] of outages.entries()) {
      gateway.script('POST /payment/card', outage);
      expect((await attempt(replica(index), number, '192.0.2.44')).status).not.toBe(429);
      expect((await attempt(replica(index), fresh(), '192.0.2.44')).status).not.toBe(429);
    }
    gateway.script('POST /payment/card', answer(approved));
    expect((await attempt(replica(0), number, '192.0.2.44')).body.status).toBe('succeeded');
  });
});

test('without a trusted proxy nobody gains by naming other addresses', async () => {
  const [tillfront] = await start('embedded', 1, { TRUST_PROXY: 'false' });
  gateway.script('POST /payment/card', answer(declined));
  for (let index = 0; index <= LIMIT; index++) {
    expect((await attempt(tillfront as Tillfront, fresh(), `203.0.113.${index}`)).status).toBe(201);
  }
  expect((await attempt(tillfront as Tillfront, fresh(), '203.0.113.99')).status).toBe(429);
});

test('the limit of calls an address and minute cannot be passed by naming other addresses', async () => {
  const [tillfront] = await start('embedded', 1, { RATE_LIMIT_PER_MINUTE: '3', TRUST_PROXY: 'false' });
  gateway.script('POST /payment/card', answer(approved));
  const statuses = [];
  for (let index = 0; index < 5; index++) {
    statuses.push((await attempt(tillfront as Tillfront, fresh(), `203.0.113.${index}`)).status);
  }
  expect(statuses).toEqual([201, 201, 201, 429, 429]);
});

test('nor can the gateway be asked for banks without it', async () => {
  const [tillfront] = await start('embedded', 1, { RATE_LIMIT_PER_MINUTE: '3' });
  gateway.script('GET /ussd/banks', { do: 'text', status: 500, text: '' });
  const client = new TillfrontClient((tillfront as Tillfront).url, (tillfront as Tillfront).merchantKey);
  const { clientToken: token } = await client.createSession();
  const statuses = [];
  for (let index = 0; index < 5; index++)
    statuses.push((await client.get('/v1/ussd/banks', { token })).status);
  expect(statuses).toEqual([503, 503, 503, 429, 429]);
});
