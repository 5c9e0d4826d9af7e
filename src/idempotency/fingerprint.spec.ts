import { expect, test } from '@jest/globals';
import { keyedHash } from '../secrets/keyed-hash.js';
import { canonicalJson } from './canonical.js';
import { fingerprint, isSameRequest } from './fingerprint.js';

const [first, second, third] = ['first', 'second', 'third'].map((name) => name.padEnd(32, '-')) as [
  string,
  string,
  string,
];
const path = '/v1/payments/card';
const content = { card: { number: '5060990580000217499' }, payer: { email: 'ada@example.com' } };
const kept = fingerprint(first, path, content);

test('is keyed: it names its key and tells nothing of the content', () => {
  expect(kept).toMatch(/^[A-Za-z0-9_-]{12}\.[A-Za-z0-9_-]{43}$/);
  expect(fingerprint(second, path, content).split('.')).not.toEqual(
    expect.arrayContaining([kept.split('.')[0], kept.split('.')[1]]),
  );
});

test.each([
  ['the same', [first], path, content, true],
  ['in another order', [first], path, { payer: content.payer, card: content.card }, true],
  ['another content', [first], path, { ...content, payer: {} }, false],
  ['another path', [first], '/v1/payments/wallet', content, false],
  ['the same while the keys are rotated', [second, first], path, content, true],
  ['another content while the keys are rotated', [second, first], path, {}, false],
  // It cannot be compared any more: the answer that was made first is the safe one.
  ['made with a key that is gone', [second, third], path, {}, true],
])('%s', (_name, keys, askedPath, asked, same) => {
  expect(isSameRequest(keys, kept, askedPath, asked)).toBe(same);
});

test.each([
  ['10.00', '10', true],
  ['10', '10.0', true],
  ['10.50', '10.5', true],
  ['1.250', '1.25', true],
  ['10.00', '1', false],
  ['10.05', '10.5', false],
  ['100', '10.00', false],
  ['0.001', '0.01', false],
])('%s and %s are the same money: %s', (one, other, same) => {
  for (const name of ['amount', 'amountReceived']) {
    const made = fingerprint(first, path, { [name]: one });
    expect(isSameRequest([first], made, path, { [name]: other })).toBe(same);
    expect(isSameRequest([first], fingerprint(first, path, { [name]: other }), path, { [name]: one })).toBe(
      same,
    );
  }
});

test.each(['10', '10.00', '10.500'])(
  'one of a former version, which kept %s as it was sent, is the same',
  (amount) => {
    const text = `${path}\n${canonicalJson({ amount })}`;
    const former = `${kept.split('.')[0] ?? ''}.${keyedHash(first, 'fingerprint', text)}`;
    expect(isSameRequest([first], former, path, { amount })).toBe(true);
    expect(isSameRequest([first], former, path, { amount: '11' })).toBe(false);
  },
);
