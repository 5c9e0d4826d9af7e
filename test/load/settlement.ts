import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { IN_CONTAINER } from '../harness/in-container.ts';
import type { Settlement } from './figures-files.ts';
import { fillEmbedded, fillPostgres } from './growth.ts';
import type { Places } from './replicas.ts';
import { createDatabase, merchantKey, startService, type Subject } from './subject.ts';

const SAMPLE_EVERY_MS = 200;
/** Planted, so that the comparison shows that it looked: their amounts differ. */
const DIFFERING = 10;
/** How long the service may still use what it has used, before it is measured again. */
const AFTER_MS = 1_000;

/**
 * How long a settlement report takes of as many rows as there are payments, and the most memory that the whole process has meanwhile, started as
 * the image starts it: the slower and the larger of both stores.
 */
export async function measureSettlement(places: Places, rows: number): Promise<Settlement> {
  const folder = mkdtempSync(join(tmpdir(), 'tillfront-settlement-'));
  try {
    const embedded = await compare(places, rows, { dataDir: join(folder, 'embedded') });
    const databaseUrl = await createDatabase(places.postgresUrl, 'settlement');
    const postgres = await compare(places, rows, { dataDir: join(folder, 'postgres'), databaseUrl });
    return {
      seconds: Math.max(embedded.seconds, postgres.seconds),
      mostMb: Math.max(embedded.mostMb, postgres.mostMb),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares a report whose rows are all unknown: the most that can differ. Gives the most memory that the process has meanwhile. */
export async function compareUnknown(
  service: Subject,
  rows: number,
): Promise<{ counted: number; mostMb: number }> {
  const sampling = { on: true };
  const most = mostMemory(service, sampling);
  const { status, text } = await send(service.port, Readable.from(reportOf(rows)));
  sampling.on = false;
  const mostMb = await most;
  if (status !== 201) throw new Error(`the comparison came to ${status} ${text}`);
  const { counts } = JSON.parse(text) as { counts: Record<string, number> };
  return { counted: counts['unknown_here'] ?? 0, mostMb };
}

/** Compares a report about payments of a filled store, from the given one on. Gives the objects that each of its rows makes, in KB. */
export async function objectsOfRows(service: Subject, rows: number, first: number): Promise<number> {
  const before = await service.usage();
  const { status, text } = await send(service.port, Readable.from(reportOf(rows, first)));
  const after = await service.usage();
  const { rowsMatched } = JSON.parse(text) as { rowsMatched: number };
  if (status !== 201 || rowsMatched !== rows) throw new Error(`the comparison came to ${status} ${text}`);
  return (after.allocatedKb - before.allocatedKb) / rows;
}

async function compare(
  { build, gatewayPort, say }: Places,
  rows: number,
  store: { dataDir: string; databaseUrl?: string },
): Promise<Settlement> {
  const start = (): Promise<Subject> =>
    startService({ name: 'settlement', build, gatewayPort, ...store, ...IN_CONTAINER });
  // The service makes its tables itself.
  await (await start()).stop();
  if (store.databaseUrl === undefined) await fillEmbedded(join(store.dataDir, 'tillfront.db'), rows);
  else await fillPostgres(store.databaseUrl, rows);
  const service = await start();
  try {
    const sampling = { on: true };
    const most = mostMemory(service, sampling);
    const begun = performance.now();
    const { status, text } = await send(service.port, Readable.from(reportOf(rows)));
    const seconds = (performance.now() - begun) / 1000;
    await pause(AFTER_MS);
    sampling.on = false;
    const mostMb = await most;
    const body = JSON.parse(text) as { rows: number; counts: Record<string, number> };
    const { amount_differs: differing = 0, ...others } = body.counts;
    const rest = Object.values(others).reduce((sum, count) => sum + count, 0);
    if (status !== 201 || body.rows !== rows || differing !== DIFFERING || rest > 0)
      throw new Error(`the comparison came to ${status} ${text}`);
    const where = store.databaseUrl === undefined ? 'embedded' : 'PostgreSQL';
    say(`${rows} rows, ${where}: ${seconds.toFixed(1)} s, at most ${mostMb.toFixed(0)} MB`);
    return { seconds, mostMb };
  } finally {
    await service.stop();
  }
}

/** The most memory that the service has until it is no longer looked at. */
async function mostMemory(service: Subject, sampling: { on: boolean }): Promise<number> {
  let most = 0;
  while (sampling.on) {
    most = Math.max(most, (await service.usage()).rssMb);
    await pause(SAMPLE_EVERY_MS);
  }
  return most;
}

function send(port: number, report: Readable): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${merchantKey}`,
      'content-type': 'text/csv',
      'idempotency-key': randomUUID(),
    };
    const call = request({ port, host: '127.0.0.1', path: '/v1/settlements', method: 'POST', headers });
    call.once('error', reject).once('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    report.pipe(call);
  });
}

/** Every payment of a store that `growth.ts` has filled, settled three days later, so that each is looked for in both directions. */
function* reportOf(rows: number, first = 1): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = 'reference,transactionRef,type,amount,fee,currency,status,settledAt\n';
  for (let n = first; n < first + rows; n += 1) {
    const amount = n <= DIFFERING ? '1400.00' : '1500.00';
    const settledAt = n === 1 ? '2023-11-14T00:00:00Z' : '2023-11-30T00:00:00Z';
    text += `G-${n}_1,,PAYMENT,${amount},,NGN,SETTLED,${settledAt}\n`;
    if (text.length > 60_000) {
      yield encoder.encode(text);
      text = '';
    }
  }
  yield encoder.encode(text);
}
