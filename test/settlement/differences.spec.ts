import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  expectStatus,
  newReference,
  problemOf,
  type Answer,
  type CallOptions,
  type PaymentBody,
} from '../harness/client.js';
import { answer, approved, cardAnswer, declined } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { ANNA, approve, BEN, BOOKS, decide, FOUR_EYES, waiting, type Approved } from '../truth/approvals.js';
import { storedRows } from '../truth/stored-time.js';
import { eventsOf } from '../truth/two-paid.js';
import { report, reportRow, upload, type DifferenceBody, type SettlementBody } from './settlement-scene.js';

const DAY_MS = 24 * 3_600_000;
const carol: CallOptions = { token: BOOKS };
const anna: CallOptions = { token: ANNA };
const codeOf = (refused: Answer<unknown>): [number, string] => [refused.status, problemOf(refused).code];

interface Movement {
  id: string;
  kind: string;
  settled: Record<string, unknown> | null;
}

describe.each(anyStore)('a difference, on the %s store', (kind) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene(kind, { ...FOUR_EYES });
  });
  afterAll(() => scene?.stop());

  const pay = async (said = approved, metadata: Record<string, string> = {}): Promise<PaymentBody> => {
    scene.gateway.script('POST /payment/card', answer(said));
    const session = await scene.client.createSession({ reference: newReference(), metadata });
    return (await scene.client.payCard(session)).body;
  };
  const compare = async (...rows: string[]): Promise<SettlementBody> =>
    expectStatus(await upload(scene.tillfront, '/v1/settlements', report(...rows)), 200, 201).body;
  const list = async (query: string, options: CallOptions = {}): Promise<DifferenceBody[]> => {
    const path = `/v1/differences?limit=100&${query}`;
    return expectStatus(await scene.client.get<{ data: DifferenceBody[] }>(path, options), 200).body.data;
  };
  const act = <T = DifferenceBody>(
    { id }: { id: string },
    doing: 'close' | 'reopen' | 'note',
    body: object,
    options: CallOptions = carol,
  ): Promise<Answer<T>> => scene.client.post<T>(`/v1/differences/${id}/${doing}`, body, options);
  const openInOverview = async (): Promise<number> =>
    (await scene.client.get<{ openDifferences: number }>('/v1/reports/overview')).body.openDifferences;

  /** A payment of 1500.00 that was settled with less, and what is found of it. */
  async function less(amount = '1400.00'): Promise<{ payment: PaymentBody; found: DifferenceBody }> {
    const payment = await pay();
    await compare(reportRow(payment.gatewayReference, { amount }));
    const [found] = await list(`reference=${payment.gatewayReference}`);
    if (!found) throw new Error('Nothing differs');
    return { payment, found };
  }

  test('is closed with a reason and a note, noted and opened again, also with a key for the books', async () => {
    const { payment, found } = await less();
    const before = await openInOverview();
    expect(found).toMatchObject({
      ...{ kind: 'amount_differs', name: 'amount_differs', state: 'open', paymentId: payment.id, row: 2 },
      ...{ expected: { amount: '1500.00', currency: 'NGN' }, found: { amount: '1400.00', currency: 'NGN' } },
      ...{ note: null, closedBy: null, closedAt: null, reason: null },
    });
    const key = { ...carol, idempotencyKey: `close-${found.id}` };
    const body = { reason: 'explained', note: 'The gateway keeps its fee.' };
    const closed = expectStatus(await act(found, 'close', body, key), 200).body;
    expect(closed).toMatchObject({ state: 'closed', closedBy: 'merchant:carol', ...body });
    const again = expectStatus(await act(found, 'close', body, key), 200);
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', closed]);
    expect(codeOf(await act(found, 'close', { ...body, note: 'Other.' }, key))).toEqual([
      422,
      'idempotency-key-reused',
    ]);
    expect(codeOf(await act(found, 'close', body))).toEqual([409, 'invalid-state']);
    const noted = expectStatus(await act(found, 'note', { note: 'Asked anew.' }), 200).body;
    expect(noted).toEqual({ ...closed, note: 'Asked anew.' });
    expect(await list(`state=closed&reference=${payment.reference}`)).toEqual([noted]);
    expect(await list(`state=open&reference=${payment.reference}`)).toEqual([]);
    // The same said in another report is the same difference, with which somebody has dealt.
    await compare(reportRow(payment.gatewayReference, { amount: '1400.00' }));
    expect(await list(`state=open&reference=${payment.reference}`)).toEqual([
      expect.objectContaining({ id: found.id, state: 'open' }),
    ]);
    await act(found, 'close', body);
    const open = expectStatus(await act(found, 'reopen', {}), 200).body;
    expect(open).toMatchObject({ state: 'open', note: body.note, closedBy: null, reason: null });
    expect(codeOf(await act(found, 'reopen', {}))).toEqual([409, 'invalid-state']);
    await until(async () => (await openInOverview()) === before);
    const { body: audit } = await scene.client.get<{
      data: { actor: string; action: string; object: string | null; outcome: string }[];
    }>('/v1/audit?limit=100');
    const own = audit.data.filter(({ object }) => object === found.id).reverse();
    expect(own.map(({ actor, action, outcome }) => `${actor} ${action} ${outcome}`)).toEqual([
      'merchant:carol close ok',
      'merchant:carol close ok',
      'merchant:carol close idempotency-key-reused',
      'merchant:carol close invalid-state',
      'merchant:carol note ok',
      'merchant:carol close ok',
      'merchant:carol reopen ok',
      'merchant:carol reopen invalid-state',
    ]);
  });

  test('is found by its currency and by when it was found', async () => {
    const before = new Date().toISOString();
    const { found } = await less();
    const foundAt = Date.parse(found.foundAt);
    expect(foundAt).toBeGreaterThanOrEqual(Date.parse(before));
    expect(foundAt).toBeLessThanOrEqual(Date.now());
    const isListed = async (query: string): Promise<boolean> =>
      (await list(query)).some(({ id }) => id === found.id);
    const then = (ms: number): string => new Date(foundAt + ms).toISOString();
    const day = found.foundAt.slice(0, 10);
    for (const query of ['currency=NGN', `from=${then(0)}`, `to=${then(1)}`, `from=${day}&to=${day}`])
      expect([query, await isListed(`${query}&reference=${found.reference}`)]).toEqual([query, true]);
    for (const query of ['currency=USD', `from=${then(1)}`, `to=${then(0)}`, 'to=2020-12-31'])
      expect([query, await isListed(`${query}&reference=${found.reference}`)]).toEqual([query, false]);
    expect((await list('currency=NGN')).every((one) => one.found?.currency === 'NGN')).toBe(true);
    for (const query of ['currency=naira', 'from=yesterday', `from=${then(1)}&to=${then(0)}`])
      expect(codeOf(await scene.client.get(`/v1/differences?${query}`))).toEqual([400, 'validation-failed']);
  });

  test('is listed over all reports, by its names of now and of before', async () => {
    const twice = await pay();
    const rows = [reportRow(twice.gatewayReference), reportRow(twice.gatewayReference)];
    const { id } = await compare(...rows);
    const [found] = await list(`kind=settled_twice&reference=${twice.reference}`);
    expect(found).toMatchObject({ kind: 'settled_twice', name: 'settled_twice', settlementId: id });
    expect(await list(`kind=twice_there&reference=${twice.reference}`)).toEqual([found]);
    const own = await scene.client.get<{ data: DifferenceBody[] }>(
      `/v1/settlements/${id}/differences?kind=twice_there`,
    );
    expect(own.body.data).toMatchObject([{ id: found?.id, kind: 'twice_there', name: 'settled_twice' }]);
    expect(codeOf(await scene.client.get('/v1/differences?kind=other'))).toEqual([400, 'validation-failed']);
    expect(codeOf(await scene.client.get('/v1/differences?cursor=1'))).toEqual([400, 'validation-failed']);
    type Page = { data: DifferenceBody[]; nextCursor: string | null };
    const all: DifferenceBody[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: Page = (await scene.client.get<Page>(`/v1/differences?limit=1${query}`)).body;
      all.push(...page.data);
      cursor = page.nextCursor;
    }
    expect(all).toEqual(await list(''));
    expect(codeOf(await act({ id: 'dif_none' }, 'note', { note: 'x' }))).toEqual([404, 'not-found']);
  });

  test('of which little is written off is closed at once, and of which much is, by another person', async () => {
    const [small, large] = [await less('1400.00'), await less('100.00')];
    const off = { reason: 'written_off', note: 'Not worth a letter.' };
    expect(expectStatus(await act(small.found, 'close', off, anna), 200).body.state).toBe('closed');

    const key = { ...anna, idempotencyKey: `off-${large.found.id}` };
    const approval = waiting(await act(large.found, 'close', off, key));
    expect(approval).toMatchObject({
      ...{ kind: 'write_off', state: 'waiting', amount: '1400.00', currency: 'NGN', reason: off.note },
      ...{ askedBy: 'merchant:anna', paymentId: large.payment.id },
    });
    expect((await list(`reference=${large.payment.reference}`))[0]).toMatchObject({
      state: 'open',
      note: null,
    });
    await until(async () => (await eventsOf(scene, large.found)).length === 1);
    const [event] = await eventsOf(scene, large.found);
    expect(event).toMatchObject({ type: 'difference.approval_needed', data: { kind: 'amount_differs' } });
    // The asker is answered the same, and nobody else may ask beside.
    expect(waiting(await act(large.found, 'close', off, key)).id).toBe(approval.id);
    expect(codeOf(await act(large.found, 'close', off))).toEqual([409, 'invalid-state']);
    for (const token of [ANNA, BOOKS])
      expect(codeOf(await approve(scene, approval, { token }))).toEqual([403, 'forbidden']);
    const done = expectStatus(await approve<DifferenceBody>(scene, approval), 200).body;
    expect(done.result).toMatchObject({
      ...{ id: large.found.id, state: 'closed', closedBy: 'merchant:anna', ...off },
    });
    expect(done.approval).toMatchObject({ state: 'approved', decidedBy: 'merchant:ben' });
    const replay = expectStatus(await act<Approved>(large.found, 'close', off, key), 200);
    expect(replay.body.result).toMatchObject({ id: large.found.id, state: 'closed' });
    expect(codeOf(await approve(scene, approval, { token: BEN }))).toEqual([409, 'invalid-state']);
  });

  test('of two currencies is apart by all that the ledger has, and by all that the file has', async () => {
    const off = { reason: 'written_off', note: 'Let it be.' };
    for (const [currency, amount, asked] of [
      ['USD', '1.00', '1500.00 NGN'],
      ['JPY', '1', '1500.00 NGN'],
      ['USD', '50.01', '1500.00 NGN'],
    ] as const) {
      const payment = await pay();
      await compare(reportRow(payment.gatewayReference, { currency, amount, fee: '' }));
      const [found] = await list(`reference=${payment.gatewayReference}`);
      expect(found?.kind).toBe('currency_differs');
      const approval = waiting(await act(found as DifferenceBody, 'close', off, anna));
      expect(`${approval.amount} ${approval.currency}`).toBe(asked);
    }
    const unknown = newReference();
    await compare(reportRow(`${unknown}_1`, { currency: 'USD', amount: '50.01', fee: '' }));
    const [found] = await list(`reference=${unknown}_1`);
    expect(waiting(await act(found as DifferenceBody, 'close', off, anna))).toMatchObject({
      amount: '50.01',
    });
  });

  test('of money that an order should not have is written off whole', async () => {
    const payment = await pay();
    const { id } = await compare(reportRow(payment.gatewayReference));
    const orders = `reference,amount,currency,status\n${payment.reference},1500.00,NGN,open\n`;
    expectStatus(await upload(scene.tillfront, `/v1/settlements/${id}/orders`, orders), 200);
    const [found] = await list(`kind=order_unknown&reference=${payment.reference}`);
    const off = { reason: 'written_off', note: 'Let it be.' };
    expect(waiting(await act(found as DifferenceBody, 'close', off, anna)).amount).toBe('1500.00');
  });

  test('that has grown since its write-off was asked for is not written off by that', async () => {
    const { payment, found } = await less('100.00');
    const off = { reason: 'written_off', note: 'Let it be.' };
    const approval = waiting(await act(found, 'close', off, anna));
    await compare(
      reportRow(payment.gatewayReference, {
        amount: '9000.00',
        settledAt: new Date(Date.now() + 1).toISOString(),
      }),
    );
    const [grown] = await list(`reference=${payment.reference}`);
    expect(grown).toMatchObject({ id: found.id, state: 'open', found: { amount: '9100.00' } });
    expect(codeOf(await approve(scene, approval, { token: BEN }))).toEqual([409, 'invalid-state']);
    expect((await list(`reference=${payment.reference}`))[0]?.state).toBe('open');
    expectStatus(await decide(scene, 'decline', approval, { token: BEN }), 200);
    const again = waiting(await act(found, 'close', off, anna));
    expect(again.amount).toBe('7600.00');
    expectStatus(await approve(scene, again, { token: BEN }), 200);
    expect((await list(`reference=${payment.reference}`))[0]?.state).toBe('closed');
  });

  test('whose write-off is declined, or is over by then, stays as it is', async () => {
    const [one, other] = [await less('100.00'), await less('200.00')];
    const off = { reason: 'written_off', note: 'Let it be.' };
    const declinedOne = waiting(await act(one.found, 'close', off));
    await decide(scene, 'decline', declinedOne, { token: BEN });
    expect((await list(`reference=${one.payment.reference}`))[0]).toMatchObject({
      state: 'open',
      note: null,
    });
    // Whoever asked may ask again.
    expect(waiting(await act(one.found, 'close', off)).id).not.toBe(declinedOne.id);

    const approval = waiting(await act(other.found, 'close', off));
    await compare(reportRow(other.payment.gatewayReference, { amount: '1300.00' }));
    expect((await list(`reference=${other.payment.reference}`))[0]).toMatchObject({
      state: 'closed',
      closedBy: null,
    });
    expect(codeOf(await approve(scene, approval, { token: BEN }))).toEqual([409, 'invalid-state']);
  });

  test('closes itself when what it lacked arrives', async () => {
    const late = await pay(declined);
    await compare(reportRow(late.gatewayReference));
    expect((await list(`reference=${late.reference}`))[0]).toMatchObject({
      kind: 'not_paid_here',
      state: 'open',
    });
    scene.gateway.script(
      'GET /transaction/*',
      answer(cardAnswer({ status: 'SUCCESS', amount: '1500.00', currency: 'NGN' })),
    );
    await scene.client.post(`/v1/payments/${late.id}/refresh`);
    await until(async () => (await list(`reference=${late.reference}`))[0]?.state === 'closed');
    expect((await list(`reference=${late.reference}`))[0]).toMatchObject({ closedBy: null, reason: null });
  });

  test('what a report settles stands in the ledger, its sums and its table', async () => {
    const payment = await pay();
    const movementOf = async (): Promise<Movement | undefined> =>
      (await scene.client.get<{ data: Movement[] }>(`/v1/movements?paymentId=${payment.id}`)).body.data[0];
    type Summary = { movements: { net: string; settled: string; unsettled: string }[] };
    const settledSum = async (): Promise<number> => {
      const { body } = await scene.client.get<Summary>('/v1/reports/summary?by=currency');
      const [sum] = body.movements;
      expect(Number(sum?.settled) + Number(sum?.unsettled)).toBeCloseTo(Number(sum?.net), 2);
      return Number(sum?.settled);
    };
    expect((await movementOf())?.settled).toBeNull();
    const before = await settledSum();
    const settledAt = '2031-01-05T10:00:00.000Z';
    // In two parts: it is whole with the second.
    const first = await compare(
      reportRow(payment.gatewayReference, { amount: '500.00', fee: '7.50', settledAt }),
    );
    expect([first.rowsMatched, first.rowsDifferent, (await movementOf())?.settled]).toEqual([0, 1, null]);
    const rest = { amount: '1000.00', fee: '15.00', settledAt: '2031-01-06T10:00:00.000Z' };
    const second = await compare(reportRow(payment.gatewayReference, rest));
    expect([second.rowsMatched, second.rowsDifferent]).toEqual([1, 0]);
    expect(await list(`state=open&reference=${payment.reference}`)).toEqual([]);
    expect((await movementOf())?.settled).toEqual({
      ...{
        settlementId: second.id,
        line: 2,
        at: rest.settledAt,
        gross: '1500.00',
        fee: '22.50',
        net: '1477.50',
      },
    });
    await until(async () => (await settledSum()) === before + 1500);
    const csv = (await scene.client.get(`/v1/reports/movements.csv`)).text;
    const line = csv.split('\r\n').find((one) => one.includes(payment.gatewayReference)) ?? '';
    expect(line).toMatch(/,2031-01-06T10:00:00.000Z,22\.50,1477\.50/);
  });

  test('the ledger’s table has what a payment’s metadata says, whatever its names', async () => {
    const plain = await pay();
    const named = await pay(approved, { toString: 'one', constructors: 'two', valueOf: 'three' });
    const { status, text } = await scene.client.get(`/v1/reports/movements.csv`);
    expect(status).toBe(200);
    const [header = '', ...lines] = text.split('\r\n');
    const cells = ({ reference }: PaymentBody): (string | undefined)[] => {
      const own = lines.find((line) => line.includes(`,${reference},`))?.split(',') ?? [];
      return ['toString', 'constructors', 'valueOf'].map(
        (name) => own[header.split(',').indexOf(`meta.${name}`)],
      );
    };
    expect(cells(named)).toEqual(['one', 'two', 'three']);
    expect(cells(plain)).toEqual(['', '', '']);
  });

  test('names what no report has, once it is old enough and a newer one came', async () => {
    const [absent, listed] = [await pay(), await pay()];
    const ago = (payment: PaymentBody, days: number): Promise<unknown> =>
      storedRows(scene, `update movements set at = at - ${days * DAY_MS} where payment_id = '${payment.id}'`);
    await ago(absent, 6);
    await ago(listed, 6);
    const settlement = await compare(reportRow(listed.gatewayReference));
    const [found] = await list(`reference=${absent.gatewayReference}`);
    expect(found).toMatchObject({
      ...{ kind: 'not_settled', state: 'open', settlementId: null, row: null, paymentId: absent.id },
      ...{ expected: { amount: '1500.00', currency: 'NGN' }, found: null },
    });
    expect(await list(`kind=missing_there&reference=${absent.gatewayReference}`)).toEqual([found]);
    // It is none of that report, whose time it is not in.
    const own = await scene.client.get<{ data: DifferenceBody[] }>(
      `/v1/settlements/${settlement.id}/differences`,
    );
    expect(own.body.data).toEqual([]);
    const settledAt = new Date(Date.now() - 8 * DAY_MS).toISOString();
    const wide = await compare(
      reportRow(`${newReference()}_1`, { settledAt }),
      reportRow(`${newReference()}_1`),
    );
    expect(wide.counts).toMatchObject({ not_settled: 1, missing_there: 1 });
    await compare(reportRow(absent.gatewayReference));
    expect((await list(`reference=${absent.gatewayReference}`))[0]).toMatchObject({ state: 'closed' });
  });
});
