import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../cli/run-cli.js';
import { expectStatus, problemOf, type PaymentBody } from '../harness/client.js';
import { walletStarted } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { stores } from '../harness/test-store.js';
import { act, answer, paymentThatIs, voided, VOID, will } from './situations.js';
import { storedRows } from './stored-time.js';

/** What the payments come to, and how they are found. */

interface Row {
  day?: string;
  method?: string;
  status: string;
  currency: string;
  count: number;
  amount: string;
  captured: string;
  refunded: string;
}

describe.each(stores)('on the %s store', (kind) => {
  let scene: Scene;
  let paid: PaymentBody;
  let undone: PaymentBody;
  let waiting: PaymentBody;

  const list = async (query: string): Promise<string[]> => {
    const { body } = expectStatus(
      await scene.client.get<{ data: PaymentBody[] }>(`/v1/payments?${query}`),
      200,
    );
    return body.data.map(({ id }) => id);
  };
  const summary = async (query: string): Promise<Row[]> =>
    expectStatus(await scene.client.get<{ data: Row[] }>(`/v1/reports/summary?${query}`), 200).body.data;
  const cells = (text: string): string[][] =>
    text
      .split('\r\n')
      .slice(0, -1)
      .map((line) => line.split(','));

  beforeAll(async () => {
    scene = await startScene(kind, { SHUTDOWN_GRACE_MS: '3000' });
    paid = (await paymentThatIs(scene, 'succeeded')).payment;
    undone = (await paymentThatIs(scene, 'succeeded')).payment;
    will(scene, VOID, undone, answer(voided));
    undone = expectStatus(await act(scene, 'void', undone), 200).body;
    const session = await scene.client.createSession({
      reference: `-1.${paid.reference.slice(-20)}`,
      amount: '20.50',
    });
    will(scene, 'POST /init-partner', session, walletStarted({ amount: { total: 2050, currency: 'NGN' } }));
    waiting = expectStatus(await scene.client.payWallet(session), 201).body;
  });
  afterAll(() => scene?.stop());

  test('payments are found by each filter', async () => {
    expect(await list('method=wallet')).toEqual([waiting.id]);
    expect(await list('amount=20.5')).toEqual([waiting.id]);
    expect(await list('currency=USD&method=wallet')).toEqual([]);
    expect(await list('currency=NGN&amount=20.5')).toEqual([waiting.id]);
    expect((await list('last4=7499')).sort()).toEqual([paid.id, undone.id].sort());
    expect(await list(`gatewayReference=${paid.gatewayReference}`)).toEqual([paid.id]);
    expect(await list('gatewayReference=NONE')).toEqual([]);
    expect(await list(`from=${paid.createdAt}&to=${undone.createdAt}`)).toEqual([paid.id]);
    expect(await list(`paidFrom=${paid.paidAt}&paidTo=${undone.paidAt}`)).toEqual([paid.id]);
    expect(await list(`paidFrom=${undone.paidAt}`)).toEqual([undone.id]);
    expect((await list('paidTo=2100-01-01')).sort()).toEqual([paid.id, undone.id].sort());
    const today = paid.createdAt.slice(0, 10);
    const tomorrow = new Date(Date.parse(today) + 24 * 3_600_000).toISOString().slice(0, 10);
    expect(await list(`from=${today}&to=${tomorrow}`)).toHaveLength(3);
    expect(await list('to=2020-01-01')).toEqual([]);
    expect(await list('status=voided&method=card&amount=1500&last4=7499')).toEqual([undone.id]);
  });

  test.each([
    ['method', 'cash'],
    ['from', '2031-02-30'],
    ['to', '2031-02-30T00:00:00Z'],
    ['to', '2031-02-28T25:00:00Z'],
    ['from', 'yesterday'],
    ['to', '2031-01-01T00:00:00'],
    ['paidFrom', '2031-02-30'],
    ['paidTo', 'yesterday'],
    ['amount', '-4111111111111111'],
    ['amount', '0.0000000'],
    ['currency', 'ngn'],
    ['last4', '12345'],
    ['gatewayReference', ''],
    ['needsAttention', 'maybe'],
  ])('%s=%s is refused, by its name and without its value', async (name, value) => {
    for (const path of ['/v1/payments', ...(['from', 'to'].includes(name) ? ['/v1/reports/summary'] : [])]) {
      const refused = await scene.client.get(`${path}?${name}=${encodeURIComponent(value)}`);
      expect(problemOf(refused)).toMatchObject({
        code: 'validation-failed',
        errors: [{ pointer: `/${name}` }],
      });
      if (value !== '')
        expect(refused.text.replace(/"(?:instance|requestId)":"[^"]*"/g, '')).not.toContain(value);
    }
  });

  test.each(['2059-05-24', '2059-05-25', '2059-05-26', '2100-01-01', '9999-12-31'])(
    'a stretch until %s has all of them in it',
    async (to) => {
      const rows = async (query: string): Promise<number> =>
        cells((await scene.client.get(`/v1/reports/payments.csv?${query}`)).text).length - 1;
      const counted = async (query: string): Promise<number> =>
        (await summary(query)).reduce((sum, { count }) => sum + count, 0);
      for (const from of ['', 'from=1970-01-01&', 'from=1969-12-31&', 'from=0001-01-01&']) {
        expect(await list(`${from}to=${to}`)).toHaveLength(3);
        expect(await counted(`${from}to=${to}`)).toBe(3);
        expect(await rows(`${from}to=${to}`)).toBe(3);
      }
      // One that begins there, or ended before there was any, has none.
      for (const query of [`from=${to}`, 'to=1969-12-31', 'to=0001-01-01']) {
        expect(await list(query)).toEqual([]);
        expect(await counted(query)).toBe(0);
        expect(await rows(query)).toBe(0);
      }
    },
  );

  test('a stretch that ends before it begins is refused', async () => {
    for (const path of ['/v1/payments', '/v1/reports/summary', '/v1/reports/payments.csv']) {
      const refused = await scene.client.get(`${path}?from=2031-01-02&to=2031-01-01`);
      expect(problemOf(refused)).toMatchObject({ errors: [{ pointer: '/to' }] });
    }
    const unpaid = await scene.client.get('/v1/payments?paidFrom=2031-01-02&paidTo=2031-01-01');
    expect(problemOf(unpaid)).toMatchObject({ errors: [{ pointer: '/paidTo' }] });
    expect(problemOf(await scene.client.get('/v1/reports/summary?by=hour'))).toMatchObject({
      errors: [{ pointer: '/by' }],
    });
  });

  test('a summary says what they come to, as they now stand', async () => {
    const day = paid.createdAt.slice(0, 10);
    const money = { currency: 'NGN', count: 1, refunded: '0.00' };
    const rows = [
      { ...money, status: 'requires_action', amount: '20.50', captured: '0.00' },
      { ...money, status: 'succeeded', amount: '1500.00', captured: '1500.00' },
      { ...money, status: 'voided', amount: '1500.00', captured: '1500.00' },
    ];
    expect(await summary('')).toEqual(rows.map((row) => ({ day, ...row })));
    expect(await summary(`by=day&from=${day}`)).toEqual(rows.map((row) => ({ day, ...row })));
    expect(await summary('by=currency')).toEqual(rows);
    expect(await summary('by=method')).toEqual([
      { method: 'card', ...rows[1] },
      { method: 'card', ...rows[2] },
      { method: 'wallet', ...rows[0] },
    ]);
    expect(await summary('to=2020-01-01')).toEqual([]);
  });

  test('an overview says what is paid, open and waiting', async () => {
    const { body } = expectStatus(await scene.client.get<object>('/v1/reports/overview'), 200);
    const day = paid.createdAt.slice(0, 10);
    expect(body).toEqual({
      at: expect.any(String),
      paid: [{ day, currency: 'NGN', count: 1, captured: '1500.00', refunded: '0.00' }],
      methods: [
        { method: 'card', paid: 2, notPaid: 0 },
        { method: 'wallet', paid: 0, notPaid: 0 },
      ],
      open: {
        processing: 0,
        requiresAction: 1,
        authorized: 0,
        needsAttention: 0,
        duplicates: 0,
        oldest: { paymentId: waiting.id, createdAt: waiting.createdAt },
      },
      undeliveredEvents: 0,
      openDifferences: 0,
      lastSettlement: null,
    });
  });

  test('a table has one row a payment, and nothing that a spreadsheet would run', async () => {
    const answered = await scene.client.get<string>('/v1/reports/payments.csv');
    expect(answered.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/);
    const [header = [], ...rows] = cells(answered.text);
    expect(rows.map((row) => row[header.indexOf('id')])).toEqual([paid.id, undone.id, waiting.id]);
    expect(rows.every((row) => row.length === header.length)).toBe(true);
    expect(rows[2]?.[header.indexOf('reference')]).toBe(`'${waiting.reference}`);
    expect(rows[1]?.[header.indexOf('status')]).toBe('voided');
    expect(rows[0]?.[header.indexOf('amountCaptured')]).toBe('1500.00');
    expect(
      cells(expectStatus(await scene.client.get<string>('/v1/reports/payments.csv?to=2020-01-01'), 200).text),
    ).toEqual([header]);
  });

  test('the command line has them too', async () => {
    const env = { TILLFRONT_URL: scene.tillfront.url, MERCHANT_API_KEY: scene.tillfront.merchantKey };
    const folder = await mkdtemp(join(tmpdir(), 'reports-'));
    try {
      const found = await runCli(
        ['payments', 'list', '--method', 'wallet', '--amount', '20.50', '--json'],
        env,
      );
      expect((JSON.parse(found.stdout) as { data: PaymentBody[] }).data.map(({ id }) => id)).toEqual([
        waiting.id,
      ]);
      const added = await runCli(['reports', 'summary', '--by', 'method'], env);
      expect(added.stdout).toMatch(/^wallet +requires_action +1 +20\.50 NGN/m);
      const file = join(folder, 'payments.csv');
      const wrote = await runCli(['reports', 'payments', '--file', file, '--json'], env);
      expect(JSON.parse(wrote.stdout)).toEqual({ file, payments: 3 });
      expect(cells(await readFile(file, 'utf8'))).toHaveLength(4);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  describe('of many payments', () => {
    const MANY = 40_000;

    beforeAll(async () => {
      const columns = (
        kind === 'embedded'
          ? await storedRows(scene, `select name from pragma_table_info('payments')`)
          : await storedRows(
              scene,
              `select column_name as name from information_schema.columns where table_name = 'payments'`,
            )
      ).map(({ name }) => String(name));
      const value = (column: string): string =>
        ({
          id: `'pay_00000001' || n`,
          reference: `'M-' || n`,
          gateway_reference: `'M-' || n || '_1'`,
          created_at: '1',
          next_status_check_at: 'null',
        })[column] ?? column;
      const numbers =
        kind === 'embedded'
          ? `(with recursive numbers(n) as (select 1000000 union all select n + 1 from numbers where n < ${999_999 + MANY}) select n from numbers)`
          : `generate_series(1000000, ${999_999 + MANY}) as n`;
      await storedRows(
        scene,
        `insert into payments (${columns.join(', ')}) select ${columns.map(value).join(', ')} from payments, ${numbers} where id = '${paid.id}'`,
      );
    });

    const memory = async (): Promise<number> =>
      Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${scene.tillfront.pid}/status`, 'utf8'))?.[1]) /
      1024;

    test('the table comes as it is read, in little memory, and payers are served meanwhile', async () => {
      const before = await memory();
      const response = await fetch(`${scene.tillfront.url}/v1/reports/payments.csv`, {
        headers: { authorization: `Bearer ${scene.tillfront.merchantKey}` },
      });
      let lines = 0;
      let most = 0;
      let slowest = 0;
      let reading = true;
      const asking = (async () => {
        while (reading) {
          const began = performance.now();
          expectStatus(await scene.client.get('/v1/payments/' + paid.id), 200);
          slowest = Math.max(slowest, performance.now() - began);
          most = Math.max(most, await memory());
        }
      })();
      for await (const chunk of response.body ?? [])
        for (const byte of chunk as Uint8Array) if (byte === 10) lines += 1;
      reading = false;
      await asking;
      expect(lines).toBe(MANY + 4);
      expect(most - before).toBeLessThan(150);
      expect(slowest).toBeLessThan(5_000);
      const [many] = await summary('to=2000-01-01');
      expect(many).toMatchObject({ day: '1970-01-01', count: MANY, amount: `${1500 * MANY}.00` });
    });

    test('a reader who stops costs nothing, and the service ends in time', async () => {
      const socket = connect(scene.tillfront.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `GET /v1/reports/payments.csv HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${scene.tillfront.merchantKey}\r\n\r\n`,
      );
      await new Promise((resolve) => socket.once('readable', resolve));
      // Nobody reads on. Others are served, and nothing piles up.
      const before = await memory();
      for (let n = 0; n < 20; n++) expectStatus(await scene.client.get('/v1/payments?limit=1'), 200);
      expect((await memory()) - before).toBeLessThan(50);
      expect((await scene.tillfront.stop()).code).toBe(0);
      socket.destroy();
    });
  });
});
