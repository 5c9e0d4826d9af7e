import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql, type KyselyPlugin } from 'kysely';
import { openStore } from '../../test/harness/event-store.js';
import { sessionRecord } from '../../test/harness/records.js';
import { createTestStore, stores, type TestStore } from '../../test/harness/test-store.js';
import { until } from '../../test/harness/until.js';
import type { Store } from '../store/store.js';
import { SessionReferences } from './session-references.js';

const SESSIONS = 200;
const idOf = (number: number): string => `cs_${number}`;
const referenceOf = (number: number): string => `ORDER-${number}`;

describe.each(stores)('on the %s store', (kind) => {
  let place: TestStore;
  let store: Store;

  beforeAll(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
    await Promise.all(
      Array.from({ length: SESSIONS }, (_, number) => {
        const [id, reference] = [idOf(number), referenceOf(number)];
        return store.writer.write({ reference, createReference: true }, () => ({
          changes: { session: sessionRecord({ id, reference }) },
          result: undefined,
        }));
      }),
    );
  });
  afterAll(async () => {
    await store.close();
    await place.dispose();
  });

  /** A process that has made none of the sessions, and what it asks of the store. */
  function another(): { references: SessionReferences; asked: () => number } {
    let asked = 0;
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => {
        asked++;
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    };
    const other = Object.create(store, { db: { value: store.db.withPlugin(counter) } }) as Store;
    return { references: new SessionReferences(other), asked: () => asked };
  }

  test('answers each of many that ask at once with its own, by few questions, and keeps what it read', async () => {
    const { references, asked } = another();
    const numbers = Array.from({ length: SESSIONS * 2 }, (_, index) => (index * 7) % SESSIONS);
    const ask = () => Promise.all(numbers.map((number) => references.of(idOf(number))));
    expect(await ask()).toEqual(numbers.map(referenceOf));
    expect(asked()).toBeLessThanOrEqual(4);
    const before = asked();
    expect(await ask()).toEqual(numbers.map(referenceOf));
    expect(asked()).toBe(before);
  });

  test('knows nothing of a session that was never made, and asks again for it', async () => {
    const { references, asked } = another();
    expect(await Promise.all([references.of('cs_none'), references.of(idOf(1))])).toEqual([
      undefined,
      referenceOf(1),
    ]);
    expect(await references.of('cs_none')).toBeUndefined();
    expect(asked()).toBe(2);
  });

  test('a question that gets no answer holds up no later ones; a fifth waits for one of four', async () => {
    // By the session that is asked for.
    const stuck = new Map([1, 2, 3, 4].map((number) => [idOf(number), Promise.withResolvers<undefined>()]));
    let asked = 0;
    const hanging: KyselyPlugin = {
      transformQuery: ({ node }) => {
        asked++;
        return node;
      },
      transformResult: async ({ result }) => {
        for (const { id } of result.rows as { id: string }[]) await stuck.get(id)?.promise;
        return result;
      },
    };
    const other = Object.create(store, { db: { value: store.db.withPlugin(hanging) } }) as Store;
    const references = new SessionReferences(other);
    const waiting: Promise<string | undefined>[] = [];
    for (const number of [1, 2, 3]) {
      waiting.push(references.of(idOf(number)));
      await until(() => asked === number);
    }
    // Three hang, and the fourth is answered all the same.
    expect(await references.of(idOf(0))).toBe(referenceOf(0));
    asked = 3;
    waiting.push(references.of(idOf(4)));
    await until(() => asked === 4);
    const fifth = references.of(idOf(5));
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(asked).toBe(4);
    stuck.get(idOf(1))?.resolve(undefined);
    expect(await fifth).toBe(referenceOf(5));
    for (const { resolve } of stuck.values()) resolve(undefined);
    expect(await Promise.all(waiting)).toEqual([1, 2, 3, 4].map(referenceOf));
  });

  test('a failure fails those that asked, and no later ones', async () => {
    const { references } = another();
    await sql`alter table checkout_sessions rename to elsewhere`.execute(store.db);
    const failed = await Promise.allSettled([references.of(idOf(1)), references.of(idOf(2))]);
    await sql`alter table elsewhere rename to checkout_sessions`.execute(store.db);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await references.of(idOf(2))).toBe(referenceOf(2));
  });
});
