import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import {
  createDecipheriv,
  generateKeyPairSync,
  privateDecrypt,
  constants,
  type KeyObject,
} from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../secrets/secret.js';
import type { EncryptionProfile } from '../profile/format.js';
import { encryptGcm, EncryptionKeyError, tripleDesEcb } from './schemes.js';
import { BodySealer } from './body-sealer.js';
import { schemeOf } from './settings.js';

const TEXT = JSON.stringify({
  cardNumber: '5060990580000217499',
  nameOnCard: 'Ådá Òbí',
  note: 'x'.repeat(700),
});
const KEY_32 = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
const KEY_24 = '0123456789abcdef23456789abcdef01456789abcdef0123';

let privateKey: KeyObject;
let publicPem: string;
let privateKeyFile: string;

beforeAll(() => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  privateKey = pair.privateKey;
  publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' });
  privateKeyFile = join(mkdtempSync(join(tmpdir(), 'encryption-')), 'key.pem');
  writeFileSync(privateKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
});

/** Encrypts by a profile's settings; the members of the envelope. */
async function seal(
  settings: Partial<EncryptionProfile>,
  key: string,
  text = TEXT,
): Promise<Record<string, string>> {
  const encryption = { scheme: 'none', operations: ['payCard'], scope: 'body', ...settings } as const;
  const scheme = schemeOf(encryption);
  if (!scheme) throw new Error('no scheme');
  return { ...(await scheme.seal(text, scheme.readKey(key))) };
}

/** Another program's word for it. */
function openssl(args: readonly string[], input: Buffer): string {
  return execFileSync('openssl', args, { input, stdio: ['pipe', 'pipe', 'ignore'] }).toString('utf8');
}

function openGcm(key: Buffer, iv: Buffer, ciphertext: Buffer, tag: Buffer, aad = Buffer.alloc(0)): string {
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAuthTag(tag).setAAD(aad);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
}

describe('published test vectors', () => {
  test('triple DES: NIST SP 800-67, appendix B.1', async () => {
    const scheme = tripleDesEcb('client', 'hex');
    const { client } = await scheme.seal('The qufck brown fox jump', scheme.readKey(`hex:${KEY_24}`));
    expect(client?.slice(0, 48)).toBe('a826fd8ce53b855fcce21c8112256fe668d5c05dd9b6b900');
    // The text fills its blocks, so the padding of PKCS#7 is a block of its own.
    expect(client).toHaveLength(64);
  });

  test.each([
    ['', '', '530f8afbc74536b9a963b4f1c4cb738b'],
    ['\0'.repeat(16), 'cea7403d4d606b6e074ec5d3baf39d18', 'd0d1c8a799996bf0265b98b5d48ab919'],
  ])('AES-256-GCM: McGrew and Viega, test cases 13 and 14', (plaintext, ciphertext, tag) => {
    const sealed = encryptGcm(plaintext, Buffer.alloc(32), Buffer.alloc(12));
    expect(sealed.ciphertext.toString('hex')).toBe(ciphertext);
    expect(sealed.tag.toString('hex')).toBe(tag);
  });
});

describe('what openssl opens again', () => {
  test.each(['hex', 'base64', 'base64url', undefined] as const)('3des-ecb in %s', async (encoding) => {
    const { client = '', ...rest } = await seal(
      { scheme: '3des-ecb', ...(encoding && { encoding }) },
      `hex:${KEY_24}`,
    );
    expect(rest).toEqual({});
    const bytes = Buffer.from(client, encoding ?? 'base64');
    expect(openssl(['enc', '-d', '-des-ede3', '-K', KEY_24], bytes)).toBe(TEXT);
  });

  test.each([
    ['fields', (sealed: Record<string, string>) => [sealed['iv'] ?? '', sealed['data'] ?? '']],
    ['iv:ciphertext:tag', (sealed: Record<string, string>) => (sealed['data'] ?? '').split(':')],
    [
      'iv+ciphertext+tag',
      (sealed: Record<string, string>) => [
        (sealed['data'] ?? '').slice(0, 32),
        (sealed['data'] ?? '').slice(32),
      ],
    ],
  ] as const)('aes-256-cbc as %s', async (layout, take) => {
    const sealed = await seal({ scheme: 'aes-256-cbc', layout, encoding: 'hex' }, `hex:${KEY_32}`);
    const [iv = '', data = ''] = take(sealed);
    expect(iv).toHaveLength(32);
    expect(openssl(['enc', '-d', '-aes-256-cbc', '-K', KEY_32, '-iv', iv], Buffer.from(data, 'hex'))).toBe(
      TEXT,
    );
  });

  test.each([
    [
      'rsa-oaep-256',
      [
        '-pkeyopt',
        'rsa_padding_mode:oaep',
        '-pkeyopt',
        'rsa_oaep_md:sha256',
        '-pkeyopt',
        'rsa_mgf1_md:sha256',
      ],
    ],
    ['rsa-pkcs1', ['-pkeyopt', 'rsa_padding_mode:pkcs1']],
  ] as const)('%s, in one block and in several', async (scheme, options) => {
    for (const text of ['{"cvv":"111"}', TEXT]) {
      const { data = '' } = await seal({ scheme }, publicPem, text);
      const bytes = Buffer.from(data, 'base64');
      expect(bytes.length % 256).toBe(0);
      let opened = Buffer.alloc(0);
      for (let at = 0; at < bytes.length; at += 256) {
        const block = execFileSync('openssl', ['pkeyutl', '-decrypt', '-inkey', privateKeyFile, ...options], {
          input: bytes.subarray(at, at + 256),
        });
        opened = Buffer.concat([opened, block]);
      }
      expect(opened.toString('utf8')).toBe(text);
    }
  });
});

describe('what opens again', () => {
  const key = Buffer.from(KEY_32, 'hex');

  test.each([
    [12, 'hex'],
    [16, 'base64'],
    [12, 'base64url'],
  ] as const)('aes-256-gcm with an IV of %i bytes in %s, in every layout', async (ivBytes, encoding) => {
    const settings = { scheme: 'aes-256-gcm', ivBytes, encoding } as const;
    const colons = await seal(settings, `hex:${KEY_32}`);
    expect(Object.keys(colons)).toEqual(['charge_data']);
    const parts = (colons['charge_data'] ?? '').split(':').map((part) => Buffer.from(part, encoding));
    const [iv = Buffer.alloc(0), ciphertext = Buffer.alloc(0), tag = Buffer.alloc(0)] = parts;
    expect(parts).toHaveLength(3);
    expect(iv).toHaveLength(ivBytes);
    expect(openGcm(key, iv, ciphertext, tag)).toBe(TEXT);

    const row = await seal({ ...settings, layout: 'iv+ciphertext+tag', envelope: 'd' }, `hex:${KEY_32}`);
    const bytes = Buffer.from(row['d'] ?? '', encoding);
    expect(openGcm(key, bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, -16), bytes.subarray(-16))).toBe(
      TEXT,
    );

    const fields = await seal({ ...settings, layout: 'fields' }, `hex:${KEY_32}`);
    const at = (name: string): Buffer => Buffer.from(fields[name] ?? '', encoding);
    expect(openGcm(key, at('iv'), at('charge_data'), at('tag'))).toBe(TEXT);
  });

  test('aes-256-gcm by another interface', async () => {
    const { charge_data: text = '' } = await seal({ scheme: 'aes-256-gcm', ivBytes: 16 }, `hex:${KEY_32}`);
    const [iv = Buffer.alloc(0), ...rest] = text.split(':').map((part) => Buffer.from(part, 'hex'));
    const imported = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt']);
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, imported, Buffer.concat(rest));
    expect(Buffer.from(opened).toString('utf8')).toBe(TEXT);
  });

  test('rsa-wrapped-aes-256-gcm, with another key and IV each time', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const sealed = await seal({ scheme: 'rsa-wrapped-aes-256-gcm' }, publicPem);
      const at = (name: string): Buffer => Buffer.from(sealed[name] ?? '', 'base64');
      const wrapped = privateDecrypt(
        { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
        at('key'),
      );
      expect(openGcm(wrapped, at('iv'), at('data'), at('tag'))).toBe(TEXT);
      seen.add(wrapped.toString('hex')).add(sealed['iv'] ?? '');
    }
    expect(seen.size).toBe(6);
  });

  test.each(['pem', 'jwk', 'jwk with the profile’s own kid'])(
    'jwe, with a key as %s, taken apart by hand',
    async (form) => {
      const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'key-7' };
      const publicJwk = JSON.stringify({ kty: jwk.kty, n: jwk.n, e: jwk.e, kid: jwk.kid });
      const keyId = form === 'jwk with the profile’s own kid' ? 'mine' : undefined;
      const settings = { scheme: 'jwe', ...(keyId !== undefined && { keyId }) } as const;
      const { data = '' } = await seal(settings, form === 'pem' ? publicPem : publicJwk);
      const [header = '', ...parts] = data.split('.');
      const [
        wrapped = Buffer.alloc(0),
        iv = Buffer.alloc(0),
        ciphertext = Buffer.alloc(0),
        tag = Buffer.alloc(0),
      ] = parts.map((part) => Buffer.from(part, 'base64url'));
      expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
        alg: 'RSA-OAEP-256',
        enc: 'A256GCM',
        ...(form !== 'pem' && { kid: keyId ?? 'key-7' }),
      });
      const contentKey = privateDecrypt(
        { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
        wrapped,
      );
      expect(openGcm(contentKey, iv, ciphertext, tag, Buffer.from(header))).toBe(TEXT);
    },
  );

  test('any text, and never twice the same', async () => {
    const encryption = { scheme: 'aes-256-gcm', operations: [], scope: 'body', layout: 'fields' } as const;
    const scheme = schemeOf(encryption);
    const secret = scheme?.readKey(`hex:${KEY_32}`);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        const [one, other] = [await scheme?.seal(text, secret), await scheme?.seal(text, secret)];
        const at = (name: string): Buffer => Buffer.from(one?.[name] ?? '', 'hex');
        expect(openGcm(key, at('iv'), at('charge_data'), at('tag'))).toBe(text);
        expect(one?.['iv']).not.toBe(other?.['iv']);
      }),
    );
  });
});

describe('a key', () => {
  test.each([
    ['a raw text', 'k'.repeat(32)],
    ['hex', `hex:${KEY_32}`],
    ['base64', `base64:${Buffer.from(KEY_32, 'hex').toString('base64')}`],
  ])('of 32 bytes as %s', async (_form, text) => {
    await expect(seal({ scheme: 'aes-256-gcm' }, text)).resolves.toBeDefined();
  });

  test.each([
    ['aes-256-gcm', 'k'.repeat(31)],
    ['aes-256-gcm', 'é'.repeat(32)],
    ['aes-256-gcm', `hex:${KEY_32}00`],
    ['aes-256-gcm', `hex:${KEY_32.slice(1)}z`],
    ['aes-256-gcm', 'base64:!!!'],
    ['aes-256-cbc', KEY_32],
    ['3des-ecb', `hex:${KEY_32}`],
    ['rsa-oaep-256', 'no key'],
    ['rsa-oaep-256', '{"kty":"oct","k":"AAAA"}'],
    ['jwe', '{'],
  ] as const)('%s: one that does not suit is refused', async (scheme, text) => {
    await expect(seal({ scheme }, text)).rejects.toThrow(EncryptionKeyError);
  });

  test('of RSA must be public, and long enough', async () => {
    const { publicKey: short } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const { publicKey: curve } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = JSON.stringify(privateKey.export({ format: 'jwk' }));
    for (const text of [
      short.export({ type: 'spki', format: 'pem' }),
      curve.export({ type: 'spki', format: 'pem' }),
      privateKey.export({ type: 'pkcs8', format: 'pem' }),
      jwk,
    ]) {
      await expect(seal({ scheme: 'jwe' }, text.toString())).rejects.toThrow(EncryptionKeyError);
    }
  });

  test('of RSA may have its line breaks as two characters, or be DER', async () => {
    await expect(seal({ scheme: 'rsa-pkcs1' }, publicPem.replaceAll('\n', '\\n'))).resolves.toBeDefined();
    const der = publicPem.split('\n').slice(1, -2).join('');
    await expect(seal({ scheme: 'rsa-pkcs1' }, `base64:${der}`)).resolves.toBeDefined();
  });

  test('that is refused is in no message', () => {
    const sealer = new BodySealer(
      { scheme: 'aes-256-gcm', operations: ['payCard'], scope: 'body' },
      new Secret('short-secret'),
    );
    expect(sealer.keyProblem()).toBe('must be a key of 32 bytes: a text of that length, hex:… or base64:…');
  });
});

describe('an encrypted body', () => {
  const scheme = { scheme: '3des-ecb', operations: ['payCard'], encoding: 'hex' } as const;
  const key = new Secret(`hex:${KEY_24}`);

  test('has its envelope, what is not encrypted, and the siblings', async () => {
    const sealer = new BodySealer(
      { ...scheme, scope: 'body', siblings: { PBFPubKey: 'p', alg: '3DES-24' } },
      key,
    );
    const body = await sealer.seal({ client_ref: 'R_1' }, '{"cvv":"111"}');
    expect(body).toEqual({
      client_ref: 'R_1',
      PBFPubKey: 'p',
      alg: '3DES-24',
      client: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  test('may have its envelope deeper, beside what is there, and changes no constant', async () => {
    const meta = { a: 1 };
    const sealer = new BodySealer(
      { ...scheme, scope: 'body', envelope: '/meta/card', siblings: { meta } },
      key,
    );
    const body = await sealer.seal({}, '{"cvv":"111"}');
    expect(body).toEqual({ meta: { a: 1, card: expect.any(String) } });
    expect(meta).toEqual({ a: 1 });
  });
});
