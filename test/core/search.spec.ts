import { describe, expect, it } from '@jest/globals';
import { search } from './search.js';

/** `SEARCH_DEPTH=10 npm test -- test/core/search` looks further. */
const DEPTH = Number(process.env['SEARCH_DEPTH'] ?? 8);

describe('every way of one order with two payments', () => {
  it(
    `of ${DEPTH} steps, with a loss, a crash, two moves of the gateway and a person's word among them`,
    () => {
      const found = search({ depth: DEPTH, budgets: { lost: 1, crash: 1, own: 2, person: 1 }, restEvery: 4 });
      if (process.env['SEARCH_DEPTH']) console.log(found);
      expect([...found.kinds]).toEqual(
        expect.arrayContaining(['sent', 'heard', 'asked', 'lost', 'crash', 'orphan', 'gateway', 'person']),
      );
    },
    24 * 3_600_000,
  );
});
