import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ApprovalRecord } from '../store/schema.js';
import { assertMayApprove, decided, isAbove, newApproval, stateOf } from './approval.js';

const NOW = Date.UTC(2031, 0, 1);
const DAY = 24 * 3_600_000;

const PAYMENT = { id: 'pay_1', reference: 'ORDER-1' };
const asked = (actor = 'merchant:anna'): ApprovalRecord =>
  newApproval({ amount: 100n, currency: 'NGN', actor, reason: null }, PAYMENT, NOW);
const approval = asked();
const codeOf = (act: () => unknown): string => {
  try {
    act();
    return 'none';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('whether an amount needs a second person', () => {
  const bounds = new Map([
    ['NGN', 1000n],
    ['USD', 0n],
  ]);

  test.each([
    [1000n, 'NGN', false],
    [1001n, 'NGN', true],
    [0n, 'USD', false],
    [1n, 'USD', true],
    [10n ** 15n, 'EUR', false],
  ])('%d %s: %s', (amount, currency, needed) => {
    expect(isAbove(bounds, amount, currency)).toBe(needed);
  });
});

describe('who may approve', () => {
  test.each([
    ['full', 'ben', 'none'],
    ['full', 'anna', 'forbidden'],
    ['full', undefined, 'forbidden'],
  ] as const)('a key for %s of %s: %s', (access, name, code) => {
    expect(codeOf(() => assertMayApprove(approval, { kind: 'merchant', access, name }))).toBe(code);
  });

  test('anybody with a name where a key without one has asked', () => {
    const unnamed = asked('merchant');
    const anna = { kind: 'merchant', access: 'full', name: 'anna' } as const;
    expect(codeOf(() => assertMayApprove(unnamed, anna))).toBe('none');
  });
});

describe('a decision', () => {
  test('is made once, and not after seven days', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('approved' as const, 'declined' as const),
        fc.constantFrom('approved' as const, 'declined' as const),
        fc.integer({ min: 0, max: 14 * DAY }),
        (first, second, after) => {
          const at = NOW + after;
          const decide = () => decided(approval, first, { actor: 'merchant:ben', note: 'Seen.' }, at);
          if (after >= 7 * DAY) {
            expect(stateOf(approval, at)).toBe('expired');
            expect(codeOf(decide)).toBe('invalid-state');
            return;
          }
          const after1 = decide();
          expect(after1).toMatchObject({
            state: first,
            decidedBy: 'merchant:ben',
            decidedAt: at,
            note: 'Seen.',
          });
          // However late it is looked at.
          expect(stateOf(after1, NOW + 30 * DAY)).toBe(first);
          expect(codeOf(() => decided(after1, second, { actor: 'merchant:carl', note: null }, at))).toBe(
            'invalid-state',
          );
        },
      ),
    );
  });

  test('about nothing is not found', () => {
    expect(codeOf(() => decided(undefined, 'approved', { actor: 'merchant:ben', note: null }, NOW))).toBe(
      'not-found',
    );
  });
});
