import { expect, test } from '@jest/globals';
import { operationRecord, paymentIn } from '../../../test/harness/records.js';
import type { OperationRecord } from '../../store/schema.js';
import { endedBy, isVoidDoubtful } from './operation-state.js';

test.each<[OperationRecord['status'], number, ReturnType<typeof endedBy>]>([
  ['intended', 0, undefined],
  ['unknown', 0, undefined],
  ['unknown', 2, undefined],
  ['confirmed', 0, 'word'],
  ['confirmed', 2, 'word'],
  ['refused', 0, 'word'],
  ['refused', 3, 'time'],
])('one that is %s after %i answers of the former state was ended by %s', (status, formerCount, by) => {
  expect(endedBy(operationRecord({ type: 'void', status, formerCount }))).toBe(by);
});

test('a void is doubtful from its end by time on, until somebody says what became of it', () => {
  expect(isVoidDoubtful(paymentIn('succeeded'))).toBe(false);
  expect(isVoidDoubtful(paymentIn('succeeded', { voidDoubtfulSince: 1 }))).toBe(true);
});
