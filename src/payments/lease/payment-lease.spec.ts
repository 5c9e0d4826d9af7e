import { expect, test } from '@jest/globals';
import { HOUR, madeAt, paymentIn, paymentRecord, SECOND } from '../../../test/harness/records.js';
import { holds, isLeased, LEASE_MS, renewed, withLease, withOperationLease } from './payment-lease.js';

const now = madeAt;

test.each([
  ['held', 'own_1', now + 1, true],
  ['held, but over', 'own_1', now, false],
  ['given back', null, now + HOUR, false],
])('%s', (_name, leaseOwner, leaseUntil, leased) => {
  expect(isLeased(paymentRecord({ leaseOwner, leaseUntil }), now)).toBe(leased);
});

test('taking it tells this taking from every other', () => {
  const taken = withLease(paymentRecord({ leaseFence: 4, version: 2 }), 'own_2', now);
  expect(taken).toMatchObject({ leaseOwner: 'own_2', leaseUntil: now + LEASE_MS, leaseFence: 5, version: 3 });
  expect(holds(taken, 'own_2', 5)).toBe(true);
  expect(holds(taken, 'own_2', 4)).toBe(false);
  expect(holds(taken, 'own_1', 5)).toBe(false);
});

test('a question is asked again after its end at the earliest, and no sooner than it was due', () => {
  expect(withLease(paymentRecord({ nextStatusCheckAt: now - HOUR }), 'own_1', now).nextStatusCheckAt).toBe(
    now + LEASE_MS,
  );
  expect(withLease(paymentRecord({ nextStatusCheckAt: now + HOUR }), 'own_1', now).nextStatusCheckAt).toBe(
    now + HOUR,
  );
});

test('an operation is asked about right after its end, whatever was due', () => {
  expect(
    withOperationLease(paymentIn('authorized', { nextStatusCheckAt: now + HOUR }), 'own_1', now)
      .nextStatusCheckAt,
  ).toBe(now + LEASE_MS);
  expect(withOperationLease(paymentIn('succeeded'), 'own_1', now).nextStatusCheckAt).toBe(now + LEASE_MS);
});

test('is renewed by its holder alone', () => {
  const taken = withLease(paymentRecord({ leaseFence: 0 }), 'own_1', now);
  const later = now + 5 * SECOND;
  expect(renewed(taken, 'own_1', 1, later)).toMatchObject({
    leaseUntil: later + LEASE_MS,
    nextStatusCheckAt: later + LEASE_MS,
  });
  expect(renewed(taken, 'own_1', 0, later)).toBeUndefined();
  expect(renewed(taken, 'own_2', 1, later)).toBeUndefined();
});
