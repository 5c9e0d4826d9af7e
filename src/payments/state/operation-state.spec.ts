import { expect, test } from '@jest/globals';
import type { OperationStatus } from '../../store/schema.js';
import { canOperationMove } from './operation-state.js';

const all: readonly OperationStatus[] = ['intended', 'unknown', 'confirmed', 'refused'];

test.each<[OperationStatus, OperationStatus[]]>([
  ['intended', ['unknown', 'confirmed', 'refused']],
  ['unknown', ['confirmed', 'refused']],
  ['confirmed', []],
  ['refused', []],
])('%s becomes %j', (from, to) => {
  expect(all.filter((status) => canOperationMove(from, status))).toEqual(to);
});
