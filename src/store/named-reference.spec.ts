import { expect, test } from '@jest/globals';
import { answeredNames, askedInVain, named, unheard, used, withoutNext } from './named-reference.js';
import { HARDLY_BELIEVED, isUnchanged, type PaymentName } from './payment-name.js';
import { newReferenceRecord, type ReferenceRecord } from './schema.js';

const MINUTE = 60_000;
const name = (n: number, over: Partial<PaymentName> = {}): PaymentName => ({
  n,
  source: 'notification',
  at: 1,
  ...over,
});
const released = { by: 'merchant', at: 2, note: 'seen by Ada' };
const reference = (names: readonly PaymentName[], over: Partial<ReferenceRecord> = {}): ReferenceRecord => ({
  ...newReferenceRecord('R'),
  sessionId: 'cs_1',
  namesDueAt: names.length > 0 ? 10_001 : null,
  names,
  ...over,
});

test('a name that is heard of again is kept once, and says so', () => {
  const known = [name(2), name(3)];
  const after = named(reference(known, { attempts: 1 }), [3, 4, 4], 'report', 9);
  expect(after.names).toEqual([name(2), name(3, { again: 1 }), name(4, { source: 'report', at: 9 })]);
  expect(named(after, [3], 'report', 10).names).toContainEqual(name(3, { again: 2 }));
  const far = reference(known);
  expect(named(far, [5_000], 'report', 9)).toBe(far);
});

test('whoever asked about a name before it was heard of again can tell', () => {
  const before = reference([name(2), name(3, { source: 'next' })]);
  const [second, third] = named(before, [2, 3], 'notification', 1).names;
  for (const [index, one] of [second, third].entries())
    expect(isUnchanged(one as PaymentName, before.names[index] as PaymentName)).toBe(false);
  expect(isUnchanged(name(2, { at: 5 }), name(2))).toBe(false);
  expect(isUnchanged(name(2, { again: 1 }), name(2, { again: 1 }))).toBe(true);
});

test('one that was released is open again where somebody names it again', () => {
  const { names } = named(reference([name(2), name(3, { released })]), [3], 'report', 9);
  expect(names).toEqual([name(2), name(3, { source: 'report', at: 9 })]);
});

test.each([
  [0, 1_000, true],
  [0, 1_001, false],
  [7, 1_007, true],
  [7, 1_008, false],
  [7, 0, false],
  // It may have been given out and forgotten.
  [7, 3, true],
])('of a reference with %i payments number %i is believed: %s', (attempts, n, believed) => {
  expect(named(reference([], { attempts }), [n], 'loss', 1).names).toHaveLength(believed ? 1 : 0);
});

test('what was named, released or used is not unheard of', () => {
  const released = { ...name(4), released: { by: 'merchant', at: 1, note: 'n' } };
  expect(unheard(reference([name(3), released], { attempts: 2 }), [1, 2, 3, 4, 5])).toEqual([5]);
});

test('a number that the gateway has seen is never given out, and holds nobody up', () => {
  const before = reference([name(2)], { attempts: 1 });
  expect(used(before, [3, 2, 5_000])).toEqual({ ...before, attempts: 3 });
  expect(used(before, [1])).toBe(before);
});

test('no more than so many are kept, and of what anybody says fewer', () => {
  const all = Array.from({ length: 1_000 }, (_, index) => index + 1);
  const full = named(reference([], { attempts: 500 }), all, 'report', 1);
  expect(named(full, [1_400], 'report', 1)).toBe(full);
  const few = named(reference([], { attempts: 2 }), all, 'notification', 1, HARDLY_BELIEVED);
  expect(few.names.map(({ n }) => n)).toEqual([1, 2, 3]);
  expect(named(few, [5], 'notification', 1, HARDLY_BELIEVED)).toBe(few);
  expect(named(reference([], { attempts: 2 }), [5, 6], 'notification', 1, HARDLY_BELIEVED).names).toEqual([
    name(5),
  ]);
});

test('the one after the last is asked about, in the write that forgets the others', () => {
  const before = reference([name(2), name(4)], { attempts: 1, heldSince: 5 });
  const first = answeredNames(before, [4], 20);
  expect(first).toMatchObject({ attempts: 4, names: [name(2)], heldSince: 5, namesDueAt: 10_001 });
  const second = answeredNames(first, [2], 21);
  expect(second.names).toEqual([{ n: 5, source: 'next', at: 21 }]);
  const none = { attempts: 4, names: [], heldSince: null, namesDueAt: null };
  expect(withoutNext(second, second.names[0] as PaymentName)).toMatchObject(none);
  expect(answeredNames(first, [2])).toMatchObject(none);
});

test('they are asked about soon after they were heard of, and ever more rarely', () => {
  const fresh = named(reference([]), [1], 'notification', MINUTE);
  expect(fresh.namesDueAt).toBe(MINUTE + 10_000);
  const paid = reference([], { paidPaymentIds: ['pay_1'] });
  expect(named(paid, [1], 'notification', MINUTE).namesDueAt).toBe(MINUTE);
  const after = (minutes: number, over: Partial<ReferenceRecord> = {}): ReferenceRecord =>
    askedInVain({ ...fresh, ...over }, (1 + minutes) * MINUTE);
  expect(after(0)).toMatchObject({ heldSince: MINUTE, namesDueAt: 2 * MINUTE });
  expect(after(3, { heldSince: 7 })).toMatchObject({ heldSince: 7, namesDueAt: 7 * MINUTE });
  expect(after(90)).toMatchObject({ namesDueAt: 96 * MINUTE });
  for (const idle of [{ paidPaymentIds: ['pay_1'] }, { sessionId: null }])
    expect(after(90, { ...idle, heldSince: 7 })).toMatchObject({
      heldSince: null,
      namesDueAt: 181 * MINUTE,
    });
  expect(after(90, { names: [name(1, { released })] })).toMatchObject({ heldSince: null, namesDueAt: null });
});
