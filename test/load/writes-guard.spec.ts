import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startPostgres } from '../setup/postgres-cluster.js';
import { service } from '../setup/service.js';
import { BOUNDS } from './bounds.js';
import { MeasuredProcess } from './measured-process.js';
import {
  measureEmbeddedWrites,
  measurePostgresWrites,
  steadyPostgres,
  type WritesPlaces,
} from './row-writes.js';

/** What a card payment writes, counted by the stores: a change that writes more must say so in bounds.ts. */

const PAYMENTS = 96;
let gateway: MeasuredProcess;
let places: WritesPlaces;

beforeAll(async () => {
  gateway = await MeasuredProcess.start(
    fileURLToPath(new URL('peers/gateway.ts', import.meta.url)),
    {},
    { readyPath: '/delay/0' },
  );
  places = { build: await service('build'), gatewayPort: gateway.port, payments: PAYMENTS };
}, 180_000);

afterAll(async () => {
  await gateway.stop();
});

/** What else the store does meanwhile only adds to its log, so of a few rounds one that keeps the bounds tells what payments write. */
const ROUNDS = 3;

async function everAbove<Measured extends Parameters<typeof above>[0]>(
  measure: () => Promise<Measured>,
  bounds: Parameters<typeof above>[1],
): Promise<string[]> {
  let found: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    found = above(await measure(), bounds);
    if (found.length === 0) break;
  }
  return found;
}

/** What is above its bound, in words; a figure far below its bound calls for a lower one. */
function above(
  measured: Readonly<Record<string, Readonly<Record<string, number>>>>,
  bounds: Readonly<Record<string, Readonly<Record<string, number>>>>,
): string[] {
  return Object.entries(bounds).flatMap(([way, most]) =>
    Object.entries(most).flatMap(([figure, bound]) => {
      const value = measured[way]?.[figure] ?? NaN;
      return value > 0 && value <= bound ? [] : [`${way}: ${value} ${figure} a payment, at most ${bound}`];
    }),
  );
}

test('PostgreSQL: rows and bytes of the write-ahead log', async () => {
  // A cluster of its own: the log is that of all databases together.
  const cluster = await startPostgres();
  try {
    await steadyPostgres(cluster.url);
    expect(await everAbove(() => measurePostgresWrites(places, cluster.url), BOUNDS.postgres)).toEqual([]);
  } finally {
    await cluster.stop();
  }
}, 180_000);

test('the embedded store: pages in the write-ahead log', async () => {
  expect(await everAbove(() => measureEmbeddedWrites(places), BOUNDS.embedded)).toEqual([]);
}, 120_000);
