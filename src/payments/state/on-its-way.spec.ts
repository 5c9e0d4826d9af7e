import { expect, test } from '@jest/globals';
import { operationRecord } from '../../../test/harness/records.js';
import { OPERATION_STATUSES } from '../../store/schema.js';
import { anyOnItsWay, isOnItsWay } from './operation-state.js';

test.each(OPERATION_STATUSES)('an operation that is %s', (status) => {
  const operation = operationRecord({ type: 'void', status });
  const open = status === 'intended' || status === 'unknown';
  expect(isOnItsWay(operation)).toBe(open);
  expect(isOnItsWay(operationRecord({ ...operation, acceptedAt: 1 }))).toBe(open);
  expect(anyOnItsWay([operationRecord({ status: 'confirmed' }), operation])).toBe(open);
});

test('nothing is on its way of a payment without operations', () => {
  expect(anyOnItsWay([])).toBe(false);
});
