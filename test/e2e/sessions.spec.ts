import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  expectStatus,
  newReference,
  payer,
  problemOf,
  sessionRequest,
  type SessionBody,
} from '../harness/client.js';
import { answer, approved, declined, otpRequired } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';

describe.each(anyStore)('checkout sessions on the %s store', (store) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene(store);
  });
  afterAll(() => scene.stop());

  test.each([
    [{ note: 'card 5060990580000217499' }],
    [{ note: 'ok', card: '4111 1111 1111 1111 123' }],
    [{ '4111-1111-1111-1111': 'x' }],
    [{ url: 'https://shop.example/?c=4111111111111111&x=1' }],
  ])('metadata with a card number is refused, and nothing of it repeated: %j', async (metadata) => {
    const refused = await scene.client.post('/v1/checkout-sessions', sessionRequest({ metadata }));
    const problem = problemOf(expectStatus(refused, 400));
    expect(problem).toMatchObject({
      code: 'validation-failed',
      errors: [{ pointer: '/metadata', message: expect.stringMatching(/card number/) }],
    });
    // The request's id is random, and may have four such digits in a row.
    const said = refused.text.replaceAll(problem.requestId, '');
    for (const part of ['4111', '50609905']) expect(said).not.toContain(part);
    expect(scene.tillfront.logs()).not.toContain('50609905');
  });

  test('metadata may have long numbers that are no cards', async () => {
    const metadata = {
      at: '1924387200123',
      ean: '4006381333931',
      trace: '4bf92f3577b34da6a3ce929d0e0e4736',
      order: '20310131100405',
      almost: '4111111111111112',
    };
    const body = sessionRequest({ metadata });
    const made = expectStatus(await scene.client.post<SessionBody>('/v1/checkout-sessions', body), 201);
    expect(made.body).toMatchObject({ metadata });
  });

  test('null is not "all methods"', async () => {
    const refused = await scene.client.post('/v1/checkout-sessions', sessionRequest({ methods: null }));
    expect(problemOf(expectStatus(refused, 400))).toMatchObject({ errors: [{ pointer: '/methods' }] });
  });

  test('a session says what is owed', async () => {
    const before = Date.now();
    const body = sessionRequest({ metadata: { cart: '42' }, methods: ['card', 'wallet'] });
    const created = expectStatus(await scene.client.post<SessionBody>('/v1/checkout-sessions', body), 201);
    expect(created.body).toMatchObject({
      id: expect.stringMatching(/^cs_[A-Za-z0-9]+/) as unknown,
      livemode: false,
      status: 'open',
      clientToken: expect.stringMatching(new RegExp(`^cst_${created.body.id}\\.`)) as unknown,
      reference: body['reference'],
      amount: '1500.00',
      currency: 'NGN',
      payer,
      returnUrl: 'https://shop.example/thanks',
      methods: ['card', 'wallet'],
      metadata: { cart: '42' },
      payments: [],
    });
    const lifetime = Date.parse(created.body.expiresAt) - before;
    expect(lifetime).toBeGreaterThan(1790_000);
    expect(lifetime).toBeLessThan(1810_000);
    const checkout = new URL(created.body.checkoutUrl);
    expect(checkout.origin).toBe(scene.tillfront.url);
    expect(checkout.hash).toBe(`#${created.body.clientToken}`);
    expect(checkout.search).toBe('');
  });

  test('only reference, amount and currency are needed', async () => {
    const session = await scene.client.post<SessionBody>('/v1/checkout-sessions', {
      reference: newReference(),
      amount: '5',
      currency: 'NGN',
    });
    expect(expectStatus(session, 201).body).toMatchObject({
      amount: '5.00',
      methods: ['card', 'wallet', 'transfer', 'ussd'],
      metadata: {},
    });
  });

  test('is read by the merchant, by id and by reference, and never gives its token again', async () => {
    const session = await scene.client.createSession();
    const read = expectStatus(
      await scene.client.get<SessionBody>(`/v1/checkout-sessions/${session.id}`),
      200,
    );
    expect(read.body).toMatchObject({ id: session.id, reference: session.reference, status: 'open' });
    expect(read.text).not.toContain(session.clientToken);
    const listed = await scene.client.get<{ data: SessionBody[] }>(
      `/v1/checkout-sessions?reference=${session.reference}`,
      { token: scene.tillfront.merchantReadKey },
    );
    expect(expectStatus(listed, 200).body.data.map((one) => one.id)).toEqual([session.id]);
    expect(listed.text).not.toContain(session.clientToken);
  });

  test('is read by its browser, which reaches no other', async () => {
    const [mine, other] = [await scene.client.createSession(), await scene.client.createSession()];
    scene.gateway.script('POST /payment/card', answer(otpRequired));
    const { body: payment } = await scene.client.payCard(mine);
    const seen = await scene.client.get<SessionBody>('/v1/checkout-session', { token: mine.clientToken });
    expect(expectStatus(seen, 200).body).toMatchObject({ id: mine.id, amount: '1500.00' });
    expect(seen.body.payments).toMatchObject([{ id: payment.id, status: 'requires_action' }]);
    expectStatus(await scene.client.get(`/v1/payments/${payment.id}`, { token: mine.clientToken }), 200);
    const stolen = await scene.client.get(`/v1/payments/${payment.id}`, { token: other.clientToken });
    expect(problemOf(expectStatus(stolen, 404)).code).toBe('not-found');
  });

  test('a key that may only read starts nothing', async () => {
    const refused = await scene.client.post('/v1/checkout-sessions', sessionRequest(), {
      token: scene.tillfront.merchantReadKey,
    });
    expect(problemOf(expectStatus(refused, 403)).code).toBe('forbidden');
  });

  test.each([
    ['no credential', '', 401, 'unauthorized'],
    ['a wrong merchant key', 'wrong', 401, 'unauthorized'],
    [
      'a forged client token',
      'cst_cs_00000000000000000000.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      401,
      'unauthorized',
    ],
  ])('%s gets nowhere', async (_name, token, status, code) => {
    for (const [method, path] of [
      ['POST', '/v1/checkout-sessions'],
      ['POST', '/v1/payments/card'],
      ['GET', '/v1/payments?reference=x'],
      ['GET', '/v1/checkout-session'],
    ] as const) {
      const refused = await scene.client.call(method, path, method === 'POST' ? {} : undefined, { token });
      expect(problemOf(expectStatus(refused, status)).code).toBe(code);
    }
  });

  test('a token of the wrong kind is told so', async () => {
    const session = await scene.client.createSession();
    const asMerchant = await scene.client.post('/v1/checkout-sessions', sessionRequest(), {
      token: session.clientToken,
    });
    expect(problemOf(expectStatus(asMerchant, 403)).code).toBe('forbidden');
    const asBrowser = await scene.client.payCard({ clientToken: scene.tillfront.merchantKey });
    expect(problemOf(expectStatus(asBrowser, 403)).code).toBe('forbidden');
  });

  test('a token whose last character is changed is not a token', async () => {
    const { clientToken } = await scene.client.createSession();
    // not the very last character, whose low bits base64url may ignore
    const at = clientToken.length - 3;
    const forged =
      clientToken.slice(0, at) + (clientToken[at] === 'A' ? 'B' : 'A') + clientToken.slice(at + 1);
    expectStatus(await scene.client.get('/v1/checkout-session', { token: forged }), 401);
  });

  test('a reference has one open session', async () => {
    const session = await scene.client.createSession();
    const second = await scene.client.post(
      '/v1/checkout-sessions',
      sessionRequest({ reference: session.reference }),
    );
    expect(problemOf(expectStatus(second, 409)).code).toBe('reference-in-use');
  });

  test('a closed session takes no payment, and its reference may be used again', async () => {
    const session = await scene.client.createSession();
    const closed = await scene.client.post<SessionBody>(`/v1/checkout-sessions/${session.id}/close`);
    expect(expectStatus(closed, 200).body.status).toBe('closed');
    expect(problemOf(expectStatus(await scene.client.payCard(session), 409)).code).toBe('session-closed');
    const again = await scene.client.post(`/v1/checkout-sessions/${session.id}/close`);
    expect(expectStatus(again, 200).body).toMatchObject({ status: 'closed', closedReason: 'merchant' });

    scene.gateway.script('POST /payment/card', answer(declined));
    const next = await scene.client.createSession({ reference: session.reference });
    const first = await scene.client.payCard(next);
    const second = await scene.client.payCard(next);
    expect([first.body.gatewayReference, second.body.gatewayReference]).toEqual([
      `${session.reference}_1`,
      `${session.reference}_2`,
    ]);
  });

  test('a session with a live payment stays open', async () => {
    scene.gateway.script('POST /payment/card', answer(otpRequired));
    const session = await scene.client.createSession();
    const { body: payment } = await scene.client.payCard(session);
    const refused = problemOf(
      expectStatus(await scene.client.post(`/v1/checkout-sessions/${session.id}/close`), 409),
    );
    expect(refused).toMatchObject({ code: 'payment-in-progress', paymentId: payment.id });
  });

  test('a paid session is paid once', async () => {
    scene.gateway.script('POST /payment/card', answer(approved));
    const session = await scene.client.createSession();
    const { body: payment } = await scene.client.payCard(session);
    const second = problemOf(expectStatus(await scene.client.payCard(session), 409));
    expect(second).toMatchObject({ code: 'session-paid', paymentId: payment.id });
    const other = await scene.client.post(
      '/v1/checkout-sessions',
      sessionRequest({ reference: session.reference }),
    );
    expect(problemOf(expectStatus(other, 409)).code).toBe('reference-in-use');
  });

  test('too many declines close it', async () => {
    scene.gateway.script('POST /payment/card', answer(declined));
    const session = await scene.client.createSession();
    for (let tries = 0; tries < 5; tries++) expectStatus(await scene.client.payCard(session), 201);
    expect(problemOf(expectStatus(await scene.client.payCard(session), 409)).code).toBe('session-closed');
    expect(await scene.client.paymentsOf(session.reference)).toHaveLength(5);
  });

  test('a method that the session does not offer is refused', async () => {
    const session = await scene.client.createSession({ methods: ['wallet'] });
    const refused = await scene.client.payCard(session);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(410);
    problemOf(refused);
    expect(await scene.client.paymentsOf(session.reference)).toEqual([]);
  });

  test('payments are listed page by page, each once', async () => {
    scene.gateway.script('POST /payment/card', answer(declined));
    const session = await scene.client.createSession();
    for (let tries = 0; tries < 4; tries++) await scene.client.payCard(session);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const query = `reference=${session.reference}&status=failed&limit=3${cursor ? `&cursor=${cursor}` : ''}`;
      const page = await scene.client.get<{ data: { id: string }[]; nextCursor: string | null }>(
        `/v1/payments?${query}`,
      );
      seen.push(...expectStatus(page, 200).body.data.map((payment) => payment.id));
      cursor = page.body.nextCursor;
    } while (cursor);
    expect(new Set(seen).size).toBe(4);
    expect(seen).toHaveLength(4);
  });

  test.each([
    '/v1/payments?limit=0',
    '/v1/payments?limit=101',
    '/v1/payments?status=lost',
    '/v1/payments?cursor=%00',
    ...['payments', 'movements', 'settlements', 'differences', 'audit', 'approvals'].map(
      (list) => `/v1/${list}?cursor=other`,
    ),
  ])('GET %s says what is wrong with it', async (path) => {
    expect(problemOf(expectStatus(await scene.client.get(path), 400)).code).toBe('validation-failed');
  });

  test('what does not exist is not found', async () => {
    for (const path of [
      '/v1/payments/pay_nothing',
      `/v1/checkout-sessions/cs_${randomUUID()}`,
      '/v1/nothing',
    ]) {
      expect(problemOf(expectStatus(await scene.client.get(path), 404)).code).toBe('not-found');
    }
    const wrongMethod = await fetch(`${scene.tillfront.url}/v1/payments/card`, { method: 'DELETE' });
    expect(wrongMethod.status).toBe(405);
  });
});
