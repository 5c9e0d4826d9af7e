import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Secret } from '../secrets/secret.js';
import { newId } from '../store/ids.js';
import { clientToken, sessionOfToken } from './client-token.js';

const [first, second] = ['a'.repeat(32), 'b'.repeat(32)] as const;
const keys = (...current: string[]) => new Secret<readonly string[]>(current);
const id = newId('cs');
const token = clientToken(id, keys(first));

test('opens its session, with any of the keys in force', () => {
  expect(token).toMatch(new RegExp(`^cst_${id}\\.[A-Za-z0-9_-]{43}$`));
  expect(sessionOfToken(token, keys(first))).toBe(id);
  expect(sessionOfToken(token, keys(second, first))).toBe(id);
  expect(sessionOfToken(token, keys(second))).toBeUndefined();
});

test('is signed with the first key', () => {
  expect(clientToken(id, keys(second, first))).toBe(clientToken(id, keys(second)));
});

test.each([
  ['nothing', ''],
  ['no mac', `cst_${id}`],
  ['an empty mac', `cst_${id}.`],
  ['another session', token.replace(id, newId('cs'))],
  ['another prefix', token.replace('cst_', 'cs_')],
  ['a longer mac', `${token}A`],
  ['a shorter mac', token.slice(0, -1)],
  ['no prefix', token.slice(4)],
])('%s opens nothing', (_name, presented) => {
  expect(sessionOfToken(presented, keys(first))).toBeUndefined();
});

test('changed anywhere it opens nothing', () => {
  const letters = fc.constantFrom(...'ABCXYZabcxyz0189_-.');
  fc.assert(
    fc.property(fc.nat(token.length - 1), letters, (at, letter) => {
      const changed = token.slice(0, at) + letter + token.slice(at + 1);
      expect(sessionOfToken(changed, keys(first))).toBe(changed === token ? id : undefined);
    }),
  );
});
