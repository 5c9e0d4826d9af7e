import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
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
  count: number;
}
interface List {
  data: Entry[];
  nextCursor: string | null;
}

/** An entry as the table has it. */
const asCells = (entry: Entry): Record<string, string> =>
  Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, String(value ?? '')]));

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
    for (let after = ''; ;) {
      const { data } = await list(`?limit=100${after}`);
      found.push(...data);
      const last = data.at(-1);
      if (!last) return found;
      after = `&after=${last.id}`;
    }
  };
  /** The entries that `doing` made. */
  const entriesOf = async (doing: () => Promise<unknown>): Promise<Entry[]> => {
    const before = (await all()).length;
    await doing();
    return (await all()).slice(before);
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
        count: 1,
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
    const session = await scene.client.createSession();
    const entries = await entriesOf(async () => {
      await scene.client.post(`/v1/checkout-sessions/${session.id}/close`);
      await scene.client.post(`/v1/checkout-sessions/${session.id}/redact`);
      const signedIn = await scene.client.post('/v1/console/sign-ins', {}, as(READER));
      expect(expectStatus(signedIn, 201).body).toEqual({
        actor: 'merchant:reader',
        access: 'read',
        livemode: false,
        timeZone: 'UTC',
      });
    });
    expect(codes(entries)).toEqual(['close ok', 'redact ok', 'sign-in ok']);
    expect(entries.map(({ object }) => object)).toEqual([session.id, session.id, null]);
    // What was erased of the payer leaves the audit as it is.
    expect((await all()).slice(-3)).toEqual(entries);
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

  test('names the user of a command line beside the key', async () => {
    const headers = { 'tillfront-command-user': 'anna' };
    const entries = await entriesOf(() =>
      scene.client.post('/v1/events/evt_none/redeliver', {}, { token: ANNA, headers }),
    );
    expect(entries.map(({ actor }) => actor)).toEqual(['merchant:ops-anna/cli:anna']);
  });

  test('keeps no word of a caller: not a request’s id that is none, and no user of digits', async () => {
    const path = '/v1/events/evt_none/redeliver';
    const words = ['order-17', 'cvv-123', '4111111111111111'];
    const entries = await entriesOf(async () => {
      for (const word of words) {
        const headers = { 'x-request-id': word, 'tillfront-command-user': '4111.1111.1111.1111' };
        const { headers: answered } = await scene.client.post(path, {}, { token: ANNA, headers });
        // The caller still finds its own in the answer and in the log, but for a card's number.
        expect(answered.get('x-request-id') === word).toBe(word !== words.at(-1));
      }
    });
    expect(entries.map(({ actor }) => actor)).toEqual(words.map(() => 'merchant:ops-anna'));
    for (const { requestId } of entries) expect(requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    const line = (): string | undefined =>
      scene.tillfront
        .logs()
        .split('\n')
        .find((text) => text.includes('"event":"audit"') && text.includes('order-17'));
    await until(() => line() !== undefined);
    expect(JSON.parse(line() ?? '{}')).toMatchObject({
      auditId: entries[0]?.id,
      requestId: 'order-17',
      auditRequestId: entries[0]?.requestId,
    });
  });

  test('is read on entry by entry, and knows no other', async () => {
    const entries = await all();
    const pages: Entry[] = [];
    for (let after = ''; ;) {
      const { data, nextCursor } = await list(`?limit=2${after}`);
      pages.push(...data);
      if (nextCursor === null) break;
      expect(nextCursor).toBe(data.at(-1)?.id);
      after = `&after=${nextCursor}`;
    }
    expect(pages).toEqual(entries);
    const refused = async (query: string): Promise<string> =>
      problemOf(await scene.client.get(`/v1/audit${query}`)).code;
    expect(await refused('?after=aud_none')).toBe('not-found');
    for (const query of ['?limit=0', '?limit=101', '?after=', '?before=x'])
      expect(await refused(query)).toBe('validation-failed');
  });

  test('is read backwards too, the newest first, without a gap', async () => {
    await scene.client.post('/v1/events/evt_none/redeliver');
    const backwards: Entry[] = [];
    for (let after = ''; ;) {
      const { data, nextCursor } = await list(`?order=newest&limit=2${after}`);
      backwards.push(...data);
      if (nextCursor === null) break;
      after = `&after=${nextCursor}`;
    }
    expect(backwards.length).toBeGreaterThan(2);
    expect(backwards.reverse()).toEqual(await all());
    expect((await scene.client.get('/v1/audit?order=other')).status).toBe(400);
  });

  test('is asked for a person, a thing, a kind of act and a stretch of time, as a list and as a table', async () => {
    const { payment } = await payWallet(scene);
    const other = await payWallet(scene);
    await act(scene, 'void', payment, {}, as(ANNA));
    await act(scene, 'void', other.payment);
    await scene.client.post(`/v1/payments/${payment.id}/refresh`);
    const entries = await all();
    const filters: Record<string, (entry: Entry) => boolean> = {
      'actor=merchant:ops-anna': ({ actor }) => actor === 'merchant:ops-anna',
      'actor=merchant:ops-anna&action=void': ({ actor, action }) =>
        actor === 'merchant:ops-anna' && action === 'void',
      [`object=${payment.id}`]: ({ object }) => object === payment.id,
      'action=void': ({ action }) => action === 'void',
      [`from=${entries.at(-2)?.at}`]: ({ at }) => at >= (entries.at(-2)?.at ?? ''),
      [`to=${entries.at(-2)?.at}`]: ({ at }) => at < (entries.at(-2)?.at ?? ''),
      'actor=nobody': () => false,
    };
    // What is exported here is an entry itself.
    const others = <T extends { action: string }>(found: T[]): T[] =>
      found.filter(({ action }) => action !== 'export');
    for (const [filter, fits] of Object.entries(filters)) {
      const expected = others(entries.filter(fits));
      expect([filter, others((await list(`?limit=100&${filter}`)).data)]).toEqual([filter, expected]);
      const newest = await list(`?limit=100&order=newest&${filter}`);
      expect([filter, others(newest.data.reverse())]).toEqual([filter, expected]);
      const table = expectStatus(await scene.client.get<string>(`/v1/audit.csv?${filter}`), 200).body;
      const rows = parse<Record<keyof Entry, string>>(table, { columns: true });
      expect([filter, others(rows)]).toEqual([filter, expected.map((entry) => asCells(entry))]);
    }
    expect((await all()).at(-1)).toMatchObject({ action: 'export', outcome: 'ok' });
    const marked = await fetch(`${scene.tillfront.url}/v1/audit.csv?for=spreadsheet`, {
      headers: { authorization: `Bearer ${testKeys.merchant}` },
    });
    expect([...new Uint8Array(await marked.arrayBuffer())].slice(0, 3)).toEqual([0xef, 0xbb, 0xbf]);
    for (const query of ['action=Void!', 'from=yesterday', 'for=paper', 'actor='])
      expect(problemOf(await scene.client.get(`/v1/audit.csv?${query}`)).code).toBe('validation-failed');
  });

  test('counts wrong keys by address and minute, an IPv6 address by its /64', async () => {
    const guess = (address: string): Promise<Answer<unknown>> =>
      scene.client.get('/v1/payments', {
        token: 'no-key',
        headers: { 'x-forwarded-for': address, 'x-request-id': 'order-18' },
      });
    for (let n = 0; n < 23; n++) await guess('192.0.2.99');
    await guess('2001:db8:1:2::3');
    await guess('2001:db8:1:2::4');
    // The end of the process is the end of its minute.
    await scene.stop();
    await start();
    const counted = (await all())
      .filter(({ action }) => action === 'authenticate')
      .sort((one, other) => other.count - one.count);
    expect(counted).toEqual([
      expect.objectContaining({
        address: '192.0.2.99',
        count: 23,
        outcome: 'unauthorized',
        actor: 'unknown',
      }),
      expect.objectContaining({ address: '2001:db8:1:2::/64', count: 2, outcome: 'unauthorized' }),
    ]);
    expect(JSON.stringify(counted)).not.toMatch(/no-key|order-18/);
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

  test('keeps a call whose process died during it', async () => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    will(scene, VOID, payment, { do: 'silent' });
    const lost = act(scene, 'void', payment, {}, as(ANNA)).catch(() => undefined);
    await until(() => scene.gateway.requestsTo(VOID).some(({ text }) => text.includes(payment.reference)));
    await scene.tillfront.kill();
    await lost;
    if (kind === 'postgres') {
      // Another replica may live, and ends by itself what it has begun.
      await storedRows(scene, 'update begun_acts set at = at - 660000');
    }
    await start();
    await until(async () => (await all()).some(({ object }) => object === payment.id));
    const [entry] = (await all()).filter(({ object }) => object === payment.id);
    expect(entry).toMatchObject({ actor: 'merchant:ops-anna', action: 'void', outcome: 'outcome-unknown' });
  });

  test('that cannot be written refuses what is not done yet, and does not belie what is done', async () => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    const sql = (statement: string) => storedRows(scene, statement);
    const before = scene.gateway.requestsTo(VOID).length;
    await sql('alter table begun_acts rename to begun_away');
    const refused = await act(scene, 'void', payment);
    expect([503, 500]).toContain(refused.status);
    expect(scene.gateway.requestsTo(VOID)).toHaveLength(before);
    await sql('alter table begun_away rename to begun_acts');
    will(scene, VOID, payment, async () => {
      await sql('alter table audit rename to audit_away');
      return answer(voided);
    });
    const unseen = randomUUID();
    const done = expectStatus(await act(scene, 'void', payment, {}, as(ANNA, unseen)), 200);
    expect(done.body.status).toBe('voided');
    await sql('alter table audit_away rename to audit');
    await until(async () => (await all()).some(({ requestId }) => requestId === unseen));
    const [entry] = (await all()).filter(({ requestId }) => requestId === unseen);
    expect(entry).toMatchObject({ action: 'void', object: payment.id, outcome: 'ok' });
  });
});
