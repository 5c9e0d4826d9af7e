import { expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readDocument } from './markdown.js';

/** The table of `docs/security.md`: each threat names what shows that it is stopped. */

const [, section = ''] = /^## Threat model$([^]*?)^## /m.exec(readDocument('security.md')) ?? [];
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, who = '', tries = '', stops = '', shown = '', left = '', ...rest]) => ({
    ...{ who, tries, stops, left, rest },
    tests: [...shown.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
  }));

test('the table has all its threats', () => {
  expect(rows.length).toBeGreaterThanOrEqual(21);
  expect(new Set(rows.map(({ who }) => who)).size).toBe(rows.length);
});

test.each(rows)('$who: every cell is filled, and its tests are there', ({ tests, rest, ...cells }) => {
  for (const [name, text] of Object.entries(cells))
    expect({ name, empty: text === '' }).toEqual({ name, empty: false });
  expect(rest).toEqual(['']);
  expect(tests).not.toEqual([]);
  for (const path of tests) {
    expect(path).toMatch(/^(?:src|test)\/.+\.spec\.ts$/);
    expect({ path, there: existsSync(path) }).toEqual({ path, there: true });
  }
});
