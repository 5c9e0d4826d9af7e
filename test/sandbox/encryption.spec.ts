import { describe, expect, test } from '@jest/globals';
import { constants, createCipheriv, generateKeyPairSync, publicEncrypt, randomBytes } from 'node:crypto';
import { CompactEncrypt, importSPKI } from 'jose';
import type { Scheme } from '../../sandbox/encryption/encryption.ts';
import { cardBody, type Json, SandboxClient } from './sandbox-client.js';

const AES_KEY = randomBytes(32);
const DES_KEY = randomBytes(24);
const RSA = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const SECRET_FIELDS = ['cardNumber', 'cvv', 'card_pin'];

type Envelope = (text: string) => Json | Promise<Json>;

const gcm = (text: string, key: Buffer, ivBytes: number) => {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return { iv, sealed, tag: cipher.getAuthTag() };
};

/** RSA takes less than a whole body: what is longer goes in several blocks. */
const rsaBlocks = (text: string, padding: number, room: number, more: object) => {
  const bytes = Buffer.from(text);
  const blocks = Array.from({ length: Math.ceil(bytes.length / room) }, (_, index) =>
    publicEncrypt({ key: RSA.publicKey, padding, ...more }, bytes.subarray(index * room, (index + 1) * room)),
  );
  return Buffer.concat(blocks).toString('base64');
};

const CASES: [string, Scheme, string, Envelope][] = [
  [
    '3des-ecb',
    '3des-ecb',
    `hex:${DES_KEY.toString('hex')}`,
    (text) => {
      const cipher = createCipheriv('des-ede3', DES_KEY, null);
      return { client: Buffer.concat([cipher.update(text), cipher.final()]).toString('base64') };
    },
  ],
  ...(['hex', 'base64'] as const).map((encoding): [string, Scheme, string, Envelope] => [
    `aes-256-cbc in ${encoding}`,
    'aes-256-cbc',
    `base64:${AES_KEY.toString('base64')}`,
    (text) => {
      const iv = randomBytes(16);
      const cipher = createCipheriv('aes-256-cbc', AES_KEY, iv);
      return {
        data: Buffer.concat([cipher.update(text), cipher.final()]).toString(encoding),
        iv: iv.toString(encoding),
      };
    },
  ]),
  ...[12, 16].flatMap((ivBytes): [string, Scheme, string, Envelope][] => [
    [
      `aes-256-gcm, parts in hex, IV of ${ivBytes}`,
      'aes-256-gcm',
      `hex:${AES_KEY.toString('hex')}`,
      (text) => {
        const { iv, sealed, tag } = gcm(text, AES_KEY, ivBytes);
        return { charge_data: [iv, sealed, tag].map((part) => part.toString('hex')).join(':') };
      },
    ],
    [
      `aes-256-gcm in a row in base64, IV of ${ivBytes}`,
      'aes-256-gcm',
      `hex:${AES_KEY.toString('hex')}`,
      (text) => {
        const { iv, sealed, tag } = gcm(text, AES_KEY, ivBytes);
        return { charge_data: Buffer.concat([iv, sealed, tag]).toString('base64') };
      },
    ],
  ]),
  [
    'rsa-oaep-256',
    'rsa-oaep-256',
    RSA.privateKey,
    (text) => ({ data: rsaBlocks(text, constants.RSA_PKCS1_OAEP_PADDING, 190, { oaepHash: 'sha256' }) }),
  ],
  [
    'rsa-pkcs1',
    'rsa-pkcs1',
    RSA.privateKey,
    (text) => ({ data: rsaBlocks(text, constants.RSA_PKCS1_PADDING, 245, {}) }),
  ],
  [
    'jwe',
    'jwe',
    RSA.privateKey,
    async (text) => ({
      data: await new CompactEncrypt(Buffer.from(text))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'one' })
        .encrypt(await importSPKI(RSA.publicKey, 'RSA-OAEP-256')),
    }),
  ],
];

describe.each(CASES)('%s', (_name, encryption, encryptionKey, envelope) => {
  const withClient = async (act: (client: SandboxClient) => Promise<void>) => {
    const client = await SandboxClient.start({ encryption, encryptionKey });
    try {
      await act(client);
    } finally {
      await client.close();
    }
  };

  test('takes a whole body in the envelope, refuses it in plain text and when it was changed', () =>
    withClient(async (client) => {
      const body = cardBody();
      const sealed = await envelope(JSON.stringify(body));
      expect((await client.post('/payment/card', sealed)).json).toMatchObject({
        error: false,
        message: 'Approved',
      });
      expect(client.sandbox.recorder.list(String(body.client_ref))[0]).toMatchObject({
        encrypted: true,
        problems: [],
      });

      const plain = await client.post('/payment/card', cardBody());
      expect(plain.status).toBe(400);
      const [name = ''] = Object.keys(sealed);
      const text = String(sealed[name]);
      const changed = { ...sealed, [name]: (text.startsWith('A') ? 'B' : 'A') + text.slice(1, -8) };
      expect((await client.post('/payment/card', changed)).status).toBe(400);
      expect(client.sandbox.ledger.transactions().length).toBe(1);
    }));

  test('takes the card fields alone in the envelope, the others beside it', () =>
    withClient(async (client) => {
      const entries = Object.entries(cardBody());
      const secret = Object.fromEntries(entries.filter(([name]) => SECRET_FIELDS.includes(name)));
      const open = Object.fromEntries(entries.filter(([name]) => !SECRET_FIELDS.includes(name)));
      const sealed = await envelope(JSON.stringify(secret));
      expect((await client.post('/payment/card', { ...open, ...sealed })).status).toBe(200);
      expect((await client.post('/payment/card', { ...open, ...sealed, cvv: '111' })).status).toBe(400);
    }));
});

test('gateway-endpoint: what the endpoint encrypted is taken, and only with credentials', async () => {
  const client = await SandboxClient.start({ encryption: 'gateway-endpoint' });
  try {
    const { path } = (await client.get('/sandbox/encryption')).json;
    expect((await client.post(String(path), cardBody(), { 'x-api-key': 'wrong' })).status).toBe(401);
    const { json, text } = await client.post(String(path), cardBody());
    expect(text).not.toContain('4111111111111111');
    expect((await client.post('/payment/card', json)).json.message).toBe('Approved');
    expect((await client.post('/payment/card', cardBody())).status).toBe(400);
  } finally {
    await client.close();
  }
});

test('without a key of its own a sandbox makes one and says what callers need', async () => {
  const client = await SandboxClient.start({ encryption: 'aes-256-gcm' });
  try {
    const { key } = (await client.get('/sandbox/encryption')).json;
    expect(key).toMatch(/^hex:[0-9a-f]{64}$/);
    const { iv, sealed, tag } = gcm(JSON.stringify(cardBody()), Buffer.from(String(key).slice(4), 'hex'), 12);
    const charge_data = [iv, sealed, tag].map((part) => part.toString('hex')).join(':');
    expect((await client.post('/payment/card', { charge_data })).status).toBe(200);
  } finally {
    await client.close();
  }
});
