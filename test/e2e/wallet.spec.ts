import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expectStatus, payer, problemOf } from '../harness/client.js';
import { answer, cardAnswer, cashierUrl, usualMoney, walletStarted } from '../harness/gateway-answers.js';
import type { Behaviour, Responder } from '../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';

const route = 'POST /init-partner';

const unknown: [string, Behaviour | Responder][] = [
  ['a reset after it has read', { do: 'reset-after-reading' }],
  ['HTTP 500', answer({}, 500)],
  ['HTML', { do: 'text', text: '<html></html>' }],
  ['a code that is not all zeros', walletCode('00001')],
  ['a status other than success', walletStarted({}, { status: 'pending' })],
  ['no order', answer({ status: 'success', message: 'ok', data: {} })],
];

function walletCode(code: string): Responder {
  return async (request) => {
    const good = await walletStarted()(request);
    const body = structuredClone((good as { body: { data: { code: string } } }).body);
    body.data.code = code;
    return answer(body);
  };
}

describe.each(anyStore)('paying by partner wallet on the %s store', (store) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene(store);
  });
  afterAll(() => scene.stop());
  beforeEach(() => {
    scene.gateway.forget();
    scene.gateway.script(route, walletStarted());
  });

  test('sends the payer to the cashier', async () => {
    const session = await scene.client.createSession();
    const payment = expectStatus(await scene.client.payWallet(session), 201).body;
    expect(payment).toMatchObject({
      method: 'wallet',
      status: 'requires_action',
      gatewayReference: `${session.reference}_1`,
      nextAction: { type: 'redirect', url: cashierUrl, method: 'GET' },
      card: null,
      failure: null,
    });
  });

  test('asks with the wallet’s own fields and without credentials', async () => {
    const session = await scene.client.createSession();
    await scene.client.payWallet(session, { payer: { email: 'someone@else.example' } });
    const [request] = scene.gateway.requestsTo(route);
    expect(request?.json).toEqual({
      client_ref: `${session.reference}_1`,
      txnType: 'PARTNER_PAY',
      payerEmail: 'someone@else.example',
      amount: '1500.00',
      currency: 'NGN',
    });
    expect(request?.headers['x-api-key']).toBeUndefined();
    expect(request?.headers['access-token']).toBeUndefined();
    expect(request?.headers['authorization']).toBeUndefined();
  });

  test('takes the payer’s e-mail from the session, and asks for it where there is none', async () => {
    const session = await scene.client.createSession();
    expectStatus(await scene.client.payWallet(session), 201);
    expect(scene.gateway.requestsTo(route)[0]?.json).toMatchObject({ payerEmail: payer.email });
    const anonymous = await scene.client.createSession({ payer: undefined });
    const problem = problemOf(expectStatus(await scene.client.payWallet(anonymous), 400));
    expect(problem).toMatchObject({ code: 'validation-failed', errors: [{ pointer: '/payer/email' }] });
  });

  test.each([
    ['reference', { reference: 'ORDER-OTHER_1' }],
    ['amount', { amount: { total: 150001, currency: 'NGN' } }],
    ['currency', { amount: { total: 150000, currency: 'USD' } }],
  ])('hands out no address when the answer has another %s', async (_name, order) => {
    scene.gateway.script(route, walletStarted(order));
    const session = await scene.client.createSession();
    const answered = expectStatus(await scene.client.payWallet(session), 202);
    expect(answered.text).not.toContain(cashierUrl);
    expect(answered.body).toMatchObject({ status: 'processing', nextAction: null, needsAttention: true });
  });

  test.each([
    'http://cashier.example/pay',
    'javascript:alert(1)',
    'data:text/html,hi',
    '//cashier.example',
    '',
  ])('hands out no address like %j', async (url) => {
    scene.gateway.script(route, walletStarted({ cashierUrl: url }));
    const answered = await scene.client.payWallet(await scene.client.createSession());
    expectStatus(answered, 202);
    expect(answered.body).toMatchObject({ status: 'processing', nextAction: null });
  });

  test('a start can never be a payment', async () => {
    scene.gateway.script(route, walletStarted({ status: 'SUCCESS' }));
    const answered = expectStatus(await scene.client.payWallet(await scene.client.createSession()), 201, 202);
    expect(answered.body.status).not.toBe('succeeded');
    expect(answered.body.amountCaptured).toBeNull();
  });

  test.each(unknown)('outcome unknown: %s', async (_name, behaviour) => {
    scene.gateway.script(route, behaviour);
    const answered = expectStatus(await scene.client.payWallet(await scene.client.createSession()), 202);
    expect(answered.body).toMatchObject({ status: 'processing', nextAction: null, failure: null });
    expect(scene.gateway.requestsTo(route)).toHaveLength(1);
  });

  test('a refusal with error true is a decline', async () => {
    scene.gateway.script(
      route,
      answer({ error: true, status: 'failed', message: 'No such wallet', data: {} }),
    );
    const answered = expectStatus(await scene.client.payWallet(await scene.client.createSession()), 201);
    expect(answered.body).toMatchObject({ status: 'failed', failure: { code: 'declined' } });
  });

  test('the payer’s return asks the gateway, and then goes to the shop', async () => {
    const session = await scene.client.createSession();
    const { body: payment } = await scene.client.payWallet(session);
    scene.gateway.script(
      `GET /transaction/${payment.gatewayReference}`,
      answer(cardAnswer({ status: 'SUCCESS', ...usualMoney })),
    );
    const wrong = await scene.client.get(`/v1/payments/${payment.id}/return/not-the-token`);
    expect(wrong.status).toBe(404);
    expect(scene.gateway.requestsTo(`GET /transaction/${payment.gatewayReference}`)).toEqual([]);
    await scene.client.call('POST', `/v1/payments/${payment.id}/refresh`, {});
    expect((await scene.client.getPayment(payment.id)).status).toBe('succeeded');
  });
});
