import { describe, expect, test } from '@jest/globals';
import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { compactDecrypt } from 'jose';
import { EncryptionKeyError, sealerOf } from './encryption.js';

const TEXT = 'Àṣẹ 5060990580000217499 '.repeat(40);
const KEY = 'k'.repeat(32);
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();

const decipher = (name: string, key: string, iv: Buffer | null, bytes: Buffer, tag?: Buffer): string => {
  const cipher = createDecipheriv(name, key, iv) as ReturnType<typeof createDecipheriv> & {
    setAuthTag(tag: Buffer): void;
  };
  if (tag) cipher.setAuthTag(tag);
  return Buffer.concat([cipher.update(bytes), cipher.final()]).toString();
};

test.each(['base64', 'hex', 'base64url'] as const)('symmetric schemes come back, in %s', async (encoding) => {
  const des = await sealerOf({ scheme: '3des-ecb', encoding }, KEY.slice(8))(TEXT);
  expect(decipher('des-ede3-ecb', KEY.slice(8), null, Buffer.from(des['ciphertext'] ?? '', encoding))).toBe(
    TEXT,
  );
  for (const ivBytes of [12, 16] as const) {
    const gcm = await sealerOf({ scheme: 'aes-256-gcm', encoding, ivBytes }, KEY)(TEXT);
    const [iv, ciphertext, tag] = ['iv', 'ciphertext', 'tag'].map((name) =>
      Buffer.from(gcm[name] ?? '', encoding),
    );
    expect(decipher('aes-256-gcm', KEY, iv!, ciphertext!, tag)).toBe(TEXT);
    expect(gcm['sealed']).toBe(Buffer.concat([iv!, ciphertext!, tag!]).toString(encoding));
    expect(iv).toHaveLength(ivBytes);
  }
  const cbc = await sealerOf({ scheme: 'aes-256-cbc', encoding }, KEY)(TEXT);
  expect(
    decipher(
      'aes-256-cbc',
      KEY,
      Buffer.from(cbc['iv'] ?? '', encoding),
      Buffer.from(cbc['ciphertext'] ?? '', encoding),
    ),
  ).toBe(TEXT);
});

test('no two texts have one iv', async () => {
  const seal = sealerOf({ scheme: 'aes-256-gcm' }, KEY);
  expect((await seal('a'))['iv']).not.toBe((await seal('a'))['iv']);
});

test('RSA in as many blocks as the text needs', async () => {
  const schemes = [
    ['rsa-oaep-256', { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }],
    ['rsa-pkcs1', { padding: constants.RSA_PKCS1_PADDING }],
  ] as const;
  for (const [scheme, padding] of schemes) {
    const sealed = Buffer.from((await sealerOf({ scheme }, pem)(TEXT))['ciphertext'] ?? '', 'base64');
    const blocks = Array.from({ length: sealed.length / 256 }, (_, at) =>
      privateDecrypt({ key: privateKey, ...padding }, sealed.subarray(at * 256, (at + 1) * 256)),
    );
    expect(Buffer.concat(blocks).toString()).toBe(TEXT);
  }
});

test('a JWE has the key’s name', async () => {
  const jwk = JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid: 'k1' });
  for (const [keyId, kid] of [
    [undefined, 'k1'],
    ['mine', 'mine'],
  ]) {
    const { ciphertext = '' } = await sealerOf(
      { scheme: 'jwe', ...(keyId !== undefined && { keyId }) },
      jwk,
    )(TEXT);
    const { plaintext, protectedHeader } = await compactDecrypt(ciphertext, privateKey);
    expect(new TextDecoder().decode(plaintext)).toBe(TEXT);
    expect(protectedHeader).toEqual({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid });
  }
});

describe('keys', () => {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  test.each(['x'.repeat(24), `hex:${'ab'.repeat(24)}`, `base64:${Buffer.alloc(24, 1).toString('base64')}`])(
    '%s is one of 24 bytes',
    (key) => {
      expect(sealerOf({ scheme: '3des-ecb' }, key)('x')).toBeDefined();
    },
  );

  test('RSA: PEM, with line breaks as two characters, DER', () => {
    for (const key of [
      pem,
      pem.replaceAll('\n', '\\n'),
      `base64:${der.toString('base64')}`,
      `hex:${der.toString('hex')}`,
    ])
      expect(sealerOf({ scheme: 'rsa-pkcs1' }, key)('x')).toBeDefined();
  });

  test.each<[Parameters<typeof sealerOf>[0]['scheme'], string | undefined]>([
    ['3des-ecb', undefined],
    ['3des-ecb', 'x'.repeat(23)],
    ['aes-256-gcm', 'hex:abc'],
    ['aes-256-cbc', `base64:${Buffer.alloc(31).toString('base64')}`],
    ['rsa-pkcs1', 'not a key'],
    ['rsa-pkcs1', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
    ['jwe', JSON.stringify(privateKey.export({ format: 'jwk' }))],
    [
      'rsa-oaep-256',
      generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    ],
    [
      'rsa-oaep-256',
      generateKeyPairSync('rsa', { modulusLength: 1024 })
        .publicKey.export({ type: 'spki', format: 'pem' })
        .toString(),
    ],
  ])('%s refuses a wrong one, and does not repeat it', (scheme, key) => {
    let error: unknown;
    try {
      sealerOf({ scheme }, key);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(EncryptionKeyError);
    if (key !== undefined) expect(String(error)).not.toContain(key.slice(0, 20));
  });
});
