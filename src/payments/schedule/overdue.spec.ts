import { expect, test } from '@jest/globals';
import { mostOverdue, WORTH } from './worth.js';

const now = 10_000_000;

test.each([
  ['nothing is due', [], 0],
  ['an outcome is unknown', [{ worth: WORTH.unknown, oldest: now - 130_000 }], 130_000],
  ['what came by notification waits', [{ worth: WORTH.notified, oldest: now - 130_000 }], 130_000],
  ['payers let it wait', [{ worth: WORTH.waiting, oldest: now - 1_000_000 }], 0],
  ['nobody asks at all', [{ worth: WORTH.followUp, oldest: now - 2_000_000 }], 200_000],
  [
    'of several the one that is most behind counts',
    [
      { worth: WORTH.unknown, oldest: now - 5_000 },
      { worth: WORTH.waiting, oldest: now - 1_000_000 },
      { worth: WORTH.notified, oldest: null },
    ],
    5_000,
  ],
  ['the clock was set back', [{ worth: WORTH.unknown, oldest: now + 5_000 }], 0],
])('%s: %j is overdue for %i ms', (_, due, overdue) => {
  expect(mostOverdue(due, now)).toBe(overdue);
});
