import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  expectStatus,
  problemOf,
  type Answer,
  type PaymentBody,
  type SessionBody,
} from '../harness/client.js';
import { walletAnswer } from '../harness/gateway-answers.js';
import type { Behaviour, Responder } from '../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { answer, cardAnswer, cashier, usualMoney, will } from './situations.js';

/** The table of initiating calls for the methods beside cards: what the gateway says decides, and nothing else. */

const account = { accountNumber: '0123456789', accountName: 'Shop', bankName: 'Test Bank' };
const ussd = { ussdCode: '*737*1*2#', bankName: 'Test Bank' };

interface Method {
  name: 'wallet' | 'transfer' | 'ussd';
  route: string;
  pay: (scene: Scene, session: SessionBody) => Promise<Answer<PaymentBody>>;
  /** A good answer with this status and money. */
  good: (status: string, money?: object) => Behaviour | Responder;
  bare: (status: string) => Behaviour | Responder;
  nextAction: object;
}

const methods: Method[] = [
  {
    name: 'wallet',
    route: 'POST /init-partner',
    pay: (scene, session) => scene.client.payWallet(session),
    good: (status, money) => (request) => answer(walletAnswer(request, { status, ...walletMoney(money) })),
    bare: (status) => (request) => answer(walletAnswer(request, { status, cashierUrl: undefined })),
    nextAction: { type: 'redirect', url: cashier, method: 'GET' },
  },
  {
    name: 'transfer',
    route: 'POST /payment/transfer',
    pay: (scene, session) => scene.client.payTransfer(session),
    good: (status, money) => answer(cardAnswer({ status, ...account, ...money })),
    bare: (status) => answer(cardAnswer({ status, bankName: 'Test Bank' })),
    nextAction: { type: 'transfer', ...account, amount: '1500.00' },
  },
  {
    name: 'ussd',
    route: 'POST /ussd/code',
    pay: (scene, session) => scene.client.payUssd(session),
    good: (status, money) => answer(cardAnswer({ status, ...ussd, ...money })),
    bare: (status) => answer(cardAnswer({ status })),
    nextAction: { type: 'ussd', code: '*737*1*2#', bankName: 'Test Bank' },
  },
];

function walletMoney(money?: object): object {
  const { amount, currency } = { ...usualMoney, ...money };
  return { amount: { total: Number(amount) * 100, currency } };
}

const unknown: [string, Behaviour][] = [
  ['a reset', { do: 'reset-after-reading' }],
  ['a closed connection', { do: 'close-after-reading' }],
  ['silence', { do: 'silent' }],
  ['a cut body', { do: 'cut' }],
  ['no JSON', { do: 'text', text: 'ok' }],
  ['more than 1 MiB', { do: 'huge' }],
  ['HTTP 500', answer({}, 500)],
  ['HTTP 409', answer({}, 409)],
  ['a redirect', { do: 'redirect', status: 307, location: '/elsewhere' }],
  ['error as a text', answer(cardAnswer({ status: 'PENDING', ...account, ...ussd }, { error: 'false' }))],
  ['a code that is not decided', answer(cardAnswer({}, { error: true, errorCode: '91' }))],
  ['a transaction that is not known', answer(cardAnswer({}, { error: true, errorCode: 'NOT_FOUND' }))],
];

describe.each(anyStore)('on the %s store', (store) => {
  let scene: Scene;
  let session: SessionBody;

  beforeAll(async () => {
    scene = await startScene(store, { GATEWAY_TIMEOUT_MS: '2500' });
  });
  afterAll(() => scene.stop());
  beforeEach(async () => {
    scene.gateway.forget();
    session = await scene.client.createSession();
  });

  describe.each(methods)('paying by $name', ({ name, route, pay, good, bare, nextAction }) => {
    const start = (behaviour: Behaviour | Responder) => {
      will(scene, route, session, behaviour);
      return pay(scene, session);
    };

    test.each(['PENDING', 'INITIAL', 'SUCCESS', 'AUTHORIZED'])(
      'answered %s with its action: the payer must do it, and nothing is paid',
      async (status) => {
        const { body } = expectStatus(await start(good(status)), 201);
        expect(body).toMatchObject({
          method: name,
          status: 'requires_action',
          nextAction,
          amountCaptured: null,
        });
        expect(body.card).toBeNull();
      },
    );

    test('answered PENDING without its action: it is waited for', async () => {
      const { body } = expectStatus(await start(bare('PENDING')), 202);
      expect(body).toMatchObject({ status: 'processing', nextAction: null, pendingOperation: null });
    });

    test('answered SUCCESS without its action: unknown', async () => {
      const { body } = expectStatus(await start(bare('SUCCESS')), 202);
      expect(body).toMatchObject({
        status: 'processing',
        pendingOperation: { type: 'pay' },
        amountCaptured: null,
      });
    });

    test.each([
      ['amount', { amount: '1500.01' }],
      ['currency', { currency: 'USD' }],
    ])('with another %s nothing is handed out', async (_name, money) => {
      const answered = expectStatus(await start(good('PENDING', { ...usualMoney, ...money })), 202);
      expect(answered.body).toMatchObject({ status: 'processing', nextAction: null, needsAttention: true });
      for (const text of [cashier, account.accountNumber, ussd.ussdCode])
        expect(answered.text).not.toContain(text);
    });

    test.each(unknown)('%s: unknown', async (_name, behaviour) => {
      const { body } = expectStatus(await start(behaviour), 202);
      expect(body).toMatchObject({ status: 'processing', failure: null, pendingOperation: { type: 'pay' } });
      expect(scene.gateway.requestsTo(route)).toHaveLength(1);
    });

    test('error: true is a decline, in its words', async () => {
      const refused = { error: true, status: 'failed', message: 'Not today', data: { errorCode: '05' } };
      const { body } = expectStatus(await start(answer(refused)), 201);
      expect(body).toMatchObject({ status: 'failed', failure: { code: 'declined', message: 'Not today' } });
    });

    test.each([400, 404, 422])('HTTP %i is a rejection', async (status) => {
      const { body } = expectStatus(await start(answer({ message: 'no' }, status)), 201);
      expect(body).toMatchObject({
        status: 'failed',
        failure: { code: 'gateway_rejected', retryable: false },
      });
    });

    test.each([
      [401, 502, 'gateway-credentials-rejected', 'gateway_credentials_rejected'],
      [403, 502, 'gateway-credentials-rejected', 'gateway_credentials_rejected'],
      [429, 503, 'gateway-busy', 'gateway_busy'],
    ])('HTTP %i is answered %i', async (status, told, code, failure) => {
      const refused = expectStatus(await start(answer({}, status)), told);
      const problem = problemOf(refused);
      expect(problem.code).toBe(code);
      if (told === 503) expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await scene.client.getPayment(problem.paymentId ?? '')).toMatchObject({
        status: 'failed',
        failure: { code: failure, retryable: status === 429 },
      });
    });
  });
});
