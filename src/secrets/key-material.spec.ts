import { describe, expect, test } from '@jest/globals';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { KeyMaterialError, parsePrivateKeys } from './key-material.js';

const rsa = (bits = 2048, type: 'pkcs8' | 'pkcs1' = 'pkcs8') =>
  generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type, format: 'pem' }).toString();
const first = rsa();
const second = rsa(2048, 'pkcs1');
const publicOf = (pem: string) => createPublicKey(pem).export({ type: 'spki', format: 'pem' });

describe('a bundle of private keys', () => {
  test.each<[string, string, string[]]>([
    ['one key', first, [first]],
    ['two keys, the first stays first', first + second, [first, second]],
    ['without a line between them', second.trim() + first, [second, first]],
    ['with blank lines', `\n${first}\n\n${second}\n`, [first, second]],
    ['one key twice', first + second + first, [first, second]],
    ['on one line', (first + second).replaceAll('\n', '\\n'), [first, second]],
    ['with CRLF', first.replaceAll('\n', '\r\n'), [first]],
  ])('%s', (_name, bundle, expected) => {
    const keys = parsePrivateKeys(bundle).map((key) =>
      createPublicKey(key).export({ type: 'spki', format: 'pem' }),
    );
    expect(keys).toEqual(expected.map(publicOf));
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['another text', 'hunter2'],
    ['a text beside a key', `${first}hunter2`],
    ['a public key', publicOf(first).toString()],
    ['a short key', rsa(1024)],
    ['a broken key', first.replace(/\n.{20}/, '\nhunter2hunter2hunter')],
    [
      'a key of another kind',
      generateKeyPairSync('ec', { namedCurve: 'P-256' })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
    ],
    [
      'an encrypted key',
      generateKeyPairSync('rsa', { modulusLength: 2048 })
        .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'hunter2' })
        .toString(),
    ],
    ['a good key and a bad one', first + rsa(1024)],
  ])('%s is refused without being shown', (_name, bundle) => {
    expect(() => parsePrivateKeys(bundle)).toThrow(KeyMaterialError);
    expect(() => parsePrivateKeys(bundle)).toThrow(/^holds (?!.*hunter2)/);
  });
});
