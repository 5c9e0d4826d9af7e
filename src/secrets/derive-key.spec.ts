import { expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { type KeyPurpose, keyedHash } from './keyed-hash.js';

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
  const key = hkdf(SECRET, `tillfront/v1/${purpose}`);
  expect(keyedHash(SECRET, purpose, 'text')).toBe(
    createHmac('sha256', key).update('text').digest('base64url'),
  );
});

test('each purpose and each secret has a key of its own, the same every time', () => {
  const keys = [SECRET, `${SECRET}.`].flatMap((secret) =>
    PURPOSES.map((purpose) => keyedHash(secret, purpose, 'text')),
  );
  expect(new Set(keys).size).toBe(2 * PURPOSES.length);
  for (let index = 0; index < 200; index++) keyedHash(`${SECRET}${index}`, 'fingerprint', 'text');
  expect(keyedHash(SECRET, 'client-token', 'text')).toBe(keys[0]);
});
