import { gzipSync } from 'node:zlib';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, problemOf, type PaymentBody } from '../harness/client.js';
import { answer, approved } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { until } from '../harness/until.js';

/** Accounting over HTTP, as people and programs use it. */

const CAROL = { token: 'key-of-carol-5e0b91d7c3a8f462' };
const HEADER = 'reference,transactionRef,type,amount,fee,currency,status,settledAt';

let scene: Scene;
let payment: PaymentBody;

beforeAll(async () => {
  scene = await startScene('embedded', {
    MERCHANT_BOOKS_API_KEY: `carol=${CAROL.token}`,
    BOOKS_TIME_ZONE: 'Africa/Lagos',
  });
  scene.gateway.script('POST /payment/card', answer(approved));
  const session = await scene.client.createSession({ metadata: { cart: '=1+1' } });
  payment = expectStatus(await scene.client.payCard(session), 201).body;
  expect(payment.status).toBe('succeeded');
});
afterAll(() => scene?.stop());

interface Settlement {
  id: string;
  rows: number;
  counts: Record<string, number>;
  [name: string]: unknown;
}

function rowOf(reference: string, amount: string, type = 'PAYMENT'): string {
  return `${reference},T1,${type},${amount},22.50,NGN,SETTLED,2026-11-30T06:00:00Z`;
}

async function upload(
  body: string | Uint8Array<ArrayBuffer>,
  { token = CAROL.token, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
) {
  const response = await fetch(`${scene.tillfront.url}/v1/settlements`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv', ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Settlement };
}

const fileOf = (...rows: string[]): string => [HEADER, ...rows, ''].join('\n');

describe('a report', () => {
  let file: string;
  let settlement: Settlement;
  beforeAll(() => {
    file = fileOf(rowOf(payment.gatewayReference, '1400.00'), rowOf('of-others', '1.00'));
  });

  test('is compared with the ledger, and is the same one again', async () => {
    const first = await upload(file);
    expect([first.status, first.text]).toEqual([201, expect.any(String)]);
    settlement = first.body;
    expect(settlement).toMatchObject({
      ...{ livemode: false, actor: 'merchant:carol', rows: 2, rowsSeen: 0, rowsOther: 1, rowsSetAside: 0 },
      ...{ setAside: [], skipped: { status: 0, ignore: 0 }, from: '2026-11-30T06:00:00.000Z' },
      totals: [
        {
          ...{ currency: 'NGN', gross: '1401.00', fees: '45.00', net: '1356.00', refunds: '0.00' },
          ...{ chargebacks: '0.00', reversals: '0.00', payouts: '0.00', unexplained: '0.00' },
        },
      ],
    });
    expect(settlement.counts['amount_differs']).toBe(1);
    const again = await upload(new Uint8Array(gzipSync(file)), { headers: { 'content-encoding': 'gzip' } });
    expect([again.status, again.body]).toEqual([200, settlement]);
    const bare = await upload(new Uint8Array(gzipSync(file)));
    expect([bare.status, bare.body.id]).toEqual([200, settlement.id]);
    const read = await scene.client.get<Settlement>(`/v1/settlements/${settlement.id}`, CAROL);
    expect(read.body).toEqual(settlement);
    const list = await scene.client.get<{ data: Settlement[] }>('/v1/settlements?limit=1', CAROL);
    expect(list.body).toEqual({ data: [settlement], nextCursor: null });
  });

  test('has its differences, which are closed, noted and opened again', async () => {
    const path = `/v1/settlements/${settlement.id}/differences`;
    const { body } = await scene.client.get<{ data: { id: string }[] }>(path, CAROL);
    const [difference] = body.data;
    expect(difference).toEqual({
      ...{ id: expect.stringMatching(/^dif_/), kind: 'amount_differs', part: 'sale', state: 'open', row: 2 },
      ...{ settlementId: settlement.id, reference: payment.gatewayReference, paymentId: payment.id },
      ...{ movementId: expect.stringMatching(/^mov_/), foundAt: expect.any(String) },
      ...{ expected: { amount: '1500.00', currency: 'NGN' }, found: { amount: '1400.00', currency: 'NGN' } },
      ...{ note: null, closedBy: null, closedAt: null, reason: null },
    });
    const id = difference?.id ?? '';
    const act = async (doing: string, content: object, token = CAROL.token) =>
      scene.client.post<object>(`/v1/differences/${id}/${doing}`, content, { token, idempotencyKey: null });
    expect((await act('close', { reason: 'explained' })).status).toBe(400);
    const closed = await act('close', { reason: 'explained', note: 'A discount.' });
    expect([closed.status, closed.body]).toEqual([
      200,
      {
        ...difference,
        state: 'closed',
        closedBy: 'merchant:carol',
        closedAt: expect.any(String),
        reason: 'explained',
        note: 'A discount.',
      },
    ]);
    expect(problemOf(await act('close', { reason: 'explained', note: 'x' })).code).toBe('invalid-state');
    expect((await act('note', { note: 'Another.' })).body).toMatchObject({
      note: 'Another.',
      state: 'closed',
    });
    expect((await act('reopen', {})).body).toEqual({ ...difference, note: 'Another.' });
    expect(problemOf(await act('reopen', {})).code).toBe('invalid-state');
    expect(
      problemOf(await act('close', { reason: 'explained', note: 'x' }, scene.tillfront.merchantReadKey)).code,
    ).toBe('forbidden');
    for (const query of [
      'state=open',
      'kind=amount_differs',
      `reference=${payment.reference}`,
      `reference=${payment.gatewayReference}`,
      'currency=NGN',
      'from=2020-01-01',
    ])
      expect([
        query,
        (await scene.client.get<{ data: object[] }>(`/v1/differences?${query}`, CAROL)).body.data.length,
      ]).toEqual([query, 1]);
    for (const query of [
      'state=closed',
      'kind=not_settled',
      'reference=other',
      'currency=USD',
      'to=2020-01-01',
    ])
      expect([
        query,
        (await scene.client.get<{ data: object[] }>(`/v1/differences?${query}`, CAROL)).body.data.length,
      ]).toEqual([query, 0]);
  });

  test('settles the ledger’s entry once it says the same', async () => {
    const { status, body } = await upload(fileOf(rowOf(payment.gatewayReference, '100.00')));
    expect(status).toBe(201);
    const list = await scene.client.get<{ data: { settled: object | null }[]; nextCursor: null }>(
      '/v1/movements?settled=true',
      CAROL,
    );
    expect(list.body.data[0]).toMatchObject({
      ...{
        kind: 'payment',
        direction: 'in',
        amount: '1500.00',
        currency: 'NGN',
        late: false,
        paymentId: payment.id,
      },
      ...{
        reference: payment.reference,
        gatewayReference: payment.gatewayReference,
        refundId: null,
        method: 'card',
      },
      ...{ reason: null, source: 'gateway' },
      settled: {
        ...{ settlementId: body.id, line: 2, at: '2026-11-30T06:00:00.000Z', gross: '1500.00', fee: '45.00' },
        ...{ net: '1455.00', netCurrency: 'NGN' },
      },
    });
    const none = await scene.client.get<{ data: object[] }>('/v1/movements?settled=false', CAROL);
    expect(none.body).toEqual({ data: [], nextCursor: null });
    const open = await scene.client.get<{ data: object[] }>('/v1/differences?state=open', CAROL);
    expect(open.body.data).toEqual([]);
  });

  test('asks the gateway about a payment that it says was paid', async () => {
    scene.gateway.script(
      'POST /payment/card',
      answer({ error: true, message: 'Declined', data: { status: 'DECLINED' } }),
    );
    const session = await scene.client.createSession();
    const failed = expectStatus(await scene.client.payCard(session), 201).body;
    expect(failed.status).toBe('failed');
    scene.gateway.script(
      `GET /transaction/${failed.gatewayReference}`,
      answer({ data: { transaction: { status: 'SUCCESS' } } }),
    );
    const { body } = await upload(fileOf(rowOf(failed.gatewayReference, '1500.00')));
    expect(body.counts['not_paid_here']).toBe(1);
    await scene.client.waitForStatus(failed.id, 'succeeded');
    await until(async () => {
      const { body: list } = await scene.client.get<{ data: object[] }>('/v1/differences?state=open', CAROL);
      return list.data.length === 0;
    });
  });
});

describe('what is refused', () => {
  test.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['a file of something else', 'a,b\n1,2\n', '/1'],
    ['too many rows that cannot be read', fileOf(rowOf('A-1_1', '1.5x'), rowOf('A-2_1', 'x')), '/2/amount'],
    [
      'bytes of another encoding',
      Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.from([0xff, 0x0a])]),
      '/2',
    ],
    ['a quote that is never closed', `${fileOf(rowOf('A-1_1', '1.00'))}"A`, '/3'],
    ['a long row', `${HEADER}\n${'x'.repeat(17_000)}\n`, '/2'],
    ['a last line that is cut', `${HEADER}\n${rowOf('A-1_1', '1.00')}\nA-2_1,T1`, '/3'],
    [
      'broken gzip',
      Buffer.concat([gzipSync(fileOf(rowOf('A-1_1', '1.00'))).subarray(0, 30), Buffer.alloc(9)]),
      '/1',
    ],
  ])('%s', async (_what, file, pointer) => {
    const { status, text } = await upload(typeof file === 'string' ? file : new Uint8Array(file));
    expect([status, JSON.parse(text)]).toEqual([400, expect.objectContaining({ code: 'validation-failed' })]);
    expect((JSON.parse(text) as { errors: { pointer: string }[] }).errors[0]?.pointer).toBe(pointer);
    const { body } = await scene.client.get<{ data: object[] }>('/v1/settlements', CAROL);
    expect(body.data).toHaveLength(3);
  });

  test('JSON, a read key, and a second report meanwhile', async () => {
    expect((await upload('{}', { headers: { 'content-type': 'application/json' } })).status).toBe(415);
    expect((await upload(fileOf(), { token: scene.tillfront.merchantReadKey })).status).toBe(403);
    const slow = request(`${scene.tillfront.url}/v1/settlements`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CAROL.token}`, 'content-type': 'text/csv' },
    });
    const ended = new Promise<number>((resolve) => {
      slow.on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
    });
    slow.on('error', () => undefined);
    slow.write(`${HEADER}\n`);
    // Once it has begun to come in.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const other = await upload(fileOf());
    expect([other.status, other.headers.get('retry-after')]).toEqual([503, '10']);
    // Nothing comes for 10 s.
    expect(await ended).toBe(408);
  });
});

describe('reports', () => {
  test('a summary adds up payments and money', async () => {
    for (const by of ['day', 'month', 'method', 'currency']) {
      const { body } = await scene.client.get<{
        data: Record<string, unknown>[];
        movements: Record<string, unknown>[];
      }>(
        `/v1/reports/summary?by=${by}&from=${new Date(Date.now() - 86_400_000).toISOString()}&settled=true`,
        CAROL,
      );
      expect(body.data).toHaveLength(1);
      expect(body.data[0]).toMatchObject({
        status: 'succeeded',
        currency: 'NGN',
        count: 2,
        amount: '3000.00',
        captured: '3000.00',
        refunded: '0.00',
      });
      expect(body.movements[0]).toMatchObject({
        ...{ currency: 'NGN', captured: '3000.00', refunded: '0.00', reversed: '0.00', chargedBack: '0.00' },
        ...{ net: '3000.00', settled: '3000.00', unsettled: '0.00', count: 2, late: 0 },
      });
      if (by === 'method') expect(body.movements[0]?.['method']).toBe('card');
      if (by === 'month') expect(body.movements[0]?.['month']).toMatch(/^\d{4}-\d{2}$/);
    }
    const usual = await scene.client.get<{ movements: Record<string, unknown>[] }>(
      '/v1/reports/summary',
      CAROL,
    );
    expect(usual.body.movements[0]).not.toHaveProperty('settled');
    expect((await scene.client.get('/v1/reports/summary?settled=true', CAROL)).status).toBe(400);
    expect(
      (await scene.client.get('/v1/reports/summary?from=2025-01-01&to=2025-04-02&settled=true', CAROL))
        .status,
    ).toBe(200);
  });

  test('the overview', async () => {
    const { body } = await scene.client.get<Record<string, unknown>>('/v1/reports/overview', CAROL);
    expect(body).toMatchObject({
      paid: [{ currency: 'NGN', captured: '3000.00' }],
      methods: [{ method: 'card', paid: 2, notPaid: 0 }],
      open: {
        processing: 0,
        requiresAction: 0,
        authorized: 0,
        needsAttention: 0,
        duplicates: 0,
        oldest: null,
      },
      openDifferences: 0,
      lastSettlement: { differences: 0 },
    });
  });

  test('tables run nothing in a spreadsheet', async () => {
    const payments = await scene.client.get<string>('/v1/reports/payments.csv', CAROL);
    expect(payments.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, first] = payments.text.split('\r\n');
    expect(header).toBe(
      'id,createdAt,paidAt,reference,gatewayReference,transaction,method,brand,last4,status,currency,amount,captured,refunded,disputed,duplicateOf,session',
    );
    expect(first).toContain(`${payment.id},`);
    const response = await fetch(`${scene.tillfront.url}/v1/reports/movements.csv?for=spreadsheet`, {
      headers: { authorization: `Bearer ${CAROL.token}` },
    });
    const ledger = Buffer.from(await response.arrayBuffer()).toString();
    expect(ledger.split('\r\n')[0]).toBe(
      '\ufeffid,date,time,kind,amount,currency,reference,gatewayReference,transaction,method,refund,reason,actor,source,settledAt,fee,net,netCurrency,meta.cart',
    );
    expect(ledger).toContain(",'=1+1\r\n");
    const none = await scene.client.get<string>('/v1/reports/movements.csv?to=2020-01-01', CAROL);
    expect(none.text.split('\r\n')).toHaveLength(2);
  });
});

test('who may read them: every merchant key, and no payer', async () => {
  const session = await scene.client.createSession();
  const paths = [
    'settlements',
    'differences',
    'movements',
    'reports/summary',
    'reports/overview',
    'reports/payments.csv',
    'reports/movements.csv',
  ];
  for (const path of paths) {
    for (const token of [CAROL.token, scene.tillfront.merchantReadKey, scene.tillfront.merchantKey])
      expect([path, (await scene.client.get(`/v1/${path}`, { token })).status]).toEqual([path, 200]);
    expect([path, (await scene.client.get(`/v1/${path}`, { token: session.clientToken })).status]).toEqual([
      path,
      403,
    ]);
    expect([path, (await scene.client.get(`/v1/${path}`, { token: 'nobody' })).status]).toEqual([path, 401]);
  }
});

test('a redaction erases reasons', async () => {
  scene.gateway.script('POST /payment/card', answer(approved));
  const session = await scene.client.createSession();
  const { body } = await scene.client.payCard(session);
  expect(body.status).toBe('succeeded');
  await upload(fileOf(rowOf(body.gatewayReference, '7.00')));
  const { body: list } = await scene.client.get<{ data: { id: string }[] }>(
    `/v1/differences?reference=${body.reference}`,
  );
  await scene.client.post(`/v1/differences/${list.data[0]?.id ?? ''}/note`, { note: 'Ada called.' });
  expect((await scene.client.post(`/v1/checkout-sessions/${session.id}/redact`)).status).toBe(200);
  const after = await scene.client.get<{ data: { note: string | null }[] }>(
    `/v1/differences?reference=${body.reference}`,
  );
  expect(after.body.data[0]?.note).toBeNull();
});
