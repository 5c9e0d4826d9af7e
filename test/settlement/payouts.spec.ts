import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, newReference, type PaymentBody } from '../harness/client.js';
import { answer, approved } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { profileFile } from '../profiles/strict-gateway.js';
import { upload, type DifferenceBody, type SettlementBody } from './settlement-scene.js';

const types = { payment: ['SALE'], refund: ['REFUND'], payout: ['PAYOUT'] };
const columns = { reference: 'ref', type: 'kind', amount: 'amt', currency: 'ccy', settledAt: 'on' };
const SHAPES = [
  {
    ...{ columns: { ...columns, fee: 'fee', net: 'net', payout: 'po' }, types, sign: 'refundsNegative' },
    fees: [{ currency: 'NGN', method: 'card', percent: '1', fixed: '0.00' }],
  },
  { columns: { ...columns, reference: 'sale' }, types },
];
const FULL = 'ref,kind,amt,ccy,on,fee,net,po';
const PLAIN = 'sale,kind,amt,ccy,on';

interface Movement {
  kind: string;
  settled: Record<string, unknown> | null;
}

describe.each(anyStore)('what the gateway pays out, on the %s store', (kind) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene(kind, { GATEWAY_PROFILE: profileFile({ settlement: SHAPES }) });
  });
  afterAll(() => scene?.stop());

  const pay = async (): Promise<PaymentBody> => {
    scene.gateway.script('POST /payment/card', answer(approved));
    const session = await scene.client.createSession({ reference: newReference() });
    return (await scene.client.payCard(session)).body;
  };
  const compare = async (header: string, ...rows: string[]): Promise<SettlementBody> =>
    expectStatus(await upload(scene.tillfront, '/v1/settlements', [header, ...rows, ''].join('\n')), 201)
      .body;
  const found = async (query: string): Promise<DifferenceBody[]> =>
    expectStatus(
      await scene.client.get<{ data: DifferenceBody[] }>(`/v1/differences?state=open&limit=100&${query}`),
      200,
    ).body.data;
  const settledOf = async ({ id }: PaymentBody): Promise<Movement['settled'] | undefined> => {
    const { body } = await scene.client.get<{ data: Movement[] }>(`/v1/movements?paymentId=${id}`);
    return body.data.find((one) => one.kind === 'payment')?.settled;
  };

  test.each(['first', 'last'])('a report that knows only the sale comes %s', async (place) => {
    const payment = await pay();
    const name = `PO-${payment.id}`;
    const day = '2026-11-20';
    const plain = [PLAIN, `${payment.gatewayReference},SALE,1500.00,NGN,${day}`] as const;
    const full = [
      FULL,
      `${payment.gatewayReference},SALE,1500.00,NGN,${day},15.00,1485.00,${name}`,
      `,PAYOUT,1485.00,NGN,2026-11-21,,,${name}`,
    ] as const;
    const order = place === 'first' ? [plain, full] : [full, plain];
    for (const [header, ...rows] of order)
      expect(await compare(header, ...rows)).toMatchObject({ rowsDifferent: 0, rowsMatched: 1 });
    expect(await found('kind=payout_differs')).toEqual([]);
    expect(await settledOf(payment)).toMatchObject({ gross: '1500.00', fee: '15.00', net: '1485.00' });
  });

  test('more than the expected fee is kept, though the row names the expected one', async () => {
    const payment = await pay();
    const row = `${payment.gatewayReference},SALE,1500.00,NGN,2026-11-20,15.00,1400.00,`;
    const report = await compare(FULL, row);
    expect(report).toMatchObject({ rowsDifferent: 1, counts: { fee_differs: 1 } });
    expect(report.totals).toMatchObject([{ gross: '1500.00', fees: '100.00', net: '1400.00' }]);
    expect(await found(`reference=${payment.gatewayReference}`)).toMatchObject([
      { kind: 'fee_differs', expected: { amount: '15.00' }, found: { amount: '100.00' } },
    ]);
  });

  test.each(['-', ''])('a payout that the merchant has to pay, with the sign "%s"', async (sign) => {
    const payment = await pay();
    const [name, reference] = [`PO-${payment.id}`, payment.gatewayReference];
    const report = await compare(
      FULL,
      `${reference},SALE,1500.00,NGN,2026-11-20,15.00,1485.00,`,
      `${reference},REFUND,-1500.00,NGN,2026-11-20,0,-1500.00,${name}`,
      `,PAYOUT,${sign}1500.00,NGN,2026-11-21,,,${name}`,
    );
    expect(report.counts).toMatchObject({ payout_differs: 0 });
    expect(await found(`kind=payout_differs&reference=${name}`)).toEqual([]);
  });

  test('a payout that came back was not paid', async () => {
    const payment = await pay();
    const name = `PO-${payment.id}`;
    await compare(
      FULL,
      `${payment.gatewayReference},SALE,1500.00,NGN,2026-11-20,15.00,1485.00,${name}`,
      `,PAYOUT,-1485.00,NGN,2026-11-21,,,${name}`,
      `,PAYOUT,1485.00,NGN,2026-11-22,,,${name}`,
    );
    expect(await found(`kind=payout_differs&reference=${name}`)).toMatchObject([
      { expected: { amount: '1485.00' }, found: { amount: '0.00' } },
    ]);
  });
});
