import { describe, expect } from '@jest/globals';
import { createPublicKey, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { CompactEncrypt, importJWK, type JWK } from 'jose';
import { card, cardRequest, expectStatus, problemOf, type SessionBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { createTestStore } from '../harness/test-store.js';
import { startTillfront } from '../harness/tillfront.js';
import { TillfrontClient } from '../harness/client.js';
import { sideBySide, type Scenario } from './scenarios.js';
import { answer, approved, CARD, sent, will, type Stage } from './situations.js';

/** Cards that the browser has encrypted for one session. */

interface Sealing {
  sid?: unknown;
  iat?: unknown;
  kid?: string;
  card?: unknown;
  alg?: string;
  enc?: string;
  key?: JWK | KeyObject;
  text?: string;
  /** Packed, as its header then says. */
  zip?: 'DEF';
}

const now = () => Math.floor(Date.now() / 1000);

async function publicKey({ client }: Stage): Promise<JWK> {
  return expectStatus(await client.get<JWK>('/v1/card-encryption-key', { token: 'none' }), 200).body;
}

async function seal(jwk: JWK, session: SessionBody, over: Sealing = {}): Promise<string> {
  const header = {
    alg: over.alg ?? 'RSA-OAEP-256',
    enc: over.enc ?? 'A256GCM',
    kid: over.kid ?? jwk.kid ?? '',
    sid: 'sid' in over ? over.sid : session.id,
    iat: 'iat' in over ? over.iat : now(),
    ...(over.zip !== undefined && { zip: over.zip }),
  };
  const text = over.text ?? JSON.stringify('card' in over ? over.card : card);
  const key =
    over.key && 'type' in over.key ? over.key : await importJWK((over.key as JWK) ?? jwk, header.alg);
  return new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader(header).encrypt(key);
}

function pay(
  { client }: Stage,
  session: SessionBody,
  encryptedCard: string,
  over: object = {},
  idempotencyKey: string = randomUUID(),
) {
  const body = { ...cardRequest(), card: undefined, encryptedCard, ...over };
  return client.post('/v1/payments/card', body, { token: session.clientToken, idempotencyKey });
}

async function open(scene: Stage): Promise<{ session: SessionBody; jwk: JWK }> {
  const session = await scene.client.createSession();
  will(scene, CARD, session, answer(approved));
  return { session, jwk: await publicKey(scene) };
}

/** The same card, its number also under another spelling of the member's name. */
function twice(of: { number: string }, name = 'number'): string {
  return JSON.stringify(of).replace('{', `{"${name}":"4000000000000002",`);
}

const scenarios: Record<string, Scenario<Scene>> = {
  'the key is a public one, with a name': async (scene) => {
    const jwk = await publicKey(scene);
    expect(jwk).toEqual({
      kty: 'RSA',
      n: expect.any(String),
      e: 'AQAB',
      kid: expect.any(String),
      use: 'enc',
      alg: 'RSA-OAEP-256',
    });
    expect(
      createPublicKey({ key: jwk, format: 'jwk' }).asymmetricKeyDetails?.modulusLength,
    ).toBeGreaterThanOrEqual(2048);
  },

  'an encrypted card pays as a plain one does': async (scene) => {
    const { session, jwk } = await open(scene);
    const paid = expectStatus(await pay(scene, session, await seal(jwk, session)), 201);
    expect(paid.body).toMatchObject({ status: 'succeeded', card: { brand: 'verve', last4: '7499' } });
    expect(sent(scene, CARD, session)[0]?.json).toMatchObject({ cardNumber: card.number, cvv: card.cvv });
  },

  'encrypted anew, or in plain, it is the same body': async (scene) => {
    const { session, jwk } = await open(scene);
    const key = randomUUID();
    expectStatus(await pay(scene, session, await seal(jwk, session), {}, key), 201);
    const anew = expectStatus(await pay(scene, session, await seal(jwk, session), {}, key), 200);
    expect(anew.headers.get('idempotency-replayed')).toBe('true');
    const stale = await seal(jwk, session, { iat: now() - 3_600 });
    expectStatus(await pay(scene, session, stale, {}, key), 200);
    const plain = await scene.client.payCard(session, {}, { idempotencyKey: key });
    expectStatus(plain, 200);
    const another = await seal(jwk, session, { card: { ...card, number: '4111111111111111' } });
    expect(problemOf(expectStatus(await pay(scene, session, another, {}, key), 422)).code).toBe(
      'idempotency-key-reused',
    );
    expect(sent(scene, CARD, session)).toHaveLength(1);
  },

  'both a plain and an encrypted one, or none, are refused by their place': async (scene) => {
    const { session, jwk } = await open(scene);
    const sealed = await seal(jwk, session);
    const both = problemOf(expectStatus(await pay(scene, session, sealed, { card }), 400));
    expect(both.errors?.map(({ pointer }) => pointer)).toEqual(['/encryptedCard']);
    const none = await scene.client.payCard(session, { card: undefined });
    expect(problemOf(expectStatus(none, 400)).errors?.map(({ pointer }) => pointer)).toEqual(['/card']);
    expect(sent(scene, CARD, session)).toEqual([]);
  },

  'what is inside is validated like a plain card, at the same places': async (scene) => {
    const { session, jwk } = await open(scene);
    for (const [inside, pointers] of [
      [{ ...card, number: '5060990580000217490' }, ['/card/number']],
      [{ ...card, cvv: undefined }, ['/card/cvv']],
      [{ ...card, expiryYear: '2020' }, ['/card/expiryYear']],
      [{ ...card, colour: 'red' }, ['/card/colour']],
      [{ ...card, expiryMonth: 12 }, ['/card/expiryMonth']],
      [{}, ['/card/number', '/card/expiryMonth', '/card/expiryYear', '/card/cvv', '/card/nameOnCard']],
    ] as const) {
      const refused = await pay(scene, session, await seal(jwk, session, { card: inside }));
      const problem = problemOf(expectStatus(refused, 400));
      expect(problem.code).toBe('validation-failed');
      expect(new Set(problem.errors?.map(({ pointer }) => pointer))).toEqual(new Set(pointers));
      expect(refused.text.replace(problem.requestId, '')).not.toMatch(/5060|"red"/);
    }
    expect(sent(scene, CARD, session)).toEqual([]);
  },
};

const { publicKey: strange } = generateKeyPairSync('rsa', { modulusLength: 2048 });

for (const [name, over] of [
  ['encrypted for another session', { sid: 'cs_other' }],
  ['without a session', { sid: undefined }],
  ['16 minutes old', { iat: now() - 16 * 60 }],
  ['from the far future', { iat: now() + 3_600 }],
  ['without its time', { iat: undefined }],
  ['with a time as a text', { iat: String(now()) }],
  ['with another key under our key’s name', { key: strange }],
  ['with a key that nobody knows', { kid: 'unknown', key: strange }],
  ['by RSA-OAEP with SHA-1', { alg: 'RSA-OAEP' }],
  ['by a shorter content key', { enc: 'A128GCM' }],
  ['that is packed', { zip: 'DEF' }],
  ['that unpacks to far more than a body may have', { zip: 'DEF', text: ' '.repeat(1_000_000) }],
  ['that is no JSON', { text: '{' }],
  // What a clear card may not hold either.
  ['with a member twice', { text: twice(card) }],
  ['with a member twice, once escaped', { text: twice(card, '\\u006eumber') }],
  ['with a prototype', { text: JSON.stringify(card).replace('{', '{"__proto__":{},') }],
  ['with a constructor', { text: JSON.stringify({ ...card, constructor: {} }) }],
  ['with a control character', { text: JSON.stringify({ ...card, name: 'Ada\u0000Obi' }) }],
  ['with half a surrogate pair', { text: JSON.stringify({ ...card, name: 'Ada \ud800' }) }],
  ['behind a byte order mark', { text: `\ufeff${JSON.stringify(card)}` }],
  ['that is a text', { text: '"card"' }],
  ['that is null', { text: 'null' }],
] as [string, Sealing][]) {
  scenarios[`a card ${name} is refused, and the key stays unused`] = async (scene) => {
    const { session, jwk } = await open(scene);
    const idempotencyKey = randomUUID();
    const refused = await pay(scene, session, await seal(jwk, session, over), {}, idempotencyKey);
    const problem = problemOf(expectStatus(refused, 400));
    expect(problem.code).toBe('validation-failed');
    expect(['/encryptedCard', '/card']).toContain(problem.errors?.[0]?.pointer);
    expect(sent(scene, CARD, session)).toEqual([]);
    expectStatus(await pay(scene, session, await seal(jwk, session), {}, idempotencyKey), 201);
  };
}

scenarios['what is no JWE is refused'] = async (scene) => {
  const { session, jwk } = await open(scene);
  const sealed = await seal(jwk, session);
  const parts = sealed.split('.');
  // The first sign: the last ones may be this anyway, and some of their bits count for nothing.
  const ciphertext = parts[3] ?? '';
  const other = (ciphertext.startsWith('A') ? 'B' : 'A') + ciphertext.slice(1);
  const changed = [...parts.slice(0, 3), other, parts[4]].join('.');
  for (const text of ['', 'x', parts.slice(0, 4).join('.'), `${sealed}.x`, changed, 7, { a: 1 }]) {
    const problem = problemOf(expectStatus(await pay(scene, session, text as string), 400));
    expect(problem.errors?.[0]?.pointer).toBe('/encryptedCard');
  }
};

describe('encrypted cards', () => {
  sideBySide(() => startScene('embedded'), scenarios);
});

const pemOf = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();

describe('while keys are rotated', () => {
  const [old, young] = [pemOf(), pemOf()];
  sideBySide(() => startScene('embedded', { CARD_ENCRYPTION_KEY: `${young}\n${old}` }), {
    'the first is handed out, and cards of the older one are still taken': async (scene) => {
      const { session, jwk } = await open(scene);
      const before = await createTestStore('embedded');
      const former = await startTillfront({
        store: before,
        gatewayUrl: scene.gateway.url,
        env: { CARD_ENCRYPTION_KEY: old },
      });
      const stage = { gateway: scene.gateway, client: new TillfrontClient(former.url, former.merchantKey) };
      const formerKey = await publicKey(stage);
      await former.stop();
      await before.dispose();
      expect(formerKey.kid).not.toBe(jwk.kid);
      expectStatus(await pay(scene, session, await seal(formerKey, session)), 201);
      const second = await open(scene);
      expectStatus(await pay(scene, second.session, await seal(jwk, second.session)), 201);
    },
  });
});
