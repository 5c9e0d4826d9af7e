import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { openStore } from '../../../test/harness/event-store.js';
import { createTestStore, stores, type TestStore } from '../../../test/harness/test-store.js';
import { defaultProfile } from '../../gateway/profile/default-profile.js';
import { Naming } from '../../payments/named/naming.js';
import type { SettlementRecord } from '../../store/schema.js';
import type { Store } from '../../store/store.js';
import { USUAL_ORDERS } from '../files/orders-reader.js';
import { KnownPayments } from '../store/known-payments.js';
import { ReturnsRepository } from '../store/returns.repository.js';
import { SettlementsRepository } from '../store/settlements.repository.js';
import { CompareFiles, type FileToCompare } from './compare-files.js';

const shapes = defaultProfile.settlement ?? [];

function file(...lines: string[]): FileToCompare {
  async function* pieces(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.from([...lines, ''].join('\n')));
  }
  return { pieces: pieces(), goesOn: () => Promise.resolve() };
}

const report = (...references: string[]): FileToCompare =>
  file(
    'reference,transactionRef,type,amount,fee,currency,status,settledAt',
    ...references.map((each) => `${each},,PAYMENT,1.00,0.00,NGN,SETTLED,2026-01-01T00:00:00Z`),
  );
const orders = (...references: string[]): FileToCompare =>
  file('reference,amount,currency,status', ...references.map((each) => `${each},1.00,NGN,paid`));

describe.each(stores)('a comparison that is given up when it counts already, on the %s store', (kind) => {
  let place: TestStore;
  let store: Store;
  let repository: SettlementsRepository;
  let files: CompareFiles;

  beforeEach(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
    repository = new SettlementsRepository(store);
    files = new CompareFiles(
      store,
      repository,
      new KnownPayments(store),
      new ReturnsRepository(store),
      new Naming(store, defaultProfile),
    );
  });
  afterEach(async () => {
    await store.close();
    await place.dispose();
  });

  const found = async (settlement: SettlementRecord): Promise<string[]> =>
    (await repository.differences(settlement, { after: 0, limit: 100 })).map(({ reference }) => reference);

  test('keeps what differs, and one that is given up counts no more', async () => {
    const { settlement } = await files.compareReport(shapes, 'merchant', report('A_1', 'B_1'));
    await repository.drop(settlement.id);
    expect(await found(settlement)).toEqual(['A_1', 'B_1']);
    expect(await repository.find(settlement.id)).toEqual(settlement);
    const begun = { ...settlement, id: 'stl_begun', digest: 'stl_begun', finishedAt: null };
    await repository.begin(begun);
    const more = { ...begun, id: 'stl_more', digest: 'stl_more' };
    await repository.begin(more);
    await repository.drop(begun.id);
    expect(await repository.running()).toEqual([more.id]);
    expect(await repository.finish(begun.id, { ...settlement, digest: 'x' })).toBe(false);
    expect(await repository.finish(more.id, { ...settlement, digest: 'y' })).toBe(true);
  });

  test('keeps what a list of orders differs in, where only the former list’s could not be removed', async () => {
    const { settlement } = await files.compareReport(shapes, 'merchant', report('A_1'));
    const { settlement: first } = await files.compareOrders(settlement, USUAL_ORDERS, orders('FORMER'));
    await refuseToRemove('FORMER');
    await expect(files.compareOrders(first, USUAL_ORDERS, orders('NEW'))).rejects.toThrow();
    const now = (await repository.find(settlement.id)) as SettlementRecord;
    expect(now.counts['order_not_paid']).toBe(1);
    expect(await found(now)).toEqual(['A_1', 'NEW']);
  });

  /** Has the store refuse to remove the difference, as a store does that goes away in between. */
  async function refuseToRemove(reference: string): Promise<void> {
    const statements =
      kind === 'embedded'
        ? [
            `create trigger refused before delete on settlement_differences when old.reference = '${reference}'
             begin select raise(abort, 'refused'); end`,
          ]
        : [
            `create function refused() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
            `create trigger refused before delete on settlement_differences for each row
             when (old.reference = '${reference}') execute function refused()`,
          ];
    for (const statement of statements) await sql.raw(statement).execute(store.db);
  }
});
