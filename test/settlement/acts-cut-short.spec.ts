import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, newReference, problemOf, type Answer } from '../harness/client.js';
import { answer, approved } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { stores, type StoreKind } from '../harness/test-store.js';
import { storedRows } from '../truth/stored-time.js';
import { report, reportRow, upload, type DifferenceBody } from './settlement-scene.js';

const CUT: Readonly<Record<StoreKind, { begin: readonly string[]; end: readonly string[] }>> = {
  embedded: {
    begin: ['insert', 'update'].map(
      (event) => `create trigger cut_${event} before ${event} on idempotency_keys
        when new.running_until is null begin select raise(abort, 'cut'); end`,
    ),
    end: ['drop trigger cut_insert', 'drop trigger cut_update'],
  },
  postgres: {
    begin: [
      `create function cut() returns trigger language plpgsql as $$ begin raise exception 'cut'; end $$`,
      `create trigger cut before insert or update on idempotency_keys
        for each row when (new.running_until is null) execute function cut()`,
    ],
    end: ['drop trigger cut on idempotency_keys', 'drop function cut'],
  },
};

/** What a person does about a difference is written down together with the key of their call, or not at all. */
describe.each(stores)('an act about a difference that is cut short, on the %s store', (kind) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene(kind);
  });
  afterAll(() => scene?.stop());

  const all = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await storedRows(scene, statement);
  };
  const texts = async (): Promise<number> => (await storedRows(scene, 'select id from written_texts')).length;

  async function differing(): Promise<DifferenceBody> {
    scene.gateway.script('POST /payment/card', answer(approved));
    const session = await scene.client.createSession({ reference: newReference() });
    const { gatewayReference } = (await scene.client.payCard(session)).body;
    const csv = report(reportRow(gatewayReference, { amount: '1400.00' }));
    expectStatus(await upload(scene.tillfront, '/v1/settlements', csv), 201);
    const path = `/v1/differences?reference=${gatewayReference}`;
    const { data } = (await scene.client.get<{ data: DifferenceBody[] }>(path)).body;
    return data[0] as DifferenceBody;
  }
  const stateOf = async ({ reference }: DifferenceBody): Promise<Partial<DifferenceBody>> => {
    const path = `/v1/differences?reference=${reference}`;
    const { data } = (await scene.client.get<{ data: DifferenceBody[] }>(path)).body;
    const [{ state, note }] = data as [DifferenceBody];
    return { state, note };
  };

  test.each([
    ['close', { reason: 'explained', note: 'Closed.' }, { state: 'closed', note: 'Closed.' }],
    ['reopen', { note: 'Opened.' }, { state: 'open', note: 'Opened.' }],
    ['note', { note: 'Noted.' }, { state: 'open', note: 'Noted.' }],
  ] as const)('%s: nothing of it is left, and its repeat does it', async (doing, body, after) => {
    const found = await differing();
    const path = `/v1/differences/${found.id}/${doing}`;
    if (doing === 'reopen')
      expectStatus(
        await scene.client.post(`/v1/differences/${found.id}/close`, { reason: 'explained', note: 'First.' }),
        200,
      );
    const [before, written] = [await stateOf(found), await texts()];
    const key = { idempotencyKey: randomUUID() };
    const act = (): Promise<Answer<DifferenceBody>> => scene.client.post<DifferenceBody>(path, body, key);
    await all(CUT[kind].begin);
    try {
      expect((await act()).status).toBeGreaterThanOrEqual(500);
    } finally {
      await all(CUT[kind].end);
    }
    expect([await stateOf(found), await texts()]).toEqual([before, written]);
    expect(expectStatus(await act(), 200).body).toMatchObject(after);
    const again = expectStatus(await act(), 200);
    expect([again.headers.get('idempotency-replayed'), await texts()]).toEqual(['true', written + 1]);
  });

  test('of many calls with one key one does it, and of many keys one closes it', async () => {
    const found = await differing();
    const written = await texts();
    const key = randomUUID();
    const close = (idempotencyKey: string): Promise<Answer<DifferenceBody>> =>
      scene.client.post<DifferenceBody>(
        `/v1/differences/${found.id}/close`,
        { reason: 'explained', note: 'Closed.' },
        { idempotencyKey },
      );
    const same = await Promise.all(Array.from({ length: 8 }, () => close(key)));
    expect(same.map(({ status }) => status)).toEqual(same.map(() => 200));
    expect(same.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    const others = await Promise.all(Array.from({ length: 3 }, () => close(randomUUID())));
    expect(others.map((refused) => [refused.status, problemOf(refused).code])).toEqual(
      others.map(() => [409, 'invalid-state']),
    );
    expect(await texts()).toBe(written + 1);
    const noted = { note: 'Something else.' };
    const used = await scene.client.post(`/v1/differences/${found.id}/note`, noted, { idempotencyKey: key });
    expect([used.status, problemOf(used).code]).toEqual([422, 'idempotency-key-reused']);
  });
});
