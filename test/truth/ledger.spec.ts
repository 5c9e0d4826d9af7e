import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, problemOf, type PaymentBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { giveBack, REFUND, refundsOf, resolveRefund, says, withRefundStatus } from './refunds.js';
import { act, answer, asked, approved, otherAmount, payCard, say, voided, VOID, will } from './situations.js';
import { storedRows } from './stored-time.js';

interface Movement {
  id: string;
  kind: string;
  direction: 'in' | 'out';
  amount: string;
  currency: string;
  at: string;
  recordedAt: string;
  late: boolean;
  paymentId: string;
  reference: string;
  gatewayReference: string;
  transactionRef: string | null;
  refundId: string | null;
  actor: string;
  reason: string | null;
  source: string;
  settled: {
    settlementId: string;
    line: number;
    at: string | null;
    gross: string;
    fee: string | null;
    net: string | null;
  } | null;
}

interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

/** Fourteen hours before UTC: its days are others for most of each. */
const ZONE = 'Pacific/Kiritimati';
const AHEAD_MS = 14 * 3_600_000;
const DAY = 24 * 3_600_000;
const local = (at: string | number): string => new Date(new Date(at).getTime() + AHEAD_MS).toISOString();
const minor = (amount: string | null | undefined): number => Math.round(Number(amount ?? 0) * 100);

describe.each(anyStore)('the ledger on the %s store', (kind) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene(kind, { GATEWAY_PROFILE: withRefundStatus(), BOOKS_TIME_ZONE: ZONE });
  });
  afterAll(() => scene?.stop());

  const list = async (query: string): Promise<Page<Movement>> =>
    expectStatus(await scene.client.get<Page<Movement>>(`/v1/movements?${query}`), 200).body;
  const ledgerOf = async ({ id }: PaymentBody): Promise<Movement[]> => (await list(`paymentId=${id}`)).data;
  const shown = (movements: readonly Movement[]): unknown[] =>
    movements.map(({ kind: of, direction, amount, source }) => [of, direction, amount, source]);

  async function paid(more: object = {}): Promise<PaymentBody> {
    const session = await scene.client.createSession(more);
    return (await payCard(scene, answer(approved), session)).payment;
  }

  /** What a payment says of its amounts is the sum of its movements. */
  async function expectSums({ id }: PaymentBody): Promise<void> {
    const payment = await scene.client.getPayment(id);
    const sum = (kinds: string[], movements: readonly Movement[]): number =>
      movements
        .filter(({ kind: of }) => kinds.includes(of))
        .reduce((total, { direction, amount }) => total + (direction === 'in' ? 1 : -1) * minor(amount), 0);
    const movements = await ledgerOf(payment);
    expect({
      captured: sum(['payment', 'correction'], movements),
      refunded: -sum(['refund', 'refund_reversal'], movements) + 0,
      disputed: -sum(['chargeback', 'chargeback_reversal'], movements) + 0,
    }).toEqual({
      captured: minor(payment.amountCaptured),
      refunded: minor(payment.amountRefunded),
      disputed: minor(payment.amountDisputed),
    });
  }

  test('has each move of money, whoever made it', async () => {
    const payment = await paid();
    const [entry] = await ledgerOf(payment);
    expect(entry).toEqual({
      id: expect.stringMatching(/^mov_/),
      kind: 'payment',
      direction: 'in',
      amount: '1500.00',
      currency: 'NGN',
      at: payment.paidAt,
      recordedAt: payment.updatedAt,
      late: false,
      paymentId: payment.id,
      reference: payment.reference,
      gatewayReference: payment.gatewayReference,
      transactionRef: expect.any(String),
      refundId: null,
      method: 'card',
      actor: 'gateway',
      reason: null,
      source: 'gateway',
      settled: null,
    });
    await expectSums(payment);

    will(scene, REFUND, payment, says('REFUNDED', { amount: '500.00', currency: 'NGN' }));
    const reason = 'Ada’s size did not fit';
    const { body: refund } = expectStatus(await giveBack(scene, payment, { amount: '500.00', reason }), 201);
    const refunded = (await ledgerOf(payment)).at(-1);
    expect(refunded).toMatchObject({
      kind: 'refund',
      direction: 'out',
      amount: '500.00',
      refundId: refund.id,
    });
    expect(refunded).toMatchObject({ reason, actor: expect.stringMatching(/^merchant/), source: 'gateway' });
    await expectSums(payment);

    // Some more, at the gateway's own dashboard.
    scene.gateway.script(
      `GET /refund/${payment.gatewayReference}_r1`,
      says('REFUNDED', { amount: '500.00' }),
    );
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '700.00' }));
    await asked(scene, payment);
    expect((await ledgerOf(payment)).at(-1)).toMatchObject({
      ...{ kind: 'refund', amount: '200.00', refundId: null, actor: 'gateway', reason: null },
    });
    await expectSums(payment);

    // Our own refund came back.
    expectStatus(await resolveRefund(scene, payment, refund, 'failed'), 200);
    expect((await ledgerOf(payment)).at(-1)).toMatchObject({
      ...{
        kind: 'refund_reversal',
        direction: 'in',
        amount: '500.00',
        refundId: refund.id,
        source: 'person',
      },
    });
    await expectSums(payment);
    expect(shown(await ledgerOf(payment))).toEqual([
      ['payment', 'in', '1500.00', 'gateway'],
      ['refund', 'out', '500.00', 'gateway'],
      ['refund', 'out', '200.00', 'gateway'],
      ['refund_reversal', 'in', '500.00', 'person'],
    ]);

    const all = expectStatus(await scene.client.get<Page<Record<string, unknown>>>('/v1/refunds'), 200).body;
    const own = all.data.filter(({ paymentId }) => paymentId === payment.id);
    const same = { paymentId: payment.id, reference: payment.reference, currency: 'NGN' };
    expect(own).toEqual([
      expect.objectContaining({
        ...same,
        source: 'gateway',
        actor: 'gateway',
        status: 'succeeded',
        amount: '200.00',
        reason: null,
      }),
      expect.objectContaining({
        ...same,
        id: refund.id,
        source: 'merchant',
        actor: 'merchant',
        status: 'failed',
        amount: '500.00',
        reason,
      }),
    ]);
    expect((await refundsOf(scene, payment)).map(({ reason: why }) => why)).toEqual([reason]);
  });

  test('has a void, a dispute and its end, and what a person corrects', async () => {
    const reversed = await paid();
    will(scene, VOID, reversed, answer(voided));
    expectStatus(await act(scene, 'void', reversed), 200);
    const [, undone] = await ledgerOf(reversed);
    expect(undone).toMatchObject({ kind: 'void', direction: 'out', amount: '1500.00' });
    expect(undone?.actor).toMatch(/^merchant/);
    await expectSums(reversed);

    const disputed = await paid();
    say(scene, disputed, says('CHARGEBACK'));
    await asked(scene, disputed);
    await expectSums(disputed);
    say(scene, disputed, says('CHARGEBACK_REVERSED'));
    await asked(scene, disputed);
    expect(shown(await ledgerOf(disputed)).slice(1)).toEqual([
      ['chargeback', 'out', '1500.00', 'gateway'],
      ['chargeback_reversal', 'in', '1500.00', 'gateway'],
    ]);
    await expectSums(disputed);

    const corrected = await paid();
    say(scene, corrected, otherAmount);
    expect((await asked(scene, corrected)).needsAttention).toBe(true);
    const note = 'The bank kept a fee.';
    const word = { status: 'succeeded', amountReceived: '1400.00', note };
    expectStatus(await act(scene, 'resolve', corrected, word), 200);
    const [, correction] = await ledgerOf(corrected);
    expect(correction).toMatchObject({
      kind: 'correction',
      direction: 'out',
      amount: '100.00',
      reason: note,
    });
    await expectSums(corrected);

    const session = await scene.client.createSession();
    const { payment: unclear } = await payCard(scene, otherAmount, session);
    expect(await ledgerOf(unclear)).toEqual([]);
    expectStatus(await act(scene, 'resolve', unclear, { status: 'succeeded', note }), 200);
    expect(shown(await ledgerOf(unclear))).toEqual([['payment', 'in', '1500.00', 'person']]);
    await expectSums(unclear);

    const { payment: failed } = await payCard(scene, otherAmount);
    const nothing = await act(scene, 'resolve', failed, { status: 'failed', amountReceived: '1.00', note });
    expect(problemOf(nothing)).toMatchObject({ errors: [{ pointer: '/amountReceived' }] });
  });

  test('is listed by each filter, page after page', async () => {
    const from = new Date(Date.now() - 1).toISOString();
    const some = [await paid(), await paid(), await paid()];
    will(scene, REFUND, some[0] as PaymentBody, says('REFUNDED', { amount: '500.00', currency: 'NGN' }));
    expectStatus(await giveBack(scene, some[0] as PaymentBody, { amount: '500.00' }), 201);
    const all = await list(`from=${from}`);
    expect(shown(all.data).map((one) => (one as string[])[0])).toEqual([
      'payment',
      'payment',
      'payment',
      'refund',
    ]);
    expect(all.nextCursor).toBeNull();
    const pages: Movement[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page<Movement> = await list(
        `from=${from}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(page.data.length).toBeLessThanOrEqual(2);
      pages.push(...page.data);
      cursor = page.nextCursor;
    }
    expect(pages).toEqual(all.data);
    const ids = async (query: string): Promise<string[]> =>
      (await list(`from=${from}&${query}`)).data.map(({ id }) => id);
    const [first, second, third, refund] = all.data.map(({ id }) => id);
    expect(await ids('kind=refund')).toEqual([refund]);
    expect(await ids('kind=payment')).toEqual([first, second, third]);
    expect(await ids('kind=chargeback')).toEqual([]);
    expect(await ids('currency=NGN')).toHaveLength(4);
    expect(await ids('currency=USD')).toEqual([]);
    expect(await ids(`reference=${some[0]?.reference}`)).toEqual([first, refund]);
    expect(await ids(`paymentId=${some[1]?.id}`)).toEqual([second]);
    expect(await ids('paymentId=pay_unknown')).toEqual([]);
    // `to` is not within.
    expect(await ids(`to=${all.data[1]?.at}`)).toEqual([first]);
    expect(await ids('settled=false')).toHaveLength(4);
    expect(await ids('settled=true')).toEqual([]);
    for (const [name, value] of [
      ...[
        ['kind', 'charge'],
        ['currency', 'ngn'],
        ['settled', 'maybe'],
        ['limit', '101'],
        ['cursor', 'x'],
      ],
      ...[
        ['paymentId', 'ref_1'],
        ['reference', '_'],
        ['from', 'yesterday'],
      ],
    ] as const) {
      const refused = await scene.client.get(`/v1/movements?${name}=${value}`);
      expect(problemOf(refused)).toMatchObject({
        code: 'validation-failed',
        errors: [{ pointer: `/${name}` }],
      });
    }
  });

  test('says which report has settled a movement, once it is settled in whole', async () => {
    const from = new Date(Date.now() - 1).toISOString();
    const payment = await paid();
    const other = await paid();
    const [{ id } = { id: '' }] = await ledgerOf(payment);
    const report = async (settlement: string): Promise<void> => {
      await storedRows(
        scene,
        `insert into settlements (id, digest, received_at, actor, row_count, counts, finished_at)
          values ('${settlement}', '${settlement}', 1, 'merchant', 0, '{}', null)`,
      );
    };
    const match = async (settlement: string, line: number, gross: number, at: number): Promise<void> => {
      await storedRows(
        scene,
        `insert into settlement_matches (settlement_id, line, movement_id, gross, fee, net, at)
          values ('${settlement}', ${line}, '${id}', '${gross}', '${gross / 100}', '${(gross * 99) / 100}', ${at})`,
      );
    };
    const finish = (settlement: string): Promise<unknown> =>
      storedRows(scene, `update settlements set finished_at = 1 where id = '${settlement}'`);
    const settledOf = async (): Promise<Movement['settled'] | undefined> =>
      (await ledgerOf(payment))[0]?.settled;
    const ids = async (settled: boolean): Promise<string[]> =>
      (await list(`from=${from}&settled=${settled}`)).data.map(({ paymentId }) => paymentId);

    await report('stl_ledger1');
    await match('stl_ledger1', 3, 100_000, 1);
    // Nothing of a report counts that is still compared.
    expect(await settledOf()).toBeNull();
    await finish('stl_ledger1');
    // A part is not the whole.
    expect(await settledOf()).toBeNull();
    expect(await ids(false)).toEqual([payment.id, other.id]);
    await report('stl_ledger2');
    await match('stl_ledger2', 9, 50_000, 86_400_000);
    await finish('stl_ledger2');
    const whole = { settlementId: 'stl_ledger2', line: 9, at: '1970-01-02T00:00:00.000Z' };
    expect(await settledOf()).toEqual({ ...whole, gross: '1500.00', fee: '15.00', net: '1485.00' });
    expect(await ids(true)).toEqual([payment.id]);
    expect(await ids(false)).toEqual([other.id]);
    const { body } = expectStatus(
      await scene.client.get<{ movements: unknown[] }>(`/v1/reports/summary?by=currency&from=${from}`),
      200,
    );
    expect(body.movements).toEqual([
      {
        currency: 'NGN',
        ...{ captured: '3000.00', refunded: '0.00', reversed: '0.00', chargedBack: '0.00', net: '3000.00' },
        ...{ settled: '1500.00', unsettled: '1500.00', count: 2, late: 0 },
      },
    ]);
    const [header = [], ...rows] = await table(`from=${from}`);
    const row = rows[0] ?? [];
    const cell = (name: string): string | undefined => row[header.indexOf(name)];
    expect([cell('settledAt'), cell('fee'), cell('net')]).toEqual([
      '1970-01-02T00:00:00.000Z',
      '15.00',
      '1485.00',
    ]);
    // What the sums have taken over in the meantime changes nothing.
    await until(async () => {
      const open = await storedRows(scene, 'select line from settlement_matches where summed <> gross');
      return open.length === 0;
    }, 60_000);
    const again = await scene.client.get<object>(`/v1/reports/summary?by=currency&from=${from}`);
    expect(again.body).toEqual(body);
    expect(await ids(true)).toEqual([payment.id]);
    expect(await ids(false)).toEqual([other.id]);
  }, 120_000);

  /** The table, by lines and cells that hold no commas. */
  async function table(query: string): Promise<string[][]> {
    const answered = expectStatus(await scene.client.get<string>(`/v1/reports/movements.csv?${query}`), 200);
    expect(answered.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/);
    return answered.text
      .split('\r\n')
      .slice(0, -1)
      .map((line) => line.split(','));
  }

  test('adds up by the days and months of its time zone, and says what came late', async () => {
    const payment = await paid();
    will(scene, REFUND, payment, says('REFUNDED', { amount: '500.00', currency: 'NGN' }));
    expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 201);
    // The last hour of a January there, and the first of a February; the refund was learned of two months later.
    const ends = Date.UTC(2024, 1, 1) - AHEAD_MS;
    const [sale, refund] = await ledgerOf(payment);
    const move = (id: string | undefined, at: number, recordedAt: number): Promise<unknown> =>
      storedRows(scene, `update movements set at = ${at}, recorded_at = ${recordedAt} where id = '${id}'`);
    await move(sale?.id, ends, ends);
    await move(refund?.id, ends - 1, ends + 60 * DAY);
    const money = { currency: 'NGN', reversed: '0.00', chargedBack: '0.00', settled: '0.00', count: 1 };
    const january = {
      ...money,
      captured: '0.00',
      refunded: '500.00',
      net: '-500.00',
      unsettled: '-500.00',
      late: 1,
    };
    const february = {
      ...money,
      captured: '1500.00',
      refunded: '0.00',
      net: '1500.00',
      unsettled: '1500.00',
      late: 0,
    };
    const summary = async (query: string): Promise<unknown[]> =>
      expectStatus(await scene.client.get<{ movements: unknown[] }>(`/v1/reports/summary?${query}`), 200).body
        .movements;
    // A restart sums anew what was changed by hand.
    await storedRows(scene, `delete from meta where name = 'summed_movements'`);
    expect(await summary('by=month&from=2024-01-01&to=2024-12-31')).toEqual([
      { month: '2024-01', ...january },
      { month: '2024-02', ...february },
    ]);
    expect(await summary('by=day&from=2024-01-31&to=2024-01-31')).toEqual([
      { day: '2024-01-31', ...january },
    ]);
    expect(await summary('by=day&from=2024-02-01&to=2024-02-01')).toEqual([
      { day: '2024-02-01', ...february },
    ]);
    expect(await summary('by=method&from=2024-02-01&to=2024-02-01')).toEqual([
      { method: 'card', ...february },
    ]);
    const data = (await list('from=2024-01-01&to=2024-12-31')).data;
    expect(data.map(({ kind: of, late }) => [of, late])).toEqual([
      ['refund', true],
      ['payment', false],
    ]);
    expect((await list('from=2024-02-01&to=2024-02-01')).data.map(({ kind: of }) => of)).toEqual(['payment']);
  });

  test('opens in a spreadsheet as it is', async () => {
    const payment = await paid({ metadata: { shop: '=1+1', 'cart.id': '42' } });
    await storedRows(scene, `update payments set transaction_ref = '@T' where id = '${payment.id}'`);
    will(scene, REFUND, payment, says('REFUNDED', { amount: '500.00', currency: 'NGN' }));
    const { body: refund } = expectStatus(
      await giveBack(scene, payment, { amount: '500.00', reason: '-1' }),
      201,
    );
    const [header = [], ...rows] = await table(`from=${payment.paidAt}`);
    expect(header).toEqual([
      ...['id', 'date', 'time', 'kind', 'amount', 'currency', 'reference', 'gatewayReference', 'transaction'],
      ...['method', 'refund', 'reason', 'actor', 'source', 'settledAt', 'fee', 'net'],
      ...['meta.cart.id', 'meta.shop'],
    ]);
    const [sale, undone] = await ledgerOf(payment);
    const at = local(String(sale?.at));
    const cellsOf = (movement: Movement | undefined): Record<string, string> => {
      const row = rows.find(([id]) => id === movement?.id) ?? [];
      return Object.fromEntries(header.map((name, index) => [name, row[index] ?? '']));
    };
    expect(cellsOf(sale)).toMatchObject({
      ...{
        date: at.slice(0, 10),
        time: at.slice(11, 19),
        kind: 'payment',
        amount: '1500.00',
        currency: 'NGN',
      },
      ...{ reference: payment.reference, gatewayReference: payment.gatewayReference, method: 'card' },
      ...{ refund: '', reason: '', actor: 'gateway', source: 'gateway', settledAt: '', fee: '', net: '' },
      ...{ 'meta.shop': `'=1+1`, 'meta.cart.id': '42' },
    });
    expect(cellsOf(undone)).toMatchObject({
      kind: 'refund',
      amount: '-500.00',
      refund: refund.id,
      reason: `'-1`,
    });
    const plain = await fetch(`${scene.tillfront.url}/v1/reports/movements.csv`, {
      headers: { authorization: `Bearer ${scene.tillfront.merchantKey}` },
    });
    const bytes = async (answered: Response): Promise<number[]> => [
      ...new Uint8Array(await answered.arrayBuffer()).subarray(0, 3),
    ];
    expect(await bytes(plain)).toEqual([...Buffer.from('id,')]);
    for (const name of ['movements', 'payments']) {
      const marked = await fetch(`${scene.tillfront.url}/v1/reports/${name}.csv?for=spreadsheet`, {
        headers: { authorization: `Bearer ${scene.tillfront.merchantKey}` },
      });
      expect(await bytes(marked)).toEqual([0xef, 0xbb, 0xbf]);
    }
    expect(problemOf(await scene.client.get('/v1/reports/movements.csv?for=paper'))).toMatchObject({
      errors: [{ pointer: '/for' }],
    });
  });

  test('is a table whatever names metadata has, and however many', async () => {
    const from = new Date(Date.now() - 1).toISOString();
    await paid();
    await paid({ metadata: { toString: 'a', __proto__x: 'b', hasOwnProperty: 'c' } });
    const names = Array.from({ length: 14 * 16 }, (_, index) => `item_${String(index).padStart(3, '0')}`);
    for (let at = 0; at < names.length; at += 16)
      await paid({ metadata: Object.fromEntries(names.slice(at, at + 16).map((name) => [name, 'x'])) });
    await paid({ metadata: { zcart: '42' } });
    const [header = [], ...rows] = await table(`from=${from}`);
    const own = header.filter((name) => name.startsWith('meta.'));
    expect([own.length, own[0], own.at(-1)]).toEqual([201, 'meta.__proto__x', 'meta.*']);
    expect(rows.length).toBe(17);
    const cell = (row: string[] | undefined, name: string): string | undefined => row?.[header.indexOf(name)];
    expect(cell(rows[0], 'meta.hasOwnProperty')).toBe('');
    expect(cell(rows[1], 'meta.hasOwnProperty')).toBe('c');
    expect(cell(rows[1], 'meta.*')).toBe('"{""toString"":""a""}"');
    expect(cell(rows.at(-1), 'meta.*')).toBe('"{""zcart"":""42""}"');
  });

  test('lists all refunds, by time and status', async () => {
    const from = new Date(Date.now() - 1).toISOString();
    const [one, two] = [await paid(), await paid()];
    will(scene, REFUND, one, says('REFUNDED', { amount: '500.00', currency: 'NGN' }));
    expectStatus(await giveBack(scene, one, { amount: '500.00' }), 201);
    will(scene, REFUND, two, { do: 'reset-after-reading' });
    scene.gateway.script(`GET /refund/${two.gatewayReference}_r1`, { do: 'reset-after-reading' });
    expectStatus(await giveBack(scene, two, { amount: '100.00' }), 202);
    const three = await paid();
    say(scene, three, says('PARTIALLY_REFUNDED', { refundedAmount: '300.00' }));
    await asked(scene, three);
    const refunds = async (
      query: string,
    ): Promise<Page<{ paymentId: string; status: string; source: string }>> =>
      expectStatus(
        await scene.client.get<Page<{ paymentId: string; status: string; source: string }>>(
          `/v1/refunds?from=${from}&${query}`,
        ),
        200,
      ).body;
    const found = async (query: string): Promise<string[]> =>
      (await refunds(query)).data.map(({ paymentId, status, source }) => `${paymentId} ${status} ${source}`);
    const all = [
      `${three.id} succeeded gateway`,
      `${two.id} processing merchant`,
      `${one.id} succeeded merchant`,
    ];
    expect(await found('')).toEqual(all);
    expect(await found('status=succeeded')).toEqual([all[0], all[2]]);
    expect(await found('status=processing')).toEqual([all[1]]);
    expect(await found('status=failed')).toEqual([]);
    const first = await refunds('limit=2');
    expect(first.data).toHaveLength(2);
    expect((await refunds(`limit=2&cursor=${first.nextCursor}`)).data).toHaveLength(1);
    const before = await scene.client.get<Page<unknown>>('/v1/refunds?from=2020-01-01&to=2020-12-31');
    expect(expectStatus(before, 200).body.data).toEqual([]);
    expect(problemOf(await scene.client.get('/v1/refunds?status=done'))).toMatchObject({
      errors: [{ pointer: '/status' }],
    });
  });
});
