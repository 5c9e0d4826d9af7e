import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Secret } from '../secrets/secret.js';
import { newId } from '../store/ids.js';
import { clientToken, readerOfToken, readerToken, sessionOfToken } from './tokens.js';

const [first, second] = ['a'.repeat(32), 'b'.repeat(32)] as const;
const keys = (...current: string[]) => new Secret<readonly string[]>(current);
describe('a client token', () => {
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
});

describe('a payment’s reader', () => {
  const id = newId('pay');
  const MINUTE = 60_000;
  const now = Date.UTC(2026, 10, 21, 12);
  const token = readerToken(id, keys(first), now);
  const reader = { kind: 'reader', paymentId: id, expiresAt: now + 15 * MINUTE };

  test('lets its holder look at its payment, with any of the keys in force', () => {
    expect(token).toMatch(new RegExp(`^crt_${id}\\.[0-9]{10}\\.[A-Za-z0-9_-]{43}$`));
    expect(readerOfToken(token, keys(first), now)).toEqual(reader);
    expect(readerOfToken(token, keys(second, first), now)).toEqual(reader);
    expect(readerOfToken(token, keys(second), now)).toBeUndefined();
    expect(readerToken(id, keys(second, first), now)).toBe(readerToken(id, keys(second), now));
  });

  describe('lasts fifteen minutes', () => {
    test.each([
      [-2, undefined],
      [-1, reader],
      [14, reader],
      [15 - 1 / 60_000, reader],
      [15, undefined],
      [1_000_000, undefined],
    ])('asked after %d minutes', (minutes, expected) => {
      expect(readerOfToken(token, keys(first), now + minutes * MINUTE)).toEqual(expected);
    });
  });

  test.each([
    ['nothing', ''],
    ['no mac', token.slice(0, token.lastIndexOf('.'))],
    ['an empty mac', token.slice(0, token.lastIndexOf('.') + 1)],
    ['another payment', token.replace(id, newId('pay'))],
    ['a later end', token.replace(/\.(\d+)\./, (_, end) => `.${Number(end) + 60}.`)],
    ['an end of another form', token.replace(/\.(\d+)\./, '.0$1.')],
    ['another prefix', token.replace('crt_', 'cst_')],
    ['a longer mac', `${token}A`],
    ['a shorter mac', token.slice(0, -1)],
    ['no prefix', token.slice(4)],
    ['a client token', clientToken(id, keys(first))],
    ['the mac of a client token', `crt_${clientToken(`${id}.1795262400`, keys(first)).slice(4)}`],
  ])('%s opens nothing', (_name, presented) => {
    expect(readerOfToken(presented, keys(first), now)).toBeUndefined();
  });

  test('changed anywhere it opens nothing', () => {
    const letters = fc.constantFrom(...'ABCXYZabcxyz0189_-.');
    fc.assert(
      fc.property(fc.nat(token.length - 1), letters, (at, letter) => {
        const changed = token.slice(0, at) + letter + token.slice(at + 1);
        expect(readerOfToken(changed, keys(first), now)).toEqual(changed === token ? reader : undefined);
      }),
    );
  });
});
