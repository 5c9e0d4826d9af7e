import { expect, test } from '@jest/globals';
import type { KINDS } from '../store/stores.js';
import { booksScene } from './books-scene.js';
import { WAYS, weekOf } from './week.js';

/**
 * Just the planted faults are found, however a week is cut into files and in whatever order they come. `PLANTED_WEEKS=200` runs so many on
 * SQLite, and a tenth of that on PostgreSQL.
 */

const WEEKS = Number(process.env['PLANTED_WEEKS'] ?? 21);
const weeks = (kind: (typeof KINDS)[number], count: number) =>
  Array.from({ length: count }, (_, index) => ({ kind, seed: 1_000 + index }));

test.each([...weeks('embedded', WEEKS), ...weeks('postgres', Math.max(2, Math.floor(WEEKS / 10)))])(
  'on the $kind store: week $seed',
  async ({ kind, seed }) => {
    const week = weekOf(seed, 120);
    const cut = WAYS[seed % WAYS.length] ?? (() => []);
    const scene = await booksScene(kind);
    try {
      // Half of the payments are known before the reports, half of them only after.
      const isEarly = (at: number): boolean => at % 2 === 0 || week.payments[at]?.movements.length === 0;
      await scene.know(week.payments.filter((_, at) => isEarly(at)));
      await scene.books.round();
      for (const file of cut(week.rows)) await scene.upload(file);
      await scene.know(week.payments.filter((_, at) => !isEarly(at)));
      await scene.books.round();
      const open = await scene.differences.list({ state: 'open' }, 1_000);
      const found = open.map(
        ({ kind: of, ref, currency, expected, found: there }) =>
          `${of} ${ref} ${currency} ${expected} ${there}`,
      );
      expect(found.sort()).toEqual(week.planted.sort());
      expect(week.planted.length).toBeGreaterThan(4);
    } finally {
      await scene.end();
    }
  },
);
