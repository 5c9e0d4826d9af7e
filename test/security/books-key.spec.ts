import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, newReference, payer, problemOf, type SessionBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { testKeys } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { paymentThatIs, type Situation } from '../truth/situations.js';

/** People who keep the books: what they see, and what they may do. */

const CAROL = 'key-of-carol-5e0b91d7c3a8f462';
const DAVE = 'key-of-dave-c83f60a2d91b574e';

describe.each(anyStore)('a key for the books, on the %s store', (store) => {
  let folder: string;
  let scene: Scene;
  let paid: Situation;
  const asCarol = { token: CAROL };
  const list = (text: string): Promise<void> => writeFile(join(folder, 'books'), `${text}\n`);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'books-key-'));
    await list(`carol=${CAROL}`);
    scene = await startScene(store, { MERCHANT_BOOKS_API_KEY_FILE: join(folder, 'books') });
    paid = await paymentThatIs(scene, 'succeeded');
  });
  afterAll(async () => {
    await scene?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const seen = async (path: string, token: string): Promise<string> =>
    expectStatus(await scene.client.get(path, { token }), 200).text;

  test('sees which details of a payer are known, and none of them', async () => {
    const { id, reference } = paid.session;
    for (const path of [`/v1/checkout-sessions/${id}`, `/v1/checkout-sessions?reference=${reference}`]) {
      const [shown, masked] = [await seen(path, testKeys.merchant), await seen(path, CAROL)];
      for (const value of Object.values(payer)) {
        expect(shown).toContain(value);
        expect(masked).not.toContain(value);
      }
    }
    const { body } = await scene.client.get<SessionBody>(`/v1/checkout-sessions/${id}`, asCarol);
    expect(body.payer).toEqual(Object.fromEntries(Object.keys(payer).map((name) => [name, '***'])));
    const unknown = await scene.client.createSession({ payer: undefined });
    const empty = await scene.client.get<SessionBody>(`/v1/checkout-sessions/${unknown.id}`, asCarol);
    expect(empty.body.payer).toBeNull();
  });

  test.each(['/v1/payments', '/v1/events', '/v1/approvals'])(
    'reads %s, in which nothing is known of a payer',
    async (path) => {
      const text = await seen(path, CAROL);
      for (const value of Object.values(payer)) expect(text).not.toContain(value);
      expect(text.replace(/"(?:at|requestId)":"[^"]*"/g, '').length).toBeGreaterThan(0);
    },
  );

  test('changes nothing else, and the audit has that it was tried', async () => {
    const { payment, session } = paid;
    const refused = [
      '/v1/checkout-sessions',
      `/v1/checkout-sessions/${session.id}/close`,
      `/v1/checkout-sessions/${session.id}/redact`,
      ...['cancel', 'complete', 'void', 'refunds', 'resolve', 'refresh'].map(
        (doing) => `/v1/payments/${payment.id}/${doing}`,
      ),
      '/v1/payments/card',
      '/v1/approvals/apr_mi7v0s2k3q2x7wRrUtQ1yZ0a/approve',
      '/v1/approvals/apr_mi7v0s2k3q2x7wRrUtQ1yZ0a/decline',
    ];
    for (const path of refused) {
      const answer = await scene.client.post(path, { reference: newReference() }, asCarol);
      expect([path, answer.status, problemOf(answer).code]).toEqual([path, 403, 'forbidden']);
    }
    const { body } = await scene.client.get<{ data: { actor: string; action: string; outcome: string }[] }>(
      '/v1/audit?limit=100',
    );
    const tried = body.data.filter(
      ({ actor, outcome }) => actor === 'merchant:carol' && outcome === 'forbidden',
    );
    expect(new Set(tried.map(({ action }) => action))).toEqual(
      new Set([
        ...['create', 'adopt', 'close', 'redact', 'cancel', 'complete', 'void', 'refund', 'resolve'],
        ...['refresh', 'approve', 'decline'],
      ]),
    );
  });

  test('signs in to the console, which is told what it may do', async () => {
    const { body, headers } = expectStatus(await scene.client.post('/v1/console/sign-ins', {}, asCarol), 200);
    expect(body).toEqual({ actor: 'merchant:carol', access: 'books', livemode: false, timeZone: 'UTC' });
    expect(headers.get('tillfront-access')).toBe('books');
  });

  test('is read again when its file changes', async () => {
    const reads = async (token: string): Promise<number> =>
      (await scene.client.get('/v1/payments', { token })).status;
    await list(`dave=${DAVE},carol=${CAROL}`);
    await until(async () => (await reads(DAVE)) === 200);
    expect(await reads(CAROL)).toBe(200);
  });
});
