import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openStore } from '../../../test/harness/event-store.js';
import { paymentRecord } from '../../../test/harness/records.js';
import { createTestStore, stores, type TestStore } from '../../../test/harness/test-store.js';
import { newId } from '../../store/ids.js';
import type { Store } from '../../store/store.js';
import { gramsOf, patternsOf, ReferenceIndex } from './reference-index.js';

test('a short part is the beginning or the end, a longer one stands anywhere', () => {
  expect(patternsOf('A')).toEqual(['^^a', 'a$$']);
  expect(patternsOf('Or1')).toEqual(['^^or1', 'or1$$']);
  expect(patternsOf('Or-1')).toEqual(['or-1']);
  expect(gramsOf('^^a$$')).toEqual(['^^a', '^a$', 'a$$']);
  expect(gramsOf('ab')).toEqual([]);
});

/** Whether a payment is to be found, as the contract says it. */
function fits(reference: string, part: string): boolean {
  const [whole, text] = [reference.toLowerCase(), part.toLowerCase()];
  return text.length < 4 ? whole.startsWith(text) || whole.endsWith(text) : whole.includes(text);
}

describe.each(stores)('the index of references on the %s store', (kind) => {
  let place: TestStore;
  let store: Store;
  let index: ReferenceIndex;
  const references = new Map<string, string>();

  beforeAll(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
    index = new ReferenceIndex(store);
    const letters = ['A', 'b', '1', '-', '.', 'Or'];
    const some = fc.sample(
      fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 12 }).map((parts) => parts.join('')),
      { numRuns: 120, seed: 7 },
    );
    for (const [n, text] of [...some, 'ORDER-1001', 'order-1001X', 'X-ORDER-1001'].entries()) {
      const reference = `${text}${n % 3 === 0 ? '' : `.${n}`}`.slice(0, 40);
      const id = newId('pay', store.clock.now() - 100_000 + n);
      const payment = paymentRecord({ id, reference, gatewayReference: `${reference}_${n}` });
      await store.writer.write({ reference, createReference: true, paymentId: id }, () => ({
        changes: { payment },
        result: undefined,
      }));
      references.set(id, reference);
    }
    for (let after: string | undefined = 'pay_'; after !== undefined;)
      ({ after } = await index.addAfter(after, 50));
  });
  afterAll(async () => {
    await store.close();
    await place.dispose();
  });

  const expected = (part: string): string[] =>
    [...references]
      .filter(([, reference]) => fits(reference, part))
      .map(([id]) => id)
      .sort()
      .reverse();

  test('finds each payment that has the part, the newest first, and no other', async () => {
    const parts = fc.oneof(
      fc
        .constantFrom(...references.values())
        .chain((reference) =>
          fc
            .tuple(fc.nat({ max: reference.length - 1 }), fc.integer({ min: 1, max: 12 }))
            .map(([from, length]) => reference.slice(from, from + length)),
        ),
      fc.stringMatching(/^[A-Za-z0-9.-]{1,6}$/),
    );
    await fc.assert(
      fc.asyncProperty(parts, fc.boolean(), async (part, upper) => {
        const asked = upper ? part.toUpperCase() : part;
        expect(await index.find(patternsOf(asked), 200, undefined)).toEqual(expected(asked));
      }),
    );
  });

  test('goes on after a payment, in pages', async () => {
    const all = expected('or');
    expect(all.length).toBeGreaterThan(10);
    const pages: string[] = [];
    for (let before: string | undefined; ;) {
      const page = await index.find(patternsOf('or'), 4, before);
      pages.push(...page);
      before = page.at(-1);
      if (page.length < 4) break;
    }
    expect(pages).toEqual(all);
  });

  test('catches up with what was begun since, whatever was committed first', async () => {
    const now = store.clock.now();
    const made: string[] = [];
    for (const at of [now - 5_000, now - 20_000, now - 1_000]) {
      made.push(await begin(`LATE-${at}`, at));
      await index.catchUp();
    }
    await index.catchUp();
    expect(new Set(await index.find(patternsOf('LATE-'), 10, undefined))).toEqual(new Set(made));
  });

  test('catches up where more payments begin within seconds than it looks at in all its turns', async () => {
    const now = store.clock.now();
    await Promise.all(Array.from({ length: 600 }, (_, n) => begin(`RUSH-${n}`, now - 9_000)));
    for (let after: string | undefined = 'pay_'; after !== undefined;)
      ({ after } = await index.addAfter(after, 500));
    const last = await begin('RUSH-LAST', now - 8_000);
    await index.catchUp(1);
    expect(await index.find(patternsOf('RUSH-LAST'), 10, undefined)).toEqual([last]);
  });

  async function begin(reference: string, at: number): Promise<string> {
    const id = newId('pay', at);
    const payment = paymentRecord({ id, reference, gatewayReference: `${reference}_1` });
    await store.writer.write({ reference, createReference: true, paymentId: id }, () => ({
      changes: { payment },
      result: undefined,
    }));
    return id;
  }
});
