import { expect, test } from '@jest/globals';
import { keyedHash } from '../secrets/keyed-hash.js';
import { canonicalJson, fingerprint, isSameRequest } from './fingerprint.js';

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

const device = {
  javaEnabled: false,
  language: 'en-NG',
  screenHeight: 1080,
  screenWidth: 1920,
  colorDepth: 24,
};
const card = { number: '5060990580000217499', expiryMonth: '12', expiryYear: '2030', nameOnCard: 'Ada Obi' };
const payer = { email: 'ada@example.com' };

// What 0.2.0 has kept of these requests. Their keys last for years, and a repeat must not be made again.
test.each<[string, object, string]>([
  [
    '/v1/payments/card',
    { card: { ...card, cvv: '111', pin: '1111' }, payer, device: { ...device, timeZone: 'Africa/Lagos' } },
    '5FF6yUti9fMzdSXcz6ByZ_Zz9UgrmXTRT1Drpnr0KdA',
  ],
  ['/v1/payments/wallet', { payer }, '4Owx4Ksy3gTwAMxt0jSFwlErJSscbifD-TaiJsCNDf8'],
  ['/v1/payments/pay_1/otp', { otp: '123456' }, '02_tKd5ZP3_e7IqhgI2alUsOTfrXdyQhNjjMYTy6pYs'],
  ['/v1/payments/pay_1/complete', { amount: '10.00' }, 'kamPHRUFnxsIG6G6VQB-sNG6eChV8q9QsEBo2u4xHvQ'],
  [
    '/v1/payments/pay_1/refunds',
    { amount: '10.00', reason: 'late' },
    'ZVJPcE4fidBNqmkmlq3SFb46rTk0gcZEQB5W1l45dbo',
  ],
  [
    '/v1/checkout-sessions',
    {
      reference: 'ORDER-1',
      amount: '10.00',
      currency: 'NGN',
      metadata: { pin: '4', otp: '5', card: '6' },
    },
    'GH-_ZJCjUF_Hjn1frjFIZCJqmBb_4gEsbYtjLUy50lU',
  ],
])('a key of 0.2.0 for %s is recognised', (asked, body, mac) => {
  expect(isSameRequest([first], `${kept.split('.')[0] ?? ''}.${mac}`, asked, body)).toBe(true);
  expect(isSameRequest([first], `${kept.split('.')[0] ?? ''}.${mac}`, asked, { ...body, more: 1 })).toBe(
    false,
  );
});

test.each<[string, object, object, boolean]>([
  ['a code', { otp: '1' }, { otp: '2' }, true],
  ['a PIN', { pin: '1' }, { encryptedPin: 'a' }, true],
  ['a security code', { card: { ...card, cvv: '111' } }, { card: { ...card, cvv: '222' } }, true],
  ['what is encrypted anew', { card, encryptedCard: 'a' }, { card, encryptedCard: 'b' }, true],
  ['a field of a card', { card: { ...card, issue: '1' } }, { card: { ...card, issue: '2' } }, false],
  ['any other field', { payer, later: '1' }, { payer, later: '2' }, false],
  ['a name of the merchant’s own', { metadata: { pin: '1' } }, { metadata: { pin: '2' } }, false],
])('%s that differs', (_name, one, other, same) => {
  expect(isSameRequest([first], fingerprint(first, path, one), path, other)).toBe(same);
});
