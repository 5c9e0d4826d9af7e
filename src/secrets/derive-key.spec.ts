import { expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { type KeyPurpose, deriveKey } from './keyed-hash.js';

const SECRET = 'a secret key of at least 32 bytes';
const PURPOSES: KeyPurpose[] = ['client-token', 'return-token', 'fingerprint', 'search'];

/** RFC 5869 with one block of output, written out. */
function hkdf(key: string, info: string): Buffer {
  const extracted = createHmac('sha256', Buffer.alloc(32)).update(key).digest();
  return createHmac('sha256', extracted)
    .update(info)
    .update(Buffer.from([1]))
    .digest();
}

test.each(PURPOSES)('the key for %s is HKDF-SHA256 of the secret', (purpose) => {
  expect(deriveKey(SECRET, purpose)).toEqual(hkdf(SECRET, `tillfront/v1/${purpose}`));
});

test('each purpose and each secret has a key of its own, the same every time', () => {
  const keys = [SECRET, `${SECRET}.`].flatMap((secret) =>
    PURPOSES.map((purpose) => deriveKey(secret, purpose)),
  );
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(2 * PURPOSES.length);
  for (let index = 0; index < 200; index++) deriveKey(`${SECRET}${index}`, 'fingerprint');
  expect(deriveKey(SECRET, 'client-token')).toEqual(keys[0]);
});
