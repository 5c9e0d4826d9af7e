import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startScene, type Scene } from '../harness/scene.js';
import {
  HEADER,
  report,
  reportRow,
  upload,
  type ProblemWithErrors,
  type SettlementBody,
} from './settlement-scene.js';

/** What becomes of files that are not as they should be. */

let scene: Scene;

beforeAll(async () => {
  scene = await startScene('embedded', { LOG_LEVEL: 'warn' });
});
afterAll(async () => scene.stop());

const compare = <T = SettlementBody>(csv: string | Buffer, headers: Record<string, string> = {}) =>
  upload<T>(scene.tillfront, '/v1/settlements', csv, { headers });
const known = async (): Promise<string> => (await scene.client.get<unknown>('/v1/settlements')).text;

const settledAt = '2026-11-30T06:00:00Z';
const good = reportRow('ORDER-1_1', { settledAt });
const many = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => reportRow(`GOOD-${index}_1`, { settledAt }));

describe('a file is refused whole', () => {
  const bad = reportRow('ORDER-2_1', { settledAt, amount: 'many' });
  test.each<[string, string | Buffer, number, string | undefined]>([
    ['of nothing', '', 1, undefined],
    ['whose header lacks a column', `${HEADER.replace('amount,', '')}\n`, 1, 'amount'],
    ['with another delimiter', report(good).replaceAll(',', ';'), 1, 'reference'],
    [
      'with more than a tenth and more than one of its rows unreadable',
      report(...many(17), bad, bad),
      19,
      'amount',
    ],
    ['with a cut last row', report(...many(20), good).slice(0, -40), 22, 'fee'],
    ['whose last time is cut', report(...many(20), good).slice(0, -5), 22, 'settledAt'],
    [
      'with a quote that is not closed',
      report(...many(20), good.replace('ORDER-1', '"ORDER-2'), good),
      22,
      undefined,
    ],
    [
      'that is not UTF-8',
      Buffer.concat([Buffer.from(report(good)), Buffer.from([0x41, 0xff, 0x0a])]),
      3,
      undefined,
    ],
    ['in UTF-16', Buffer.from(`\ufeff${report(good)}`, 'utf16le'), 1, undefined],
  ])('%s', async (_, csv, line, column) => {
    const before = await known();
    const { status, body, text } = await compare<ProblemWithErrors>(csv);
    expect([status, body.code]).toEqual([400, 'validation-failed']);
    expect(body.errors?.[0]).toMatchObject({ line, ...(column !== undefined && { column }) });
    expect(body.errors?.[0]?.message).toContain(`line ${line}`);
    expect(text).not.toContain('ORDER-2');
    expect(await known()).toBe(before);
  });
});

test('a few rows that cannot be read are set aside, and the report says where they stand', async () => {
  const { status, body } = await compare(
    report(
      ...many(30),
      reportRow('A_1', { amount: 'many' }),
      reportRow('B_1', { type: 'TOP_UP' }),
      reportRow(''),
    ),
  );
  expect(status).toBe(201);
  expect(body).toMatchObject({ rows: 33, rowsSetAside: 3, counts: { unknown_here: 30 } });
  expect(body.setAside).toEqual([
    { line: 32, column: 'amount' },
    { line: 33, column: 'type' },
    { line: 34, column: 'reference' },
  ]);
  const kept = await scene.client.get<SettlementBody>(`/v1/settlements/${body.id}`);
  expect(kept.body.setAside).toEqual(body.setAside);
  const single = await compare(report(reportRow('C_1', { amount: 'many' })));
  expect([single.status, single.body.rows, single.body.rowsSetAside]).toEqual([201, 1, 1]);
});

test('the same text is the same report, however its lines end', async () => {
  const csv = report(...many(2), reportRow('SAME_1', { settledAt }));
  const first = await compare(csv);
  expect(first.status).toBe(201);
  for (const other of [
    csv.replaceAll('\n', '\r\n'),
    `\ufeff${csv}`,
    csv.trimEnd(),
    `\ufeff${csv.replaceAll('\n', '\r')}`,
  ]) {
    const { status, body } = await compare(other);
    expect([status, body.id]).toEqual([200, first.body.id]);
  }
  const { status } = await compare(`${csv}\n`);
  expect(status).toBe(201);
});

describe('a packed file', () => {
  const csv = report(...many(20), reportRow('PACKED_1', { settledAt }));
  const gzip = { 'content-encoding': 'gzip' };

  test('is the same report as the plain one, by its coding, by its first bytes, or both', async () => {
    const plain = await compare(csv);
    expect(plain.status).toBe(201);
    for (const [body, headers] of [
      [gzipSync(csv), gzip],
      [gzipSync(csv), {}],
      [gzipSync(gzipSync(csv)), gzip],
      [gzipSync(csv.replaceAll('\n', '\r\n')), { 'content-encoding': 'X-GZIP' }],
    ] as const) {
      const found = await compare(body, headers);
      expect([found.status, found.body.id]).toEqual([200, plain.body.id]);
    }
  });

  test.each<[string, () => Buffer, Record<string, string>, [number, string]]>([
    ['is refused if it is cut', () => gzipSync(csv).subarray(0, -20), gzip, [400, 'validation-failed']],
    ['is refused if it is none', () => Buffer.from(csv), gzip, [400, 'validation-failed']],
    [
      'is refused in another coding',
      () => Buffer.from(csv),
      { 'content-encoding': 'br' },
      [415, 'unsupported-media-type'],
    ],
  ])('%s', async (_, body, headers, expected) => {
    const { status, body: problem } = await compare<ProblemWithErrors>(body(), headers);
    expect([status, problem.code]).toEqual(expected);
  });

  test('is refused as soon as it comes to more than 512 MiB', async () => {
    const bomb = Buffer.concat(Array.from({ length: 520 }, () => gzipSync(Buffer.alloc(1_048_576, '\n'))));
    const { status, body: problem } = await compare<ProblemWithErrors>(
      Buffer.concat([gzipSync(`${HEADER}\n`), bomb]),
    );
    expect([status, problem.code]).toEqual([413, 'body-too-large']);
  }, 120_000);

  test('may be a list of orders, with its key kept for what it says', async () => {
    const { body: settlement } = await compare(report(reportRow('ORDERS_1', { settledAt })));
    const path = `/v1/settlements/${settlement.id}/orders`;
    const orders = 'order;total;currency;state\n#1001;1500,00;NGN;completed\n#1002;0;NGN;gift\n';
    const query = `?columns=${encodeURIComponent('reference=order,amount=total,status=state')}&paid=completed&free=gift`;
    const key = randomUUID();
    const first = await upload(scene.tillfront, path + query, gzipSync(orders), { key });
    expect([first.status, first.body.orders?.rows, first.body.counts['order_not_paid']]).toEqual([200, 2, 1]);
    const again = await upload(scene.tillfront, path + query, orders, { key });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    const other = await upload<ProblemWithErrors>(scene.tillfront, `${path}${query}&refunded=back`, orders, {
      key,
    });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency-key-reused']);
    const wrong = await upload<ProblemWithErrors>(scene.tillfront, `${path}?columns=number=order`, orders);
    expect([wrong.status, wrong.body.errors?.[0]?.pointer]).toEqual([400, '/columns']);
  });
});
