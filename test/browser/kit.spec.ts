import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { sessionRequest, type PaymentBody, type SessionBody } from '../harness/client.js';
import { RIGHT_OTP, startCheckoutScene, type CheckoutScene, type WatchedPage } from './harness.js';

/** The kit as a shop uses it: from the shop's own origin, by the shop's own code. */

let shop: Server;
let shopOrigin: string;
let scene: CheckoutScene;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  shop = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title><h1>Shop</h1>');
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopOrigin = `http://localhost:${(shop.address() as AddressInfo).port}`;
  scene = await startCheckoutScene({ ALLOWED_ORIGINS: `${shopOrigin},https://shop.example` });
});
afterAll(async () => {
  await scene.stop();
  shop.closeAllConnections();
  await new Promise((resolve) => shop.close(resolve));
});
beforeEach(async () => {
  watched = await scene.newPage();
  page = watched.page;
  await page.goto(shopOrigin);
});

interface Call {
  baseUrl: string;
  clientToken: string;
  method: string;
  input: unknown[];
}

/** Calls one method of the kit in the page; what it throws comes back as its code and payment. */
function call<T>(session: SessionBody, method: string, ...input: unknown[]): Promise<T> {
  const request: Call = { baseUrl: scene.tillfront.url, clientToken: session.clientToken, method, input };
  return page.evaluate(async ({ baseUrl, clientToken, method, input }) => {
    const kit = (await import(`${baseUrl}/kit/tillfront.js`)) as {
      createTillfront: (options: object) => Record<string, (...input: unknown[]) => Promise<unknown>>;
    };
    const holder = globalThis as { client?: Record<string, (...input: unknown[]) => Promise<unknown>> };
    const client = (holder.client ??= kit.createTillfront({ baseUrl, clientToken }));
    // A shop may take it out of the object.
    const { [method]: taken } = client;
    try {
      return await taken?.(...input);
    } catch (error) {
      const { code, paymentId, errors, message } = error as Record<string, unknown>;
      return { code: code ?? message, paymentId, errors };
    }
  }, request) as Promise<T>;
}

const card = (number: string, more: object = {}): object => ({
  card: { number, expiryMonth: '12', expiryYear: '2030', cvv: '111', nameOnCard: 'Ada Obi', ...more },
});

describe('the kit', () => {
  test('describes the device in the gateway’s values', async () => {
    const data = await page.evaluate(async (baseUrl) => {
      const kit = (await import(`${baseUrl}/kit/tillfront.js`)) as { collectDeviceData: () => unknown };
      return kit.collectDeviceData();
    }, scene.tillfront.url);
    expect(data).toEqual({
      javaEnabled: false,
      language: 'en-US',
      screenHeight: expect.any(Number),
      screenWidth: expect.any(Number),
      colorDepth: 24,
      timeZone: expect.stringMatching(/^[A-Z][A-Za-z]+(\/|$)/),
      userAgent: expect.stringContaining('Mozilla'),
    });
  });

  test('reads the session, and learns of the payer only what need not be asked', async () => {
    const session = await scene.client.createSession(sessionRequest());
    const seen = await call<SessionBody>(session, 'session');
    expect(seen).toMatchObject({ id: session.id, amount: '1500.00', status: 'open', payments: [] });
    expect(JSON.stringify(seen)).not.toContain('ada@example.com');
  });

  test('pays by card, encrypted, and the gateway gets every digit', async () => {
    const session = await scene.client.createSession(sessionRequest());
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    const payment = await call<PaymentBody>(
      session,
      'payByCard',
      card('5060990580000217499', { pin: '1111' }),
    );
    expect(payment).toMatchObject({ status: 'succeeded', card: { brand: 'verve', last4: '7499' } });
    const body = (await sent).postDataJSON() as { encryptedCard: string; card?: unknown };
    expect(body.card).toBeUndefined();
    const [header = ''] = body.encryptedCard.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'RSA-OAEP-256',
      enc: 'A256GCM',
      kid: expect.any(String),
      sid: session.id,
      iat: expect.any(Number),
    });
    expect(await scene.charges(session.reference)).toBe(1);
    expect(watched.faults).toEqual([]);
  });

  test('a card of another session is refused', async () => {
    const [one, other] = await Promise.all([
      scene.client.createSession(sessionRequest()),
      scene.client.createSession(sessionRequest()),
    ]);
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await call(one, 'payByCard', card('4111111111111111'));
    const { encryptedCard, device } = (await sent).postDataJSON() as Record<string, unknown>;
    const answer = await scene.client.post<{ code: string }>(
      '/v1/payments/card',
      { encryptedCard, device },
      { token: other.clientToken },
    );
    expect(answer.status).toBe(400);
  });

  test('the same call twice at once is one payment', async () => {
    const session = await scene.client.createSession(sessionRequest());
    const ids = await page.evaluate(
      async ({ baseUrl, clientToken, request }) => {
        const kit = (await import(`${baseUrl}/kit/tillfront.js`)) as {
          createTillfront: (options: object) => { payByCard: (request: object) => Promise<{ id: string }> };
        };
        const client = kit.createTillfront({ baseUrl, clientToken });
        const both = await Promise.all([client.payByCard(request), client.payByCard(request)]);
        return both.map(({ id }) => id);
      },
      { baseUrl: scene.tillfront.url, clientToken: session.clientToken, request: card('4000000000002305') },
    );
    expect(ids[0]).toBe(ids[1]);
    expect(await scene.charges(session.reference)).toBeLessThanOrEqual(1);
    expect(await scene.client.paymentsOf(session.reference)).toHaveLength(1);
  });

  test('a one-time code, and what the answers say', async () => {
    const session = await scene.client.createSession(sessionRequest());
    const payment = await call<PaymentBody>(session, 'payByCard', card('4000000000000705'));
    expect(payment.nextAction?.type).toBe('otp');
    const again = await call<PaymentBody>(session, 'submitOtp', payment.id, '000000');
    expect(again.nextAction?.type).toBe('otp');
    const paid = await call<PaymentBody>(session, 'submitOtp', payment, RIGHT_OTP);
    expect(paid.status).toBe('succeeded');
  });

  test('waits until there is news', async () => {
    const session = await scene.client.createSession(sessionRequest());
    const payment = await call<PaymentBody>(session, 'payByCard', card('4000000000001109'));
    expect(payment.status).toBe('processing');
    expect((await call<PaymentBody>(session, 'waitFor', payment.id)).status).toBe('succeeded');
  });

  test('waits no longer than it is told', async () => {
    const session = await scene.client.createSession(sessionRequest());
    const payment = await call<PaymentBody>(session, 'payByTransfer');
    expect(payment.nextAction).toMatchObject({ type: 'transfer', amount: '1500.00' });
    const begun = Date.now();
    const waited = await call<PaymentBody>(session, 'waitFor', payment.id, { timeoutMs: 1_500 });
    expect(waited.status).toBe('requires_action');
    // Far less than the 25 s for which the service would hold the request.
    expect(Date.now() - begun).toBeLessThan(20_000);
    expect((await call<PaymentBody>(session, 'cancel', payment.id)).status).toBe('canceled');
  });

  test('USSD and wallet', async () => {
    const session = await scene.client.createSession(sessionRequest());
    const banks = await call<{ code: string }[]>(session, 'ussdBanks');
    const payment = await call<PaymentBody>(session, 'payByUssd', { bankCode: banks[0]?.code });
    expect(payment.nextAction).toMatchObject({ type: 'ussd', code: expect.stringMatching(/^\*.+#$/) });
    const second = await call<{ code: string; paymentId: string }>(session, 'payByWallet');
    expect(second).toMatchObject({ code: 'payment-in-progress', paymentId: payment.id });
    await call(session, 'cancel', payment);
    const wallet = await call<PaymentBody>(session, 'payByWallet');
    expect(wallet.nextAction).toMatchObject({ type: 'redirect', method: 'GET' });
  });

  test('says which fields were refused', async () => {
    const session = await scene.client.createSession(sessionRequest({ billing: undefined }));
    const refused = await call<{ code: string; errors: { pointer: string }[] }>(
      session,
      'payByCard',
      card('4111111111111112'),
    );
    expect(refused.code).toBe('validation-failed');
    expect(refused.errors.length).toBeGreaterThan(0);
  });

  test('an origin that is not allowed gets nothing', async () => {
    const session = await scene.client.createSession(sessionRequest());
    await page.goto(shopOrigin.replace('localhost', '127.0.0.1'));
    const begun = Date.now();
    const refused = await page.evaluate(
      async ({ baseUrl, clientToken }) =>
        fetch(`${baseUrl}/v1/checkout-session`, { headers: { authorization: `Bearer ${clientToken}` } }).then(
          () => 'answered',
          () => 'refused',
        ),
      { baseUrl: scene.tillfront.url, clientToken: session.clientToken },
    );
    expect(refused).toBe('refused');
    // At once, not when somebody has lost patience.
    expect(Date.now() - begun).toBeLessThan(20_000);
  });
});
