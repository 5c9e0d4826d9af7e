import { expect, test } from '@jest/globals';
import { operationRecord } from '../../../test/harness/records.js';
import { heldInSum } from './own-refunds.js';

const bounced = operationRecord({
  ...{ type: 'refund', status: 'refused', amount: 80_000n },
  ...{ inSum: true },
});

test.each<[string, bigint, bigint | null, bigint]>([
  ['its sum and another', 150_000n, 70_000n, 80_000n],
  ['just its sum', 80_000n, null, 80_000n],
  ['just what is known without it', 70_000n, 70_000n, 0n],
  ['less than its sum, which cannot hold it', 70_000n, null, 0n],
])('where the gateway says %s', (_name, said, known, held) => {
  expect(heldInSum([bounced], said, known ?? 0n)).toBe(held);
});
