import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sql } from 'kysely';
import { cut, uploadsOf } from '../../../test/books/cuts.js';
import { CURRENCIES, FAULTS, plan, storyOf, type Plan } from '../../../test/books/stories.js';
import { reportOf, SHAPE, writeMovements, writePayments } from '../../../test/books/write-stories.js';
import { openStore } from '../../../test/harness/event-store.js';
import { createTestStore, stores, type TestStore } from '../../../test/harness/test-store.js';
import { defaultProfile } from '../../gateway/profile/default-profile.js';
import type { Store } from '../../store/store.js';
import { compareAlone } from './alone.js';

const SENDER = { actor: 'merchant', names: false };
const TABLES = [
  ...(['differences', 'settlement_rows', 'settlement_matches', 'settled_kinds', 'settlements'] as const),
  ...(['movements', 'payments', 'payment_references', 'operations'] as const),
];

/** Of each currency and method one payment that is settled rightly, so that reports are seen to carry them. */
const chorus: readonly Plan[] = CURRENCIES.flatMap((currency) =>
  (['card', 'wallet', 'transfer'] as const).map((method): Plan => ({
    ...{ life: 'paid', currency, method, hundreds: 50, minute: 10_000, refunds: [], chargeback: null },
    ...{ listed: true, asRefund: false, fault: null, takenBack: false },
  })),
);

/** One that is settled last, so that each report before it is older. */
const last: Plan = {
  ...{ life: 'paid', currency: 'NGN', method: 'card', hundreds: 50, minute: 30 * 24 * 60, refunds: [] },
  ...{ chargeback: null, listed: true, asRefund: false, fault: null, takenBack: false },
};

async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}

describe.each(stores)('the gateway’s book on the %s store', (kind) => {
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

  test('differs in what was planted, whatever was known first and in whatever files it comes', async () => {
    const faulty = fc.option(fc.constantFrom(...FAULTS), { nil: null, freq: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(plan(faulty), { maxLength: 10 }),
        cut,
        fc.nat(7),
        async (plans, files, learned) => {
          for (const table of TABLES) await sql`delete from ${sql.table(table)}`.execute(store.db);
          await sql`delete from meta where name = 'settlement-unsettled'`.execute(store.db);
          const alone = compareAlone(store, defaultProfile, { settlementExpectedDays: 5 });
          const stories = [...plans, ...chorus, last].map((one, n) => storyOf(n, one));
          const known = stories.filter((_, n) => n % 2 === 0);
          const late = stories.filter((_, n) => n % 2 === 1);
          await writePayments(store, stories);
          await writeMovements(store, known);
          const uploads = uploadsOf(
            stories.flatMap(({ rows }) => rows),
            files,
          );
          for (const [index, rows] of uploads.entries()) {
            if (index === learned % uploads.length) {
              await writeMovements(store, late);
              const references = late.flatMap(({ known: one }) => one?.payment.gatewayReference ?? []);
              await alone.turn.use(() => alone.matcher.match(references));
            }
            const file = { pieces: piecesOf(reportOf(rows)), goesOn: () => Promise.resolve() };
            await alone.files.compareReport([SHAPE], SENDER, file);
          }
          const open = await alone.differences.list({ state: 'open', limit: 1_000 });
          const found = open.map(
            ({ kind: of, reference, foundAmount, expectedAmount }) =>
              `${of} ${reference} ${foundAmount ?? expectedAmount}`,
          );
          const planted = stories.flatMap((story) =>
            story.planted.map(({ kind: of, reference, amount }) => `${of} ${reference} ${amount}`),
          );
          expect(found.sort()).toEqual(planted.sort());
        },
      ),
      { numRuns: kind === 'embedded' ? 25 : 12 },
    );
  }, 240_000);
});
