import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { expectStatus, newReference, type PaymentBody } from '../harness/client.js';
import { cardAnswer, declined, answer } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { stores } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { asked, payCard, paidWith, say } from '../truth/situations.js';
import { storedRows } from '../truth/stored-time.js';
import { report, reportRow, upload, type DifferenceBody, type SettlementBody } from './settlement-scene.js';

/**
 * A week as a shop has it, with faults planted in the gateway's report. However the report is cut into files, and in whatever order these
 * come, the same differences are open at the end, and nothing else is.
 */

const DAY_MS = 24 * 3_600_000;

interface Row {
  readonly reference: string;
  readonly type: string;
  readonly amount: string;
  readonly currency: string;
  /** Days ago. */
  readonly day: number;
  readonly transactionRef: string;
}
type Found = readonly [kind: string, reference: string, amount: string | null];

interface Week {
  readonly rows: Row[];
  readonly planted: Found[];
}

async function live(scene: Scene): Promise<Week> {
  const rows: Row[] = [];
  const planted: Found[] = [];
  let transaction = 0;
  const row = (reference: string, over: Partial<Row> = {}): void => {
    transaction += 1;
    rows.push({
      ...{ reference, type: 'PAYMENT', amount: '1500.00', currency: 'NGN', day: transaction % 3 },
      transactionRef: `T-${transaction}`,
      ...over,
    });
  };
  const paid = async (
    amount = '1500.00',
    currency = 'NGN',
    said = paidWith({ amount, currency }),
  ): Promise<PaymentBody> => {
    const session = await scene.client.createSession({ reference: newReference(), amount, currency });
    return (await payCard(scene, said, session)).payment;
  };
  const then = async (payment: PaymentBody, status: string, more: object = {}): Promise<PaymentBody> => {
    say(scene, payment, answer(cardAnswer({ status, ...more })));
    return asked(scene, payment);
  };

  for (let n = 0; n < 4; n += 1) row((await paid()).gatewayReference);
  for (const currency of ['USD', 'GHS'])
    for (let n = 0; n < 2; n += 1)
      row((await paid('20.00', currency)).gatewayReference, { amount: '20.00', currency });

  const differs = await paid();
  row(differs.gatewayReference, { amount: '1499.99' });
  planted.push(['amount_differs', differs.gatewayReference, '1499.99']);

  const otherMoney = await paid();
  row(otherMoney.gatewayReference, { currency: 'USD' });
  planted.push(['currency_differs', otherMoney.gatewayReference, '1500.00']);

  const notPaid = await paid('1500.00', 'NGN', answer(declined));
  say(scene, notPaid, answer(cardAnswer({ status: 'FAILED' })));
  row(notPaid.gatewayReference);
  planted.push(['not_paid_here', notPaid.gatewayReference, '1500.00']);

  const unknown = `${newReference()}_1`;
  scene.gateway.script(`GET /transaction/${unknown}`, answer({ error: true, data: { status: 'NOT_FOUND' } }));
  row(unknown);
  planted.push(['unknown_here', unknown, '1500.00']);

  const twice = await paid();
  row(twice.gatewayReference, { day: 0 });
  row(twice.gatewayReference, { day: 1 });
  planted.push(['settled_twice', twice.gatewayReference, '1500.00']);

  const refunded = await paid();
  row(refunded.gatewayReference);
  expect((await then(refunded, 'REFUNDED')).amountRefunded).toBe('1500.00');
  row(refunded.gatewayReference, { type: 'REFUND' });

  const halves = await paid();
  row(halves.gatewayReference);
  await then(halves, 'PARTIALLY_REFUNDED', { refundedAmount: '500.00' });
  await then(halves, 'PARTIALLY_REFUNDED', { refundedAmount: '1000.00' });
  row(halves.gatewayReference, { type: 'REFUND', amount: '500.00', day: 1 });
  row(halves.gatewayReference, { type: 'REFUND', amount: '500.00', day: 1 });

  const neverRefunded = await paid();
  row(neverRefunded.gatewayReference);
  say(scene, neverRefunded, paidWith({ amount: '1500.00', currency: 'NGN' }));
  row(neverRefunded.gatewayReference, { type: 'REFUND', amount: '300.00' });
  planted.push(['refund_unknown_here', neverRefunded.gatewayReference, '300.00']);

  const refundedTwiceThere = await paid();
  row(refundedTwiceThere.gatewayReference);
  await then(refundedTwiceThere, 'PARTIALLY_REFUNDED', { refundedAmount: '700.00' });
  row(refundedTwiceThere.gatewayReference, { type: 'REFUND', amount: '700.00', day: 0 });
  row(refundedTwiceThere.gatewayReference, { type: 'REFUND', amount: '700.00', day: 1 });
  planted.push(['refund_unknown_here', refundedTwiceThere.gatewayReference, '700.00']);

  const disputed = await paid();
  row(disputed.gatewayReference);
  await then(disputed, 'CHARGEBACK');
  row(disputed.gatewayReference, { type: 'CHARGEBACK' });

  const disputedMore = await paid();
  row(disputedMore.gatewayReference);
  await then(disputedMore, 'CHARGEBACK');
  row(disputedMore.gatewayReference, { type: 'CHARGEBACK', amount: '13500.00' });
  planted.push(['chargeback_differs', disputedMore.gatewayReference, '13500.00']);

  const neverDisputed = await paid();
  row(neverDisputed.gatewayReference);
  say(scene, neverDisputed, paidWith({ amount: '1500.00', currency: 'NGN' }));
  row(neverDisputed.gatewayReference, { type: 'CHARGEBACK' });
  planted.push(['chargeback_unknown_here', neverDisputed.gatewayReference, '1500.00']);

  const won = await paid();
  row(won.gatewayReference);
  await then(won, 'CHARGEBACK');
  await then(won, 'CHARGEBACK_REVERSED');
  row(won.gatewayReference, { type: 'CHARGEBACK', day: 1 });
  row(won.gatewayReference, { type: 'CHARGEBACK_REVERSAL', day: 0 });

  const voided = await paid();
  await then(voided, 'VOIDED');
  row(voided.gatewayReference, { day: 1 });
  row(voided.gatewayReference, { type: 'PAYMENT_REVERSAL', day: 0 });

  const voidedAsRefund = await paid();
  await then(voidedAsRefund, 'VOIDED');
  row(voidedAsRefund.gatewayReference, { day: 0 });
  row(voidedAsRefund.gatewayReference, { type: 'REFUND', day: 1 });

  await then(await paid(), 'VOIDED');

  const parts = await paid();
  row(parts.gatewayReference, { amount: '500.00', day: 0 });
  row(parts.gatewayReference, { amount: '1000.00', day: 1 });

  const beyond = await paid();
  row(beyond.gatewayReference, { amount: '1000.00', day: 1 });
  row(beyond.gatewayReference, { amount: '700.00', day: 0 });
  planted.push(['amount_differs', beyond.gatewayReference, '1700.00']);

  const absent = await paid();
  planted.push(['not_settled', absent.gatewayReference, null]);

  await storedRows(scene, `update movements set at = at - ${4 * DAY_MS}`);
  await storedRows(scene, `update movements set at = at - ${3 * DAY_MS} where payment_id = '${absent.id}'`);
  return { rows, planted };
}

const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const text = (row: Row): string =>
  reportRow(row.reference, {
    ...{ transactionRef: row.transactionRef, type: row.type, amount: row.amount, currency: row.currency },
    settledAt: new Date(noon - row.day * DAY_MS).toISOString(),
    fee: '0.00',
  });

const split = (rows: readonly Row[], by: (row: Row) => unknown): Row[][] => [
  ...Map.groupBy(rows, by).values(),
];

/** Ways of cutting the report. Equal rows are never parted: there are none. */
const cuts: Record<string, (rows: readonly Row[]) => Row[][]> = {
  'in one file': (rows) => [[...rows]],
  'day by day, the oldest first': (rows) =>
    split(rows, ({ day }) => day).sort((a, b) => (b[0]?.day ?? 0) - (a[0]?.day ?? 0)),
  'day by day, the newest first': (rows) =>
    split(rows, ({ day }) => day).sort((a, b) => (a[0]?.day ?? 0) - (b[0]?.day ?? 0)),
  'by currency': (rows) => split(rows, ({ currency }) => currency),
  'by type, backwards': (rows) => split([...rows].reverse(), ({ type }) => type),
  'in files that overlap': (rows) => [rows.slice(0, 30), rows.slice(15), [...rows]].map((file) => [...file]),
};

/** The matching is the same on both stores, so one way of cutting shows that PostgreSQL keeps it. */
const waysOn = (kind: string): string[] =>
  kind === 'embedded' ? Object.keys(cuts) : ['in files that overlap'];

describe.each(stores)('a week on the %s store', (kind) => {
  test.each(waysOn(kind))('%s', async (way) => {
    const cut = cuts[way] ?? (() => []);
    const scene = await startScene(kind, {
      SETTLEMENT_CONFIRM_SECONDS: '1',
      PAYMENT_CURRENCIES: 'NGN,USD,GHS',
    });
    try {
      const { rows, planted } = await live(scene);
      for (const [index, file] of cut(rows).entries()) {
        const csv = report(...file.map(text));
        const first = expectStatus(
          await upload<SettlementBody>(scene.tillfront, '/v1/settlements', csv),
          ...(index === 0 ? [201] : [200, 201]),
        ).body;
        const again = await upload<SettlementBody>(
          scene.tillfront,
          '/v1/settlements',
          gzipSync(Buffer.from(`\ufeff${csv.replaceAll('\n', '\r\n')}`)),
          { headers: { 'content-encoding': 'gzip' } },
        );
        expect([again.status, again.body.id]).toEqual([200, first.id]);
      }
      const open = async (): Promise<Found[]> => {
        const path = '/v1/differences?state=open&limit=100';
        const { data } = expectStatus(await scene.client.get<{ data: DifferenceBody[] }>(path), 200).body;
        return data.map(({ kind: is, reference, found }) => [is, reference, found?.amount ?? null]);
      };
      const sorted = (found: readonly Found[]): string[] => found.map(String).sort();
      await until(async () => (await open()).length <= planted.length, 15_000).catch(() => undefined);
      expect(sorted(await open())).toEqual(sorted(planted));
      const { body } = await scene.client.get<{ openDifferences: number }>('/v1/reports/overview');
      expect(body.openDifferences).toBe(planted.length);
      const moved = expectStatus(
        await scene.client.get<{
          movements: { net: string; settled: string; unsettled: string; currency: string }[];
        }>('/v1/reports/summary?by=currency'),
        200,
      ).body.movements;
      for (const one of moved)
        expect(Number(one.settled) + Number(one.unsettled)).toBeCloseTo(Number(one.net), 2);
    } finally {
      await scene.stop();
    }
  });
});
