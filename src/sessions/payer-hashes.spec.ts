import { describe, expect, test } from '@jest/globals';
import { emailHashes, isSamePhone, NO_HASHES, payerHashes, phoneHashes } from './payer-hashes.js';

const [KEY, OTHER] = ['k'.repeat(32), 'o'.repeat(32)];
const ada = { email: 'Ada.Obi@Example.com', phone: '+2348012345678', firstName: 'Ada' };

describe('what a payer is found by', () => {
  const { emailHash, phoneHash } = payerHashes(ada, KEY);

  test.each(['ada.obi@example.com', ' ADA.OBI@EXAMPLE.COM ', 'Ada.Obi@Example.com'])(
    'the e-mail as %j',
    (text) => {
      expect(emailHashes(text, [OTHER, KEY])).toContain(emailHash);
      expect(emailHashes(text, [OTHER])).not.toContain(emailHash);
    },
  );

  test.each(['ada@example.com', 'ada.obi@example.co', 'xada.obi@example.com'])('and not by %j', (text) => {
    expect(emailHashes(text, [KEY])).not.toContain(emailHash);
  });

  test.each([
    '+2348012345678',
    '2348012345678',
    '002348012345678',
    '0801 234 5678',
    '(0801) 234-5678',
    '801.234.5678',
  ])('the phone as %j', (text) => {
    expect(phoneHashes(text, [KEY])).toEqual([phoneHash]);
    expect(isSamePhone(ada.phone, text)).toBe(true);
  });

  test.each(['0802 234 5678', '+2349012345678', '+4412345678'])('a phone of somebody else: %j', (text) => {
    expect(isSamePhone(ada.phone, text)).toBe(false);
  });

  test.each(['1234567', 'ORDER-12345678', 'ada@example.com', '', '12345678 or so'])(
    'no phone: %j',
    (text) => {
      expect(phoneHashes(text, [KEY])).toEqual([]);
    },
  );

  test('tells neither of them, and nothing without them', () => {
    expect(emailHash).toMatch(/^[\w-]{22}$/);
    expect(emailHash).not.toBe(phoneHash);
    expect(payerHashes(ada, OTHER)).not.toEqual({ emailHash, phoneHash });
    expect(payerHashes(null, KEY)).toEqual(NO_HASHES);
    expect(payerHashes({ firstName: 'Ada', phone: '12' }, KEY)).toEqual(NO_HASHES);
  });
});
