import { expect, test } from '@jest/globals';
import { fittingConnections, limitIn, openFilesLimit } from './connections.js';

const HEAD = 'Limit                     Soft Limit           Hard Limit           Units     \n';
const line = (soft: string): string =>
  `Max open files            ${soft.padEnd(21)}524288               files     \n`;

test.each([
  ['1024', 1_024],
  ['unlimited', undefined],
])('a limit of %s is read', (soft, limit) => {
  expect(limitIn(`${HEAD}Max processes             7  7  processes\n${line(soft)}`)).toBe(limit);
});

test('this process has one, or the system does not say', () => {
  expect([undefined, expect.any(Number)]).toContainEqual(openFilesLimit());
});

test.each([
  [10_000, 1_048_576, 10_000],
  [10_000, 1_024, 512],
  [100, 1_024, 100],
  [10_000, 256, 64],
  [10_000, undefined, 10_000],
  [0, 1_024, 0],
])('of %i connections with %s open files fit %i', (wanted, openFiles, fitting) => {
  expect(fittingConnections(wanted, openFiles)).toBe(fitting);
});
