import { expect, test } from '@jest/globals';
import { clockFault } from './health.js';

test.each([
  [undefined, undefined],
  [0, undefined],
  [5_000, undefined],
  [-5_000, undefined],
  [5_001, "This machine's clock is 5 s ahead of the database's: let NTP set it."],
  [-20 * 60_000, "This machine's clock is 1200 s behind the database's: let NTP set it."],
])('%s ms ahead', (ahead, fault) => {
  expect(clockFault(ahead)).toBe(fault);
});
