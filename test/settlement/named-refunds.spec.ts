import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  expectStatus,
  newReference,
  TillfrontClient,
  type Answer,
  type PaymentBody,
} from '../harness/client.js';
import { answer, cardAnswer, notFoundAnswer } from '../harness/gateway-answers.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import type { Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { profileFile } from '../profiles/strict-gateway.js';
import { giveBack, paid, REFUND, refundsSent, says } from '../truth/refunds.js';
import { upload, type SettlementBody } from './settlement-scene.js';

const profile = profileFile({
  operations: { refund: { method: 'POST', path: '/payment/refund', credentials: true } },
  settlement: {
    columns: {
      ...{ reference: 'reference', refundRef: 'refund', type: 'type', amount: 'amount' },
      ...{ currency: 'currency', settledAt: 'day' },
    },
    types: {
      ...{ payment: ['SALE'], paymentReversal: ['SALE_BACK'], fee: [] },
      ...{ refund: ['REFUND'], refundReversal: ['REFUND_BACK'] },
      ...{ chargeback: ['CHARGEBACK'], chargebackReversal: ['CHARGEBACK_BACK'] },
    },
  },
});
const CAROL = 'key-of-carol-5e0b91d7c3a8f462';
const GIVEN_BACK = { status: 'SUCCESS', amount: '1500.00', currency: 'NGN', refundedAmount: '100.00' };

// A gateway that knows the name of a refund answers for the one that it has done, and gives nothing back.
describe.each(anyStore)('a refund that only a report names, on the %s store', (store) => {
  let gateway: MisbehavingGateway;
  let tillfront: Tillfront;
  let scene: Scene;

  beforeAll(async () => {
    gateway = await startMisbehavingGateway();
    const env = { GATEWAY_PROFILE: profile, MERCHANT_BOOKS_API_KEY: `carol=${CAROL}` };
    tillfront = await startTillfront({ store, gatewayUrl: gateway.url, env });
    const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
    scene = { gateway, tillfront, client, stop: async () => void (await tillfront.stop()) };
  });
  afterAll(async () => {
    await scene.stop();
    await gateway.close();
  });

  const send = (rows: readonly string[], merchantKey: string): Promise<Answer<SettlementBody>> => {
    const csv = ['reference,refund,type,amount,currency,day', ...rows, ''].join('\n');
    return upload({ url: tillfront.url, merchantKey }, '/v1/settlements', csv);
  };
  const compare = async (...rows: string[]): Promise<SettlementBody> =>
    expectStatus(await send(rows, tillfront.merchantKey), 201).body;
  const sale = (name: string): string => `${name},,SALE,1500.00,NGN,2031-01-05`;
  const row = (name: string, type: string): string => `${name},,${type},100.00,NGN,2031-01-05`;
  const refund = (name: string, refundRef: string): string =>
    `${name},${refundRef},REFUND,100.00,NGN,2031-01-05`;

  async function nameOfNext(payment: PaymentBody): Promise<string | undefined> {
    gateway.script(REFUND, says('REFUNDED'));
    expectStatus(await giveBack(scene, payment, { amount: '50.00' }), 201);
    return refundsSent(scene, payment).at(-1)?.refundRef;
  }

  async function paymentOf(reference: string): Promise<PaymentBody> {
    await until(async () => (await scene.client.paymentsOf(reference)).length === 1);
    const [payment] = await scene.client.paymentsOf(reference);
    return payment as PaymentBody;
  }

  test('gives its name to no other refund of a payment that is taken over', async () => {
    const reference = newReference();
    const name = `${reference}_1`;
    gateway.script('GET /transaction/*', answer(cardAnswer(GIVEN_BACK)));
    const { id } = await compare(sale(name), refund(name, `${name}_r3e1`), refund(name, 'their-own-9'));
    expectStatus(await scene.client.post(`/v1/settlements/${id}/adopt`), 200);
    expect(await nameOfNext(await paymentOf(reference))).toBe(`${name}_r4`);
  });

  test('nor of one that the gateway was asked about before its order was paid', async () => {
    const reference = newReference();
    const name = `${reference}_1`;
    gateway.script('GET /transaction/*', ({ path }) =>
      answer(path.endsWith(name) ? cardAnswer(GIVEN_BACK) : notFoundAnswer),
    );
    await compare(sale(name), refund(name, `${name}_r2`));
    const attempt = await scene.client.payCard(await scene.client.createSession({ reference }));
    expect(attempt.status).toBe(409);
    const payment = await paymentOf(reference);
    const path = `/v1/differences?state=open&reference=${name}`;
    await until(async () => (await scene.client.get<{ data: object[] }>(path)).body.data.length === 0);
    expect(await nameOfNext(payment)).toBe(`${name}_r3`);
  });

  test.each([
    [['REFUND']],
    [['CHARGEBACK']],
    [['REFUND_BACK']],
    [['CHARGEBACK_BACK']],
    [['SALE_BACK']],
    // Rows that undo each other are no difference, and the payment holds all that it took.
    [['REFUND', 'REFUND_BACK']],
    [['CHARGEBACK', 'CHARGEBACK_BACK']],
  ])('a payment that only %j names is not charged again', async (types) => {
    const reference = newReference();
    const name = `${reference}_1`;
    gateway.script('GET /transaction/*', ({ path }) =>
      answer(path.endsWith(name) ? cardAnswer(GIVEN_BACK) : notFoundAnswer),
    );
    const sentBefore = gateway.requestsTo('POST /payment/card').length;
    const { rowsDifferent } = await compare(...types.map((type) => row(name, type)));
    expect(rowsDifferent).toBe(types.length === 1 ? 1 : 0);
    const attempt = await scene.client.payCard(await scene.client.createSession({ reference }));
    expect(attempt.status).toBe(409);
    expect(await paymentOf(reference)).toMatchObject({ status: 'succeeded', gatewayReference: name });
    expect(gateway.requestsTo('POST /payment/card')).toHaveLength(sentBefore);
  });

  test.each([
    ['the same file', 200, 0],
    ['a longer file', 201, 1],
  ])(
    'nor a sale that somebody who keeps the books has sent, once a merchant sends %s',
    async (_file, status, more) => {
      const reference = newReference();
      const rows = [sale(`${reference}_1`)];
      gateway.script('GET /transaction/*', answer({}, 500));
      expectStatus(await send(rows, CAROL), 201);
      const others = Array.from({ length: more }, () => sale(`${newReference()}_1`));
      expectStatus(await send([...rows, ...others], tillfront.merchantKey), status);
      const session = await scene.client.createSession({ reference });
      const sentBefore = gateway.requestsTo('POST /payment/card').length;
      expect((await scene.client.payCard(session)).status).toBe(409);
      expect(gateway.requestsTo('POST /payment/card')).toHaveLength(sentBefore);
      const note = { note: 'The gateway has never had it.' };
      expectStatus(await scene.client.post(`/v1/held-references/${reference}/release`, note), 200);
      // Neither of them says anything new of it.
      expectStatus(await send([...rows, ...others], tillfront.merchantKey), 200);
      expectStatus(await send([...rows, sale(`${newReference()}_1`)], tillfront.merchantKey), 201);
      expect(expectStatus(await scene.client.payCard(session), 202).body.gatewayReference).toBe(
        `${reference}_2`,
      );
    },
  );

  test('nor is the gateway reference of a sale used again that was reversed at once', async () => {
    const reference = newReference();
    const name = `${reference}_1`;
    gateway.script('GET /transaction/*', ({ path }) =>
      answer(path.endsWith(name) ? cardAnswer({ status: 'VOIDED' }) : notFoundAnswer),
    );
    const { rowsDifferent } = await compare(row(name, 'SALE'), row(name, 'SALE_BACK'));
    expect(rowsDifferent).toBe(0);
    const attempt = await scene.client.payCard(await scene.client.createSession({ reference }));
    expect(expectStatus(attempt, 202).body.gatewayReference).toBe(`${reference}_2`);
  });

  test('nor of one that is known, of which the refund was lost', async () => {
    const { payment } = await paid(scene);
    const name = payment.gatewayReference;
    gateway.script('GET /transaction/*', answer(cardAnswer(GIVEN_BACK)));
    await compare(sale(name), refund(name, `${name}_r1`), refund(name, `${name}_r99999`));
    await compare(sale(name), refund(name, `${name}_r1`));
    expect(await nameOfNext(payment)).toBe(`${name}_r2`);
    expect(await nameOfNext(payment)).toBe(`${name}_r3`);
  });
});
