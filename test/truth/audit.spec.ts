import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, problemOf, TillfrontClient, type Answer } from '../harness/client.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import type { Scene } from '../harness/scene.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { startTillfront, testKeys } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { act, answer, paymentThatIs, payWallet, voided, VOID, will } from './situations.js';
import { storedRows } from './stored-time.js';

/** What was done with a merchant key, and by whom. */

const ANNA = 'key-of-anna-0123456789abcdef';
const READER = 'key-of-reader-0123456789abcdef';
const ADDRESS = '192.0.2.44';

interface Entry {
  id: string;
  at: string;
  actor: string;
  action: string;
  object: string | null;
  address: string | null;
  requestId: string | null;
  outcome: string;
  count?: number;
}
interface List {
  data: Entry[];
  nextCursor: string | null;
}

describe.each(stores)('the audit on the %s store', (kind) => {
  const env = {
    MERCHANT_API_KEY: `${testKeys.merchant},ops-anna=${ANNA}`,
    MERCHANT_READ_API_KEY: `reader=${READER}`,
    TRUST_PROXY: '1',
  };
  let store: TestStore;
  let gateway: MisbehavingGateway;
  let scene: Scene;

  const start = async (): Promise<void> => {
    const tillfront = await startTillfront({ store, gatewayUrl: gateway.url, env });
    const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
    scene = { gateway, tillfront, client, stop: async () => void (await tillfront.stop()) };
  };
  const list = async (query = ''): Promise<List> =>
    expectStatus(await scene.client.get<List>(`/v1/audit${query}`), 200).body;
  const all = async (): Promise<Entry[]> => {
    const found: Entry[] = [];
    for (let cursor = ''; ;) {
      const { data, nextCursor } = await list(`?limit=100${cursor}`);
      found.push(...data);
      if (nextCursor === null) return found;
      cursor = `&cursor=${nextCursor}`;
    }
  };
  /** The entries that `doing` made, oldest first. */
  const entriesOf = async (doing: () => Promise<unknown>): Promise<Entry[]> => {
    const before = (await all()).length;
    await doing();
    return (await all()).slice(0, -before || undefined).reverse();
  };
  const as = (
    token: string,
    requestId = randomUUID(),
  ): { token: string; headers: Record<string, string> } => ({
    token,
    headers: { 'x-forwarded-for': ADDRESS, 'x-request-id': requestId },
  });
  const codes = (entries: Entry[]): string[] => entries.map(({ action, outcome }) => `${action} ${outcome}`);

  beforeAll(async () => {
    store = await createTestStore(kind);
    gateway = await startMisbehavingGateway();
    await start();
  });
  afterAll(async () => {
    await scene?.stop();
    await gateway?.close();
    await store?.dispose();
  });

  test('has who did what to which payment, from where, under which request, and how it came out', async () => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    will(scene, VOID, payment, answer(voided));
    const requestId = randomUUID();
    const entries = await entriesOf(() => act(scene, 'void', payment, {}, as(ANNA, requestId)));
    expect(entries).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        at: expect.stringMatching(/Z$/),
        actor: 'merchant:ops-anna',
        action: 'void',
        object: payment.id,
        address: ADDRESS,
        requestId,
        outcome: 'ok',
      },
    ]);
    const lineOf = (): string | undefined =>
      scene.tillfront
        .logs()
        .split('\n')
        .find((text) => text.includes('"event":"audit"') && text.includes(requestId));
    // The log is written a moment after the answer.
    await until(() => lineOf() !== undefined);
    expect(JSON.parse(lineOf() ?? '{}')).toMatchObject({
      actor: 'merchant:ops-anna',
      action: 'void',
      object: payment.id,
      address: ADDRESS,
      outcome: 'ok',
    });
  });

  test('has what was refused, from the query of its content to its state', async () => {
    const { payment } = await paymentThatIs(scene, 'failed');
    const entries = await entriesOf(async () => {
      await act(scene, 'void', payment);
      await act(scene, 'complete', payment, { amount: '-1' });
      await act(scene, 'resolve', { ...payment, id: 'pay_none' }, { status: 'failed', note: 'x' });
      await act(scene, 'cancel', payment, {}, { idempotencyKey: null });
      await act(scene, 'void', payment, {}, as(READER));
      await scene.client.post('/v1/events/evt_none/redeliver');
    });
    expect(codes(entries)).toEqual([
      'void invalid-state',
      'complete validation-failed',
      'resolve not-found',
      'cancel idempotency-key-missing',
      'void forbidden',
      'redeliver not-found',
    ]);
    expect(entries[4]?.actor).toBe('merchant:reader');
  });

  test('has what was done to sessions, and who signed in', async () => {
    let session = { id: '' };
    const entries = await entriesOf(async () => {
      session = await scene.client.createSession();
      await scene.client.post(`/v1/checkout-sessions/${session.id}/close`);
      await scene.client.post(`/v1/checkout-sessions/${session.id}/redact`);
      const signedIn = await scene.client.post('/v1/console/sign-ins', {}, as(READER));
      expect(expectStatus(signedIn, 200).body).toEqual({
        actor: 'merchant:reader',
        access: 'read',
        livemode: false,
        timeZone: 'UTC',
      });
    });
    expect(codes(entries)).toEqual(['create ok', 'close ok', 'redact ok', 'sign-in ok']);
    expect(entries.map(({ object }) => object)).toEqual([session.id, session.id, session.id, null]);
  });

  test('has nothing of payers, of what only reads, and of what a caller wrote into an address', async () => {
    const { session, payment } = await payWallet(scene);
    const entries = await entriesOf(async () => {
      await act(scene, 'cancel', payment, {}, { token: session.clientToken });
      await scene.client.getPayment(payment.id);
      for (const id of [
        '4111%201111%201111%201111',
        '4111111111111111',
        'pay_4111111111111111',
        'pay_4111111111111111abcdefgh',
        'pay_4111-1111-1111-1111',
      ])
        await act(scene, 'void', { ...payment, id });
      await scene.client.post('/v1/events/evt_4111111111111111/redeliver');
    });
    expect(codes(entries)).toEqual([...Array<string>(5).fill('void not-found'), 'redeliver not-found']);
    expect(entries.map(({ object }) => object)).toEqual(Array(6).fill(null));
    // What has the form of an id is kept, whether there is such a thing or not.
    const known = await entriesOf(async () => {
      await act(scene, 'void', { ...payment, id: `${payment.id.slice(0, -1)}X` });
      await scene.client.post(`/v1/events/evt_${payment.id}_99/redeliver`);
    });
    expect(known.map(({ object }) => object)).toEqual([
      `${payment.id.slice(0, -1)}X`,
      `evt_${payment.id}_99`,
    ]);
  });

  test('is listed newest first, page by page, without a gap', async () => {
    const entries = await all();
    const pages: Entry[] = [];
    for (let cursor = ''; ;) {
      const { data, nextCursor } = await list(`?limit=2${cursor}`);
      pages.push(...data);
      if (nextCursor === null) break;
      cursor = `&cursor=${nextCursor}`;
    }
    expect(pages).toEqual(entries);
    const times = entries.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
    for (const query of [
      'limit=0',
      'limit=101',
      'cursor=',
      'after=x',
      'action=Void!',
      'from=yesterday',
      'actor=',
    ])
      expect(problemOf(await scene.client.get(`/v1/audit?${query}`)).code).toBe('validation-failed');
  });

  test('is searched by person, thing, action and time', async () => {
    const { payment } = await payWallet(scene);
    const other = await payWallet(scene);
    await act(scene, 'void', payment, {}, as(ANNA));
    await act(scene, 'void', other.payment);
    await scene.client.post(`/v1/payments/${payment.id}/refresh`);
    const entries = await all();
    const at = entries[1]?.at ?? '';
    const filters: Record<string, (entry: Entry) => boolean> = {
      'actor=merchant:ops-anna': ({ actor }) => actor === 'merchant:ops-anna',
      'actor=merchant:ops-anna&action=void': ({ actor, action }) =>
        actor === 'merchant:ops-anna' && action === 'void',
      [`object=${payment.id}`]: ({ object }) => object === payment.id,
      'action=refresh': ({ action }) => action === 'refresh',
      [`from=${at}`]: (entry) => entry.at >= at,
      [`to=${at}`]: (entry) => entry.at < at,
    };
    for (const [filter, fits] of Object.entries(filters)) {
      const expected = entries.filter(fits);
      expect(expected.length).toBeGreaterThan(0);
      expect([filter, (await list(`?limit=100&${filter}`)).data]).toEqual([filter, expected]);
    }
    expect((await list('?actor=nobody')).data).toEqual([]);
  });

  test('counts wrong keys by address and minute, an IPv6 address by its /64', async () => {
    const guess = (address: string): Promise<Answer<unknown>> =>
      scene.client.get('/v1/payments', {
        token: 'no-key',
        headers: { 'x-forwarded-for': address },
      });
    for (let n = 0; n < 23; n++) await guess('192.0.2.99');
    await guess('2001:db8:1:2::3');
    await guess('2001:db8:1:2::4');
    // The end of the process is the end of its minute.
    await scene.stop();
    await start();
    const counted = (await all())
      .filter(({ action }) => action === 'authenticate')
      .sort((one, other) => (other.count ?? 0) - (one.count ?? 0));
    expect(counted).toEqual([
      expect.objectContaining({
        address: '192.0.2.99',
        count: 23,
        outcome: 'unauthorized',
        actor: 'unknown',
      }),
      expect.objectContaining({ address: '2001:db8:1:2::/64', count: 2, outcome: 'unauthorized' }),
    ]);
    expect(JSON.stringify(counted)).not.toMatch(/no-key/);
  });

  test('bounds what a flood of wrong keys from many addresses writes', async () => {
    const entries = await entriesOf(async () => {
      for (let n = 0; n < 130; n++)
        await scene.client.get('/v1/payments', {
          token: 'no-key',
          headers: { 'x-forwarded-for': `198.51.100.${n}` },
        });
      await scene.stop();
      await start();
    });
    expect(entries).toHaveLength(101);
    expect(entries.find(({ address }) => address === null)?.count).toBe(30);
  });

  test('that cannot be written does not belie what was done, and the log has it', async () => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    will(scene, VOID, payment, answer(voided));
    await storedRows(scene, 'alter table audit rename to audit_away');
    const requestId = randomUUID();
    const done = expectStatus(await act(scene, 'void', payment, {}, as(ANNA, requestId)), 200);
    await storedRows(scene, 'alter table audit_away rename to audit');
    expect(done.body.status).toBe('voided');
    await until(() => scene.tillfront.logs().includes('"event":"audit.unwritten"'));
    const lines = scene.tillfront.logs().split('\n');
    expect(lines.filter((line) => line.includes('"event":"audit"') && line.includes(requestId))).toHaveLength(
      1,
    );
  });
});
