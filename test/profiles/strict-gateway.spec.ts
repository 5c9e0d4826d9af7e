import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cardAnswer } from '../harness/gateway-answers.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { problemOf, TillfrontClient, type PaymentBody } from '../harness/client.js';
import { createTestStore, anyStore, type TestStore } from '../harness/test-store.js';
import { startTillfront, runTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import {
  notificationQuery,
  profileFile,
  startStrictGateway,
  strictProfile,
  type StrictGateway,
} from './strict-gateway.js';

const SECRET = 'notification-secret-of-the-test';
const unpaid: Behaviour = { do: 'answer', body: cardAnswer({ status: 'PENDING' }) };

describe.each(anyStore)(
  'a gateway that wants a token, signatures and an order first, on the %s store',
  (kind) => {
    let strict: StrictGateway;
    let store: TestStore;
    let tillfront: Tillfront;
    let client: TillfrontClient;

    const start = async (): Promise<void> => {
      tillfront = await startTillfront({
        store,
        gatewayUrl: strict.gateway.url,
        env: {
          GATEWAY_PROFILE: profileFile(strictProfile),
          GATEWAY_TIMEOUT_MS: '2500',
          NOTIFICATION_SECRET: SECRET,
          CARD_TESTING_LIMIT: '2',
        },
      });
      client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
    };

    beforeAll(async () => {
      strict = await startStrictGateway();
      store = await createTestStore(kind);
      await start();
    });
    afterAll(async () => {
      await tillfront.stop();
      await strict.gateway.close();
      await store.dispose();
    });
    beforeEach(() => {
      strict.gateway.forget();
      strict.orders();
      strict.payments();
      strict.states(unpaid);
    });

    const sent = (route: string) =>
      strict.gateway.requests.filter(({ method, path }) => `${method} ${path}`.startsWith(route));

    test('is paid by many at once with one token, each by its own order', async () => {
      const answers = await Promise.all(
        Array.from({ length: 4 }, async () => client.payCard(await client.createSession())),
      );
      expect(answers.map(({ body }) => body.status)).toEqual(Array(4).fill('succeeded'));
      expect(strict.tokens()).toBe(1);
      expect(strict.refused).toEqual([]);
      const [order] = sent('POST /orders');
      expect(order?.text).toMatch(
        /^\{"contacts":\[\{"phone":"\+2348012345678"\}\],"currency":"NGN","customer":\{"name":"Ada Obi"\},"notifyUrl":"[^"]+\/v1\/gateway\/notifications","order":\{"amount":1500\.00,"reference":"ORDER-[^"]+-1"\}\}$/,
      );
      const payments = sent('POST /orders/');
      expect(new Set(payments.map(({ path }) => path)).size).toBe(4);
      expect(payments[0]?.text).toContain('"amount":1500.00');
      expect(answers[0]?.body.gatewayReference).toMatch(/-1$/);
      expect(answers[0]?.body).not.toHaveProperty('kept');
    });

    test('gets a call once more with a new token where it ended the old one unread', async () => {
      strict.revoke();
      const before = strict.tokens();
      const { body } = await client.payCard(await client.createSession());
      expect(body.status).toBe('succeeded');
      expect(strict.tokens()).toBe(before + 1);
      expect(sent('POST /orders/')).toHaveLength(1);
      expect(sent('POST /orders')).toHaveLength(3);
    });

    test('is asked again about an order whose payment nobody answered, even after a crash', async () => {
      strict.payments({ do: 'reset-after-reading' });
      const session = await client.createSession();
      const { body: payment, status } = await client.payCard(session);
      expect({ status, payment: payment.status }).toEqual({ status: 202, payment: 'processing' });
      const [, orderId] = /\/orders\/(.*)\/pay/.exec(sent('POST /orders/')[0]?.path ?? '') ?? [];
      await tillfront.kill();
      strict.gateway.forget();
      strict.states({ do: 'answer', body: cardAnswer({ status: 'SUCCESS', amount: '1500.00' }) });
      await start();
      await client.waitForStatus(payment.id, 'succeeded', 20_000);
      const query = sent('GET /states').find(({ path }) => path.includes(payment.gatewayReference));
      const asked = new URLSearchParams(query?.path.split('?')[1]);
      expect(Object.fromEntries(asked)).toEqual({
        reference: payment.gatewayReference,
        orderId,
        mail: 'ada@example.com',
      });
    });

    test.each<[string, Behaviour]>([
      ['a reset', { do: 'reset-after-reading' }],
      ['silence', { do: 'silent' }],
      ['half an answer', { do: 'cut', body: { order: { id: 'x' } } }],
      ['a 500', { do: 'answer', status: 500, body: {} }],
      ['a 403', { do: 'answer', status: 403, body: {} }],
      ['a 429', { do: 'answer', status: 429, body: {} }],
    ])('%s before the call: the payment was not made, and may be tried again', async (_name, behaviour) => {
      strict.orders(behaviour);
      const answer = await client.payCard(await client.createSession());
      expect(problemOf(answer)).toMatchObject({ status: 503, code: 'gateway-unavailable' });
      const { paymentId = '' } = problemOf(answer) as { paymentId?: string };
      expect(await client.getPayment(paymentId)).toMatchObject({
        status: 'failed',
        failure: { code: 'gateway_unavailable', retryable: true },
      });
      expect(sent('POST /orders/')).toEqual([]);
    });

    test.each<[string, Behaviour]>([
      ['a 400', { do: 'answer', status: 400, body: { message: 'no such currency' } }],
      ['a 404', { do: 'answer', status: 404, body: {} }],
      ['an answer without the order', { do: 'answer', body: { order: {} } }],
      ['an answer that says error', { do: 'answer', body: { error: true, order: { id: 'x' } } }],
      ['an order of 513 bytes', { do: 'answer', body: { order: { id: 'x'.repeat(513) } } }],
      ['a redirect', { do: 'redirect', status: 302, location: '/elsewhere' }],
    ])('%s before the call: rejected, and no card is blamed for it', async (_name, behaviour) => {
      strict.orders(behaviour);
      const { body, status } = await client.payCard(await client.createSession());
      expect({ status, body }).toMatchObject({
        status: 201,
        body: { status: 'failed', failure: { code: 'gateway_rejected' } },
      });
      expect(sent('POST /orders/')).toEqual([]);
    });

    test('an order that repeats the card is kept nowhere, and the payment is not made', async () => {
      strict.orders({ do: 'answer', body: { order: { id: 'x-5060990580000217499' } } });
      const answer = await client.payCard(await client.createSession());
      expect(answer.status).toBe(503);
      expect(sent('POST /orders/')).toEqual([]);
    });

    test('a redirect is made of its parts', async () => {
      const body = { ...cardAnswer({ status: 'REDIRECT_REQUIRED' }) } as { data: Record<string, unknown> };
      body.data['session'] = { id: 'a/b?c', md: 'MD1' };
      strict.payments({ do: 'answer', body });
      const { body: payment } = await client.payCard(await client.createSession());
      expect(payment.nextAction).toEqual({
        type: 'redirect',
        url: 'https://bank.example/challenge/a%2Fb%3Fc',
        method: 'POST',
        fields: { MD: 'MD1', TermUrl: expect.stringContaining(`/v1/payments/${payment.id}/return/`) },
      });
    });

    test('a challenge that nobody can put to a payer is said to be one, and can be canceled', async () => {
      strict.payments({
        do: 'answer',
        body: cardAnswer({ status: 'SELFIE' }, { message: 'Show your face' }),
      });
      const { body: payment } = await client.payCard(await client.createSession());
      expect(payment).toMatchObject({
        status: 'requires_action',
        nextAction: { type: 'unsupported', message: 'Show your face' },
      });
      strict.states({ do: 'answer', status: 404, body: { error: true, data: { errorCode: 'NOT_FOUND' } } });
      const canceled = await client.post<PaymentBody>(`/v1/payments/${payment.id}/cancel`);
      expect(canceled).toMatchObject({ status: 200, body: { status: 'canceled' } });
    });

    test('a 404 whose word is listed counts where a payment is asked about', async () => {
      strict.payments({ do: 'reset-after-reading' });
      const { body: payment } = await client.payCard(await client.createSession());
      strict.states({ do: 'answer', status: 404, body: cardAnswer({ status: 'EXPIRED' }) });
      const refreshed = await client.post<PaymentBody>(`/v1/payments/${payment.id}/refresh`);
      expect(refreshed.body.status).toBe('expired');
    });

    test('what it lacks is not asked of it', async () => {
      const { body: payment } = await client.payCard(await client.createSession());
      const answer = await client.post(`/v1/payments/${payment.id}/void`);
      expect(problemOf(answer)).toMatchObject({ status: 409, code: 'not-supported' });
    });

    test('a reference that would become too long is refused when its session is made', async () => {
      const answer = await client.post('/v1/checkout-sessions', {
        ...{ reference: 'R'.repeat(39), amount: '1500.00', currency: 'NGN' },
      });
      expect(problemOf(answer)).toMatchObject({
        status: 400,
        code: 'validation-failed',
        errors: [{ pointer: '/reference', message: 'must have at most 38 characters for this gateway' }],
      });
    });

    test('its notifications come by GET, signed in the query, and get the answer that it wants', async () => {
      const { body: payment } = await client.payCard(await client.createSession());
      expect(payment.status).toBe('succeeded');
      const ref = payment.gatewayReference;
      const address = `${tillfront.url}/v1/gateway/notifications`;
      const forged = await fetch(`${address}?${notificationQuery(ref, 'paid', 'another secret')}`);
      expect(forged.status).toBe(401);
      const taken = await fetch(`${address}?${notificationQuery(ref, 'paid', SECRET)}`);
      expect({ status: taken.status, body: (await taken.json()) as unknown }).toEqual({
        status: 202,
        body: { seen: ref },
      });
      // Nothing but a notification makes the gateway be asked about what is paid, with what that brought.
      await until(() =>
        sent('GET /states').some(({ path }) => path.includes(ref) && path.includes('notifiedAs=paid')),
      );
      expect(JSON.stringify(await client.getPayment(payment.id))).not.toContain('notifiedAs');
    });

    test('none of its secrets is in the log or in the store’s answers', () => {
      const logs = tillfront.logs();
      for (const secret of [testKeys.apiKey, testKeys.accessToken, 'tok-', SECRET, '5060990580000217499']) {
        expect(logs).not.toContain(secret);
      }
    });
  },
);

test('a method that needs what the gateway lacks cannot be offered', async () => {
  const profile = { operations: { initiateWallet: null, void: null } };
  const { code, output } = await runTillfront({
    ...{ GATEWAY_BASE_URL: 'http://127.0.0.1:9', GATEWAY_API_KEY: 'k', GATEWAY_ACCESS_TOKEN: 't' },
    ...{ GATEWAY_PROFILE: profileFile(profile), PAYMENT_METHODS: 'card,wallet', DUPLICATE_POLICY: 'void' },
  });
  expect(code).toBe(1);
  expect(output).toContain('PAYMENT_METHODS has wallet, which needs the operation initiateWallet');
  expect(output).toContain(
    'DUPLICATE_POLICY is void, and the gateway profile says that the gateway has no void',
  );
});
