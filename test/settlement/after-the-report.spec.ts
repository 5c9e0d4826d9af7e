import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, newReference, type PaymentBody } from '../harness/client.js';
import { answer, cardAnswer, declined } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { asked, payCard, paidWith, say } from '../truth/situations.js';
import { report, reportRow, upload, type DifferenceBody, type SettlementBody } from './settlement-scene.js';

describe.each(anyStore)('what comes after the report, on the %s store', (kind) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene(kind, {});
  });
  afterAll(() => scene?.stop());
  const paid = async (said = paidWith({ amount: '1500.00', currency: 'NGN' })): Promise<PaymentBody> => {
    const session = await scene.client.createSession({ reference: newReference() });
    return (await payCard(scene, said, session)).payment;
  };
  const then = async (payment: PaymentBody, status: string, more: object = {}): Promise<PaymentBody> => {
    say(scene, payment, answer(cardAnswer({ status, ...more })));
    return asked(scene, payment);
  };
  const compare = async (...rows: string[]): Promise<SettlementBody> =>
    expectStatus(await upload<SettlementBody>(scene.tillfront, '/v1/settlements', report(...rows)), 200, 201)
      .body;
  /** Those of a payment: kind, state, what the report says, and by whom and why it was closed. */
  const of = async (payment: PaymentBody): Promise<string[]> => {
    const path = `/v1/differences?limit=100&reference=${payment.gatewayReference}`;
    const { data } = expectStatus(await scene.client.get<{ data: DifferenceBody[] }>(path), 200).body;
    return data.map(({ kind: is, state, found, closedBy, reason }) =>
      [is, state, found?.amount, closedBy, reason].join(' '),
    );
  };
  /** Kind, amount and what of it is settled. */
  const movements = async (payment: PaymentBody): Promise<string[]> => {
    const { body } = await scene.client.get<{
      data: { kind: string; amount: string; settled: { gross: string } | null }[];
    }>(`/v1/movements?paymentId=${payment.id}`);
    return body.data.map(({ kind: is, amount, settled }) => `${is} ${amount} ${settled?.gross}`);
  };

  test('closes what it lacked: the refund of just this amount, and no other', async () => {
    const payment = await paid();
    say(scene, payment, paidWith({ amount: '1500.00', currency: 'NGN' }));
    await compare(
      reportRow(payment.gatewayReference),
      reportRow(payment.gatewayReference, { type: 'REFUND', amount: '300.00' }),
    );
    expect(await of(payment)).toEqual(['refund_unknown_here open 300.00  ']);
    await then(payment, 'PARTIALLY_REFUNDED', { refundedAmount: '200.00' });
    expect(await of(payment)).toEqual(['refund_unknown_here open 300.00  ']);
    await then(payment, 'PARTIALLY_REFUNDED', { refundedAmount: '500.00' });
    await until(async () => (await of(payment))[0]?.includes('closed') ?? false);
    expect(await movements(payment)).toEqual([
      'payment 1500.00 1500.00',
      'refund 200.00 undefined',
      'refund 300.00 300.00',
    ]);
  });

  test('closes what it lacked: the chargeback', async () => {
    const payment = await paid();
    say(scene, payment, paidWith({ amount: '1500.00', currency: 'NGN' }));
    await compare(
      reportRow(payment.gatewayReference),
      reportRow(payment.gatewayReference, { type: 'CHARGEBACK' }),
    );
    expect(await of(payment)).toEqual(['chargeback_unknown_here open 1500.00  ']);
    await then(payment, 'CHARGEBACK');
    await until(async () => (await of(payment))[0]?.includes('closed') ?? false);
  });

  test('makes of a row that was not paid here one that differs, where the money was another', async () => {
    const payment = await paid(answer(declined));
    say(scene, payment, answer(cardAnswer({ status: 'FAILED' })));
    await compare(reportRow(payment.gatewayReference, { amount: '1400.00' }));
    expect(await of(payment)).toEqual(['not_paid_here open 1400.00  ']);
    await until(async () => (await scene.client.getPayment(payment.id)).needsAttention);
    say(scene, payment, paidWith({ amount: '1500.00', currency: 'NGN' }));
    await asked(scene, payment);
    await until(async () => (await of(payment)).some((one) => one.startsWith('amount_differs')));
    expect((await of(payment)).filter((one) => one.includes('open'))).toEqual([
      'amount_differs open 1400.00  ',
    ]);
  });

  test('takes back one of two settlements', async () => {
    const payment = await paid();
    await compare(
      reportRow(payment.gatewayReference),
      reportRow(payment.gatewayReference, { transactionRef: 'T-2' }),
    );
    expect(await of(payment)).toEqual(['settled_twice open 1500.00  ']);
    await compare(reportRow(payment.gatewayReference, { type: 'PAYMENT_REVERSAL', transactionRef: 'T-2' }));
    await until(async () => (await of(payment))[0]?.includes('closed') ?? false);
    expect(await of(payment)).toEqual(['settled_twice closed 1500.00  ']);
    expect(await movements(payment)).toEqual(['payment 1500.00 1500.00']);
  });

  test('has equal rows again: as many as the file with most of them', async () => {
    const payment = await paid();
    const at = { settledAt: new Date(Date.now() - 1000).toISOString() };
    await compare(reportRow(payment.gatewayReference, at), reportRow(payment.gatewayReference, at));
    expect(await of(payment)).toEqual(['settled_twice open 1500.00  ']);
    await compare(reportRow(payment.gatewayReference, at), reportRow((await paid()).gatewayReference));
    expect(await of(payment)).toEqual(['settled_twice open 1500.00  ']);
    await compare(
      reportRow(payment.gatewayReference, at),
      reportRow(payment.gatewayReference, at),
      reportRow(payment.gatewayReference, at),
    );
    expect(await of(payment)).toHaveLength(2);
  });
});
