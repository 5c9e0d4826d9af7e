import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { openStore } from '../../../test/harness/event-store.js';
import { madeAt, paymentRecord } from '../../../test/harness/records.js';
import { createTestStore, stores, type TestStore } from '../../../test/harness/test-store.js';
import { timelineId } from '../../store/ids.js';
import type { TimelineRecord } from '../../store/schema.js';
import type { Store } from '../../store/store.js';
import { PaymentsRepository } from './payments.repository.js';

const ID = 'pay_long';

function entry(sequence: number, over: Partial<TimelineRecord> = {}): TimelineRecord {
  return {
    paymentId: ID,
    sequence,
    id: timelineId(ID, sequence),
    type: 'inconclusive',
    at: madeAt + sequence,
    fromStatus: sequence % 2 === 0 ? 'processing' : null,
    toStatus: sequence % 3 === 0 ? 'failed' : null,
    late: sequence % 5 === 0,
    actor: sequence % 4 === 0 ? 'merchant:ops' : null,
    detail:
      sequence % 7 === 0
        ? null
        : sequence % 11 === 0
          ? { operation: 'pay', id: 'op_long', amount: '1.00' }
          : { said: `line\n"${sequence}" \\ Ìkòyí` },
    ...over,
  };
}

describe.each(stores)('a timeline in the %s store', (kind) => {
  let place: TestStore;
  let store: Store;

  beforeAll(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
  });
  afterAll(async () => {
    await store.close();
    await place.dispose();
  });

  test('is read as it was written, however long it grows, and its payment’s row stays short', async () => {
    const repository = new PaymentsRepository(store);
    const written: TimelineRecord[] = [];
    expect(await repository.timeline(ID)).toEqual([]);
    for (let turn = 0; written.length < 130; turn += 1) {
      const fresh = Array.from({ length: 1 + (turn % 4) }, (_, index) =>
        // One with an id of its own, as those of version 0.1.0 have.
        entry(written.length + index + 1, turn === 3 && index === 0 ? { id: 'tle_own' } : {}),
      );
      await store.writer.write({ reference: 'R', createReference: true, paymentId: ID }, ({ payment }) => ({
        changes: {
          payment: {
            ...(payment ?? paymentRecord({ id: ID, reference: 'R', gatewayReference: 'R_1' })),
            timelineSequence: written.length + fresh.length,
          },
          timeline: fresh,
        },
        result: undefined,
      }));
      written.push(...fresh);
      expect(await repository.timeline(ID)).toEqual(written);
    }
    const { rows } = await sql<{ size: number; pages: number }>`
      select length(timeline) as size, (select count(*) from timeline_pages) as pages from payments`.execute(
      store.db,
    );
    expect(Number(rows[0]?.size)).toBeLessThan(4_000);
    expect(Number(rows[0]?.pages)).toBeGreaterThan(4);
  });
});
