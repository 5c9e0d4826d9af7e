import { describe, expect, test } from '@jest/globals';
import type { PaymentStatus } from '../../store/schema.js';
import { statuses } from '../../../test/harness/records.js';
import { assertMove, canMove, IllegalMove, isClosedUnpaid, isLive, type Mover } from './payment-state.js';

const movers: readonly Mover[] = ['gateway', 'clock', 'cancel', 'service', 'person'];

/** Every move there is: from, to, and on whose word. */
const moves: [PaymentStatus, PaymentStatus, Mover[]][] = [
  ['processing', 'requires_action', ['gateway']],
  ['processing', 'authorized', ['gateway']],
  ['processing', 'succeeded', ['gateway', 'person']],
  ['processing', 'failed', ['gateway', 'service', 'person']],
  ['processing', 'canceled', ['cancel']],
  ['processing', 'expired', ['gateway', 'clock']],
  ['processing', 'voided', ['gateway', 'person']],
  ['requires_action', 'processing', ['gateway', 'service']],
  ['requires_action', 'authorized', ['gateway']],
  ['requires_action', 'succeeded', ['gateway', 'person']],
  ['requires_action', 'failed', ['gateway', 'person']],
  ['requires_action', 'canceled', ['cancel']],
  ['requires_action', 'expired', ['gateway', 'clock']],
  ['requires_action', 'voided', ['gateway', 'person']],
  ['authorized', 'succeeded', ['gateway', 'person']],
  ['authorized', 'failed', ['person']],
  ['authorized', 'voided', ['gateway', 'person']],
  ['authorized', 'expired', ['gateway']],
  ['succeeded', 'voided', ['gateway', 'person']],
  ...(['failed', 'canceled', 'expired'] as const).flatMap(
    (from): [PaymentStatus, PaymentStatus, Mover[]][] => [
      [from, 'authorized', ['gateway']],
      [from, 'succeeded', ['gateway', 'person']],
      [from, 'voided', ['gateway', 'person']],
    ],
  ),
];

describe.each(statuses)('from %s', (from) => {
  test.each(statuses)('to %s', (to) => {
    const allowed = moves.find(([one, other]) => one === from && other === to)?.[2] ?? [];
    expect(movers.filter((mover) => canMove(from, to, mover))).toEqual(
      movers.filter((mover) => allowed.includes(mover)),
    );
  });
});

test('no status moves to itself, and nothing leaves voided', () => {
  for (const mover of movers) {
    for (const status of statuses) {
      expect(canMove(status, status, mover)).toBe(false);
      expect(canMove('voided', status, mover)).toBe(false);
    }
  }
});

test('a move that there is not throws', () => {
  expect(() => assertMove('voided', 'succeeded', 'gateway')).toThrow(IllegalMove);
  // Named, so that a log tells this fault of the code from any other.
  expect(() => assertMove('authorized', 'failed', 'gateway')).toThrow(
    expect.objectContaining({
      name: 'IllegalMove',
      message: 'A payment cannot go from authorized to failed on the word of gateway',
    }),
  );
  expect(() => assertMove('processing', 'succeeded', 'gateway')).not.toThrow();
});

test('live, or closed without money', () => {
  expect(statuses.filter(isLive)).toEqual(['processing', 'requires_action', 'authorized']);
  expect(statuses.filter(isClosedUnpaid)).toEqual(['failed', 'canceled', 'expired']);
});
