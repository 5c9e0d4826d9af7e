import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, newReference, TillfrontClient, type PaymentBody } from '../harness/client.js';
import { answer, approved, cardAnswer, declined } from '../harness/gateway-answers.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { anyStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import {
  report,
  reportRow,
  upload,
  type DifferenceBody,
  type ProblemWithErrors,
  type SettlementBody,
} from './settlement-scene.js';

const LONG_AGO = '2020-01-01T00:00:00Z';

describe.each(anyStore)('a settlement report, on the %s store', (store) => {
  let gateway: MisbehavingGateway;
  let tillfront: Tillfront;
  let client: TillfrontClient;

  beforeAll(async () => {
    gateway = await startMisbehavingGateway();
    tillfront = await startTillfront({
      store,
      gatewayUrl: gateway.url,
      env: {},
    });
    client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  });

  afterAll(async () => {
    await tillfront.stop();
    await gateway.close();
  });

  const pay = async (said = approved): Promise<PaymentBody> => {
    gateway.script('POST /payment/card', answer(said));
    return (await client.payCard(await client.createSession({ reference: newReference() }))).body;
  };
  const compare = (...rows: string[]) => upload(tillfront, '/v1/settlements', report(...rows));
  const differences = async (id: string, query = ''): Promise<DifferenceBody[]> => {
    const path = `/v1/settlements/${id}/differences?limit=100${query}`;
    return expectStatus(await client.get<{ data: DifferenceBody[] }>(path), 200).body.data;
  };

  test('that agrees differs in nothing', async () => {
    const paid = await pay();
    const { body, status } = await compare(reportRow(paid.gatewayReference));
    expect(status).toBe(201);
    expect(body).toMatchObject({
      livemode: false,
      actor: 'merchant',
      rows: 1,
      skipped: {},
      counts: { amount_differs: 0, not_paid_here: 0, unknown_here: 0, missing_there: 0, twice_there: 0 },
      orders: null,
      adoption: null,
    });
    expect((await client.get(`/v1/settlements/${body.id}`)).body).toEqual(body);
  });

  test('finds each kind of difference', async () => {
    const [right, other, failed, refunded] = [await pay(), await pay(), await pay(declined), await pay()];
    const unknown = `${newReference()}_1`;
    const { body } = await compare(
      reportRow(right.gatewayReference, { settledAt: LONG_AGO }),
      reportRow(other.gatewayReference, { amount: '1400.00' }),
      reportRow(failed.gatewayReference),
      reportRow(unknown),
      reportRow(right.gatewayReference),
      reportRow(refunded.gatewayReference),
      reportRow(refunded.gatewayReference, { type: 'REFUND', amount: '500.00' }),
      reportRow(refunded.gatewayReference, { type: 'chargeback' }),
      reportRow('what/ever', { status: 'PENDING', amount: 'x' }),
      reportRow('what/ever', { type: 'FEE' }),
      reportRow('what/ever', { type: 'PAYOUT' }),
    );
    expect(body.rows).toBe(11);
    expect(body.skipped).toEqual({ status: 1, fee: 1 });
    expect(body.counts).toEqual({
      ...{ amount_differs: 1, currency_differs: 0, not_paid_here: 1, unknown_here: 1, settled_twice: 1 },
      ...{ refund_unknown_here: 1, refund_differs: 0, chargeback_unknown_here: 1, chargeback_differs: 0 },
      // Both words: the present and the former one.
      ...{ fee_differs: 0, payout_differs: 1, not_settled: 0, twice_there: 1, missing_there: 0 },
    });
    expect([body.rowsMatched, body.rowsDifferent, body.rowsSetAside]).toEqual([2, 6, 0]);
    expect(body.totals).toMatchObject([
      { currency: 'NGN', gross: '8900.00', refunds: '500.00', chargebacks: '1500.00', payouts: '1500.00' },
    ]);
    // They stand in the order in which they were found, and what changed meanwhile is found first.
    const found = (await differences(body.id)).toSorted((one, other) => (one.row ?? 0) - (other.row ?? 0));
    const ofPayouts = found.filter(({ kind }) => kind === 'payout_differs');
    expect(found.filter((one) => !ofPayouts.includes(one))).toMatchObject([
      {
        ...{ kind: 'amount_differs', row: 3, reference: other.gatewayReference, paymentId: other.id },
        ...{ amount: '1400.00', settlementId: body.id, state: 'open', step: null },
        ...{
          expected: { amount: '1500.00', currency: 'NGN' },
          found: { amount: '1400.00', currency: 'NGN' },
        },
      },
      { kind: 'not_paid_here', row: 4, reference: failed.gatewayReference, paymentId: failed.id },
      { kind: 'unknown_here', row: 5, reference: unknown, amount: '1500.00', currency: 'NGN' },
      { kind: 'twice_there', name: 'settled_twice', row: 6, paymentId: right.id },
      { kind: 'refund_unknown_here', row: 8, reference: refunded.gatewayReference, amount: '500.00' },
      { kind: 'chargeback_unknown_here', row: 9, reference: refunded.gatewayReference },
    ]);
    expect(ofPayouts).toMatchObject([{ row: 12, found: { amount: '1500.00' } }]);
    expect(await differences(body.id, '&kind=settled_twice')).toHaveLength(1);
    expect(await differences(body.id, '&kind=twice_there')).toHaveLength(1);
  });

  test('pages its differences', async () => {
    const { body } = await compare(...Array.from({ length: 5 }, () => reportRow(`${newReference()}_1`)));
    const seen: DifferenceBody[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/v1/settlements/${body.id}/differences?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page: { data: DifferenceBody[]; nextCursor: string | null } = (
        await client.get<{ data: DifferenceBody[]; nextCursor: string | null }>(path)
      ).body;
      seen.push(...page.data);
      cursor = page.nextCursor;
    }
    expect(seen.map(({ row }) => row)).toEqual([2, 3, 4, 5, 6]);
    const list = await client.get<{ data: SettlementBody[] }>('/v1/settlements?limit=1');
    expect(list.body.data.map(({ id }) => id)).toEqual([body.id]);
  });

  test('is compared once, whoever sends it again', async () => {
    const csv = report(reportRow(`${newReference()}_1`));
    const key = randomUUID();
    const first = await upload(tillfront, '/v1/settlements', csv, { key });
    const replay = await upload(tillfront, '/v1/settlements', csv, { key });
    const again = await upload(tillfront, '/v1/settlements', csv);
    expect([first.status, replay.status, again.status]).toEqual([201, 200, 200]);
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    expect([replay.body.id, again.body.id]).toEqual([first.body.id, first.body.id]);
    const other = await upload<ProblemWithErrors>(tillfront, '/v1/settlements', `${csv}\n`, { key });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency-key-reused']);
    const none = await upload<ProblemWithErrors>(tillfront, '/v1/settlements', csv, { key: null });
    expect([none.status, none.body.code]).toEqual([400, 'idempotency-key-missing']);
  });

  test('that is sent twice at once is one comparison', async () => {
    const csv = report(reportRow(`${newReference()}_1`));
    const both = await Promise.all([1, 2].map(() => upload(tillfront, '/v1/settlements', csv)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(new Set(both.map(({ body }) => body.id)).size).toBe(1);
  });

  test('may have a byte order mark, quotes, CRLF, columns in any order and no end of the last line', async () => {
    const paid = await pay();
    const csv = [
      '\ufeffcomment,settledAt,"status",currency,fee,amount,type,transactionRef,reference',
      `"one, ""two""",2026-11-30,settled,ngn,,1500,payment,,${paid.gatewayReference}`,
    ].join('\r\n');
    const { status, body } = await upload(tillfront, '/v1/settlements', csv);
    expect(status).toBe(201);
    expect(body).toMatchObject({ rows: 1, counts: { amount_differs: 0, unknown_here: 0 } });
    expect(body).toMatchObject({ from: '2026-11-30T00:00:00.000Z', to: '2026-11-30T23:59:59.999Z' });
  });

  test('whose claim the gateway does not confirm needs a person, with its row named', async () => {
    gateway.script('GET /transaction/*', answer(declined));
    const failed = await pay(declined);
    const { body } = await compare(reportRow(failed.gatewayReference));
    await until(async () => (await client.getPayment(failed.id)).needsAttention);
    expect((await client.getPayment(failed.id)).status).toBe('failed');
    const note = (await client.getEvents(failed.id)).find(({ type }) => type === 'report_unconfirmed');
    expect(note?.detail).toEqual({ settlement: body.id, row: '2', kind: 'not_paid_here' });
    await until(async () => (await differences(body.id))[0]?.step === 'unconfirmed');
    // The gateway comes round to it.
    gateway.script('GET /transaction/*', answer(approved));
    const { body: now } = await client.post<PaymentBody>(`/v1/payments/${failed.id}/refresh`);
    expect(now).toMatchObject({ status: 'succeeded', needsAttention: false });
    await until(async () => (await differences(body.id))[0]?.state === 'closed');
  });

  test('whose claim the gateway confirms moves the payment on the gateway’s word', async () => {
    gateway.script('GET /transaction/*', answer(approved));
    const failed = await pay(declined);
    const paid = await pay();
    const { body } = await compare(reportRow(failed.gatewayReference), reportRow(paid.gatewayReference));
    expect(body.counts['not_paid_here']).toBe(1);
    expect(await client.waitForStatus(failed.id, 'succeeded')).toMatchObject({ needsAttention: false });
  });

  test('asks about refunds, and agrees with those that are known', async () => {
    const paid = await pay();
    gateway.script(
      'GET /transaction/*',
      answer(
        cardAnswer({
          status: 'PARTIALLY_REFUNDED',
          amount: '1500.00',
          currency: 'NGN',
          refundedAmount: '500.00',
        }),
      ),
    );
    const refund = reportRow(paid.gatewayReference, { type: 'REFUND', amount: '500.00' });
    const { body } = await compare(refund);
    expect(body.counts['refund_unknown_here']).toBe(1);
    await until(async () => (await client.getPayment(paid.id)).amountRefunded === '500.00');
    await until(async () => (await differences(body.id))[0]?.state === 'closed');
    const next = await compare(refund, reportRow(paid.gatewayReference));
    expect(next.body.counts).toMatchObject({ refund_unknown_here: 0, amount_differs: 0 });
    const more = await compare(
      refund,
      reportRow(paid.gatewayReference, { type: 'REFUND', amount: '100.00' }),
    );
    expect(more.body.counts['refund_unknown_here']).toBe(1);
  });

  test('names a refund of the same sum as one that an earlier report has named', async () => {
    const paid = await pay();
    const said = (refundedAmount: string) =>
      answer(
        cardAnswer({ status: 'PARTIALLY_REFUNDED', amount: '1500.00', currency: 'NGN', refundedAmount }),
      );
    gateway.script('GET /transaction/*', said('500.00'));
    await client.post(`/v1/payments/${paid.id}/refresh`);
    const refund = (settledAt: string): string =>
      reportRow(paid.gatewayReference, { type: 'REFUND', amount: '500.00', settledAt });
    const known = await compare(refund('2031-01-01'));
    expect(known.body.counts['refund_unknown_here']).toBe(0);
    const repeated = await compare(refund('2031-01-01'), reportRow(paid.gatewayReference));
    expect(repeated.body.counts['refund_unknown_here']).toBe(0);
    const other = await compare(refund('2031-01-02'));
    expect(other.body.counts['refund_unknown_here']).toBe(1);
    await until(async () => (await client.getPayment(paid.id)).needsAttention);
    // What the gateway says is too little for both; then it is enough.
    await client.post(`/v1/payments/${paid.id}/refresh`);
    expect((await client.getPayment(paid.id)).needsAttention).toBe(true);
    gateway.script('GET /transaction/*', said('1000.00'));
    const { body } = await client.post<PaymentBody>(`/v1/payments/${paid.id}/refresh`);
    expect(body).toMatchObject({ amountRefunded: '1000.00', needsAttention: false });
  });

  test('takes two equal refunds of one day for two', async () => {
    const paid = await pay();
    gateway.script(
      'GET /transaction/*',
      answer(
        cardAnswer({
          ...{ status: 'PARTIALLY_REFUNDED', amount: '1500.00', currency: 'NGN' },
          refundedAmount: '1000.00',
        }),
      ),
    );
    await client.post(`/v1/payments/${paid.id}/refresh`);
    const refund = reportRow(paid.gatewayReference, {
      ...{ type: 'REFUND', amount: '500.00', settledAt: '2031-01-01' },
    });
    const { body } = await compare(refund, refund);
    expect(body.counts).toMatchObject({ refund_unknown_here: 0, twice_there: 0 });
    const { body: third } = await compare(refund, refund, refund);
    expect(third.counts).toMatchObject({ refund_unknown_here: 1, twice_there: 0 });
  });

  test('whose refund is of another currency is confirmed by no answer', async () => {
    const paid = await pay();
    gateway.script(
      'GET /transaction/*',
      answer(
        cardAnswer({
          ...{ status: 'PARTIALLY_REFUNDED', amount: '1500.00', currency: 'NGN' },
          refundedAmount: '500.00',
        }),
      ),
    );
    const { body } = await compare(
      reportRow(paid.gatewayReference, { type: 'REFUND', amount: '500.00', currency: 'USD' }),
    );
    await until(async () => (await differences(body.id))[0]?.step === 'unconfirmed');
    // The answer may come after the time in which it was to confirm the claim.
    await until(async () => (await client.getPayment(paid.id)).amountRefunded === '500.00');
    expect((await client.getPayment(paid.id)).needsAttention).toBe(true);
  });

  test('with a sale and its own reversal differs in nothing', async () => {
    const paid = await pay();
    gateway.script('POST /payment/void', answer(cardAnswer({ status: 'VOIDED' })));
    expect((await client.post<PaymentBody>(`/v1/payments/${paid.id}/void`)).body.status).toBe('voided');
    const { body } = await compare(
      reportRow(paid.gatewayReference),
      reportRow(paid.gatewayReference, { type: 'REFUND' }),
    );
    expect(await differences(body.id)).toEqual([]);
  });

  test('is held against the merchant’s own list', async () => {
    const [listed, notListed, declinedOne] = [await pay(), await pay(), await pay(declined)];
    const { body } = await compare(reportRow(listed.gatewayReference), reportRow(notListed.gatewayReference));
    const orders = [
      'reference,amount,currency,status',
      `${listed.reference},1500.00,NGN,paid`,
      `${declinedOne.reference},1500.00,NGN,Paid`,
      `${newReference()},10.00,NGN,open`,
      '',
    ].join('\n');
    const path = `/v1/settlements/${body.id}/orders`;
    const compared = await upload(tillfront, path, orders);
    expect(compared.status).toBe(200);
    expect(compared.body).toMatchObject({ id: body.id, orders: { rows: 3 } });
    expect(compared.body.counts).toMatchObject({ order_not_paid: 1, order_paid_twice: 0 });
    const found = await differences(body.id);
    expect(found).toContainEqual(
      expect.objectContaining({ kind: 'order_not_paid', row: 3, reference: declinedOne.reference }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'order_unknown', row: null, reference: notListed.reference, paymentId: notListed.id },
      }),
    );
    expect(found.filter(({ reference }) => reference === listed.reference)).toEqual([]);
    const faulty = await upload<ProblemWithErrors>(tillfront, path, orders.replace('10.00', 'ten'));
    expect([faulty.status, faulty.body.errors?.[0]?.line, faulty.body.errors?.[0]?.column]).toEqual([
      400,
      4,
      'amount',
    ]);
    expect(await differences(body.id)).toEqual(found);
    const next = await upload(tillfront, path, `${orders}${notListed.reference},1500.00,NGN,paid\n`);
    const open = (await differences(body.id)).filter(({ state }) => state === 'open');
    expect(open.map(({ reference }) => reference)).not.toContain(notListed.reference);
    expect(next.body.orders).toMatchObject({ rows: 4 });
  });

  test.each([
    ['application/json', 415, 'unsupported-media-type'],
    ['text/csv; charset=utf-7', 415, 'unsupported-media-type'],
    ['text/csv; charset=utf-8', 201, undefined],
  ])('as %s is answered with %i', async (type, status, code) => {
    const csv = report(reportRow(`${newReference()}_1`));
    const answered = await upload<ProblemWithErrors>(tillfront, '/v1/settlements', csv, {
      headers: { 'content-type': type },
    });
    expect([answered.status, answered.body.code]).toEqual([status, code]);
  });

  test('is for the merchant’s full keys only', async () => {
    const csv = report(reportRow(`${newReference()}_1`));
    const keys = [
      tillfront.merchantReadKey,
      'wrong-key-0123456789abcdef',
      (await client.createSession()).clientToken,
    ];
    const answers = await Promise.all(
      keys.map((merchantKey) =>
        upload<ProblemWithErrors>({ url: tillfront.url, merchantKey }, '/v1/settlements', csv),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([403, 401, 403]);
    const read = await client.get('/v1/settlements', { token: tillfront.merchantReadKey });
    expect(read.status).toBe(200);
  });

  test('that does not exist is not found', async () => {
    const paths = ['/v1/settlements/stl_1', '/v1/settlements/stl_1/differences'];
    const answers = await Promise.all(paths.map((path) => client.get(path)));
    const orders = await upload<ProblemWithErrors>(tillfront, '/v1/settlements/stl_1/orders', 'x');
    const adopt = await client.post('/v1/settlements/stl_1/adopt');
    expect([...answers, orders, adopt].map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });
});
