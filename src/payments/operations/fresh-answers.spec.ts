import { expect, test } from '@jest/globals';
import { paymentRecord } from '../../../test/harness/records.js';
import { isOutrun } from './fresh-answers.js';

test('an answer from before another refund of the payment says nothing of it', () => {
  const asked = paymentRecord({ refundsMade: 1 });
  expect(isOutrun({ refundsMade: 1 }, asked)).toBe(false);
  expect(isOutrun({ refundsMade: 1 }, { ...asked, refundsMade: 2 })).toBe(true);
});
