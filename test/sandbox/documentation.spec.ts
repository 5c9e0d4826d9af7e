import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { VARIABLES } from '../../sandbox/environment.ts';
import { FAULT_KINDS } from '../../sandbox/fault.ts';
import { DEFAULT_SETTINGS } from '../../sandbox/settings.ts';
import { TEST_AMOUNTS } from '../../sandbox/test-amounts.ts';
import { TEST_CARDS } from '../../sandbox/test-cards.ts';

const TEXT = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');
const ROWS = TEXT.split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('the documentation has every test card and amount as they are, and no others', () => {
  const cards = ROWS.filter(([, name]) => /^`[0-9]{15,19}`$/.test(name ?? '')).map((row) => row.slice(1, 4));
  expect(cards).toEqual(TEST_CARDS.map(({ number, brand, title }) => [`\`${number}\``, brand, title]));
  const amounts = ROWS.filter(([, name]) => /^`\.[0-9]{2}`$/.test(name ?? '')).map((row) => row.slice(1, 3));
  expect(amounts).toEqual(TEST_AMOUNTS.map(({ minor, title }) => [`\`.${minor}\``, title]));
});

test.each([...FAULT_KINDS, ...VARIABLES, ...Object.keys(DEFAULT_SETTINGS)])(
  'the documentation names %s',
  (name) => {
    expect(TEXT).toContain(`\`${name}\``);
  },
);
