import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { CompactEncrypt, importJWK, type CryptoKey, type JWK, type KeyObject } from 'jose';
import {
  card,
  cardRequest,
  expectStatus,
  problemOf,
  type PaymentBody,
  type SessionBody,
} from '../harness/client.js';
import { cardAnswer } from '../harness/gateway-answers.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { profileFile } from '../profiles/strict-gateway.js';

/** Card PINs that the browser has encrypted for one session. */

const PIN = '4917';
const PIN_CALL = 'POST /payment/validate-pin';
const operations = { validatePin: { method: 'POST', path: '/payment/validate-pin', credentials: true } };
const profile = { operations, outcome: { meanings: { pin: ['PIN_REQUIRED'] } } };
const says = (status: string): Behaviour => ({
  do: 'answer',
  body: cardAnswer({ status, amount: '1500.00' }),
});
const now = () => Math.floor(Date.now() / 1000);

interface Sealing {
  sid?: unknown;
  iat?: unknown;
  kid?: string;
  alg?: string;
  enc?: string;
  key?: KeyObject;
  text?: string;
}

class Browser {
  private constructor(
    readonly scene: Scene,
    readonly session: SessionBody,
    private readonly jwk: JWK,
  ) {}

  static async open(scene: Scene): Promise<Browser> {
    const session = await scene.client.createSession();
    const { body } = await scene.client.get<JWK>('/v1/card-encryption-key', { token: 'none' });
    return new Browser(scene, session, body);
  }

  async seal(content: unknown, over: Sealing = {}): Promise<string> {
    const header = {
      alg: over.alg ?? 'RSA-OAEP-256',
      enc: over.enc ?? 'A256GCM',
      kid: over.kid ?? this.jwk.kid ?? '',
      sid: 'sid' in over ? over.sid : this.session.id,
      iat: 'iat' in over ? over.iat : now(),
    };
    const key: CryptoKey | KeyObject | Uint8Array = over.key ?? (await importJWK(this.jwk, header.alg));
    const text = over.text ?? JSON.stringify(content);
    return new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader(header).encrypt(key);
  }

  /** Pays by an encrypted card, and the gateway asks for its PIN. */
  async challenged(): Promise<PaymentBody> {
    this.scene.gateway.script('POST /payment/card', says('PIN_REQUIRED'));
    const content = { ...cardRequest(), card: undefined, encryptedCard: await this.seal(card) };
    const paid = await this.scene.client.post<PaymentBody>('/v1/payments/card', content, {
      token: this.session.clientToken,
    });
    const { body } = expectStatus(paid, 201);
    expect(body.nextAction?.type).toBe('pin');
    return body;
  }

  submit(payment: PaymentBody, encryptedPin: string, idempotencyKey: string = randomUUID()) {
    return this.scene.client.submitEncryptedPin(this.session, payment.id, encryptedPin, { idempotencyKey });
  }
}

const { publicKey: strange } = generateKeyPairSync('rsa', { modulusLength: 2048 });

describe.each(anyStore)('an encrypted PIN on the %s store', (kind) => {
  let scene: Scene;
  let browser: Browser;

  beforeAll(async () => {
    scene = await startScene(kind, { GATEWAY_PROFILE: profileFile(profile) });
  });
  afterAll(() => scene.stop());
  beforeEach(async () => {
    scene.gateway.forget();
    scene.gateway.script('GET /transaction/*', says('PIN_REQUIRED'));
    browser = await Browser.open(scene);
  });

  test('reaches the gateway as a clear one does, and stands nowhere else', async () => {
    const payment = await browser.challenged();
    scene.gateway.script(PIN_CALL, says('SUCCESS'));
    const paid = await browser.submit(payment, await browser.seal({ pin: PIN }));
    expect(expectStatus(paid, 200).body.status).toBe('succeeded');
    expect(scene.gateway.requestsTo(PIN_CALL).map(({ json }) => json)).toEqual([
      { client_ref: payment.gatewayReference, transactionRef: expect.any(String), pin: PIN },
    ]);
    expect(JSON.stringify(await scene.client.getEvents(payment.id))).not.toContain(PIN);
    expect(scene.tillfront.logs()).not.toContain(`"${PIN}"`);
  });

  test('encrypted anew, long ago or in clear it is the same request', async () => {
    const payment = await browser.challenged();
    const key = randomUUID();
    scene.gateway.script(PIN_CALL, says('SUCCESS'));
    expectStatus(await browser.submit(payment, await browser.seal({ pin: PIN }), key), 200);
    const old = await browser.seal({ pin: PIN }, { iat: now() - 3_600 });
    for (const again of [
      await browser.submit(payment, await browser.seal({ pin: PIN }), key),
      await browser.submit(payment, old, key),
      await scene.client.submitPin(browser.session, payment.id, PIN, { idempotencyKey: key }),
    ]) {
      expect(expectStatus(again, 200).headers.get('idempotency-replayed')).toBe('true');
    }
    expect(scene.gateway.requestsTo(PIN_CALL)).toHaveLength(1);
  });

  test('beside a clear one, or without either, it is refused by its place', async () => {
    const payment = await browser.challenged();
    const encryptedPin = await browser.seal({ pin: PIN });
    for (const [body, pointer] of [
      [{ pin: PIN, encryptedPin }, '/encryptedPin'],
      [{}, '/pin'],
      [{ encryptedPin: 'x' }, '/encryptedPin'],
      [{ encryptedPin: 7 }, '/encryptedPin'],
    ] as const) {
      const refused = await scene.client.post(`/v1/payments/${payment.id}/pin`, body, {
        token: browser.session.clientToken,
      });
      expect(problemOf(expectStatus(refused, 400))).toMatchObject({
        code: 'validation-failed',
        errors: [{ pointer }],
      });
    }
    expect(scene.gateway.requestsTo(PIN_CALL)).toEqual([]);
  });

  test.each([
    [{ pin: '12' }, '/pin'],
    [{ pin: 1111 }, '/pin'],
    [{}, '/pin'],
    [{ pin: PIN, otp: PIN }, '/otp'],
    [PIN, '/encryptedPin'],
    [[PIN], '/encryptedPin'],
    [null, '/encryptedPin'],
    [card, '/number'],
  ])('what is inside is validated: %j', async (content, pointer) => {
    const payment = await browser.challenged();
    const refused = await browser.submit(payment, await browser.seal(content));
    const problem = problemOf(expectStatus(refused, 400));
    expect(problem.errors?.map((error) => error.pointer)).toContain(pointer);
    expect(refused.text.replaceAll(problem.requestId, '')).not.toMatch(/4917|5060990580000217499/);
    expect(scene.gateway.requestsTo(PIN_CALL)).toEqual([]);
  });

  test.each<[string, Sealing]>([
    ['for another session', { sid: 'cs_other' }],
    ['for no session', { sid: undefined }],
    ['16 minutes ago', { iat: now() - 16 * 60 }],
    ['in the far future', { iat: now() + 3_600 }],
    ['at no time', { iat: undefined }],
    ['with another key under our key’s name', { key: strange }],
    ['with a key that nobody knows', { kid: 'unknown', key: strange }],
    ['by RSA-OAEP with SHA-1', { alg: 'RSA-OAEP' }],
    ['by a shorter content key', { enc: 'A128GCM' }],
    ['as no JSON', { text: '{' }],
    ['twice in one object', { text: `{"pin":"1111","pin":"${PIN}"}` }],
  ])('encrypted %s it is refused, and the key stays unused', async (_, over) => {
    const payment = await browser.challenged();
    const key = randomUUID();
    const refused = await browser.submit(payment, await browser.seal({ pin: PIN }, over), key);
    expect(problemOf(expectStatus(refused, 400))).toMatchObject({
      code: 'validation-failed',
      errors: [{ pointer: '/encryptedPin' }],
    });
    expect(scene.gateway.requestsTo(PIN_CALL)).toEqual([]);
    scene.gateway.script(PIN_CALL, says('SUCCESS'));
    expectStatus(await browser.submit(payment, await browser.seal({ pin: PIN }), key), 200);
  });

  test('of another session opens no payment there', async () => {
    const payment = await browser.challenged();
    const other = await Browser.open(scene);
    const foreign = await other.submit(payment, await other.seal({ pin: PIN }));
    expect(problemOf(expectStatus(foreign, 404)).code).toBe('not-found');
    const carried = await browser.submit(payment, await other.seal({ pin: PIN }));
    expect(problemOf(expectStatus(carried, 400)).errors?.[0]?.pointer).toBe('/encryptedPin');
    expect(scene.gateway.requestsTo(PIN_CALL)).toEqual([]);
  });
});

describe('where cards must come encrypted', () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene('embedded', {
      GATEWAY_PROFILE: profileFile(profile),
      REQUIRE_ENCRYPTED_CARD: 'true',
    });
  });
  afterAll(() => scene.stop());

  test('a clear card and a clear PIN are refused, encrypted ones are taken', async () => {
    const browser = await Browser.open(scene);
    const clearCard = await scene.client.payCard(browser.session);
    expect(problemOf(expectStatus(clearCard, 400))).toMatchObject({
      code: 'validation-failed',
      errors: [{ pointer: '/card' }],
    });
    expect(clearCard.text).not.toContain(card.number);
    expect(scene.gateway.requests).toEqual([]);

    const payment = await browser.challenged();
    const clearPin = await scene.client.submitPin(browser.session, payment.id, PIN);
    expect(problemOf(expectStatus(clearPin, 400))).toMatchObject({
      code: 'validation-failed',
      errors: [{ pointer: '/pin' }],
    });
    expect(scene.gateway.requestsTo(PIN_CALL)).toEqual([]);
    scene.gateway.script(PIN_CALL, says('SUCCESS'));
    const paid = await browser.submit(payment, await browser.seal({ pin: PIN }));
    expect(expectStatus(paid, 200).body.status).toBe('succeeded');
  });
});
