import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../setup/free-port.js';
import { service } from '../setup/service.js';
import { fillEmbedded } from './growth.js';
import { compareUnknown, objectsOfRows } from './settlement.js';
import { startService, type Subject } from './subject.js';

const ROWS = 50_000;
/**
 * How much more memory the whole process may have than at rest, in MB. Whoever keeps rows, or writes differences
 * down only at the end, needs more.
 */
const MOST_MORE_MB = 120;

/** What the service makes of objects in a second while it does nothing in particular. */
const QUIET_KB = 2_048;

let tillfront: Subject;

beforeAll(async () => {
  tillfront = await startService({
    name: 'Tillfront',
    build: await service('build'),
    gatewayPort: await freePort(),
  });
}, 180_000);

afterAll(async () => tillfront.stop());

test('a report of 50,000 rows that all differ needs little memory', async () => {
  const { rssMb: before } = await tillfront.usage();
  const { mostMb, counted } = await compareUnknown(tillfront, ROWS);
  expect(counted).toBe(ROWS);
  expect(mostMb - before).toBeLessThan(MOST_MORE_MB);
}, 120_000);

/** Until what the service does besides, such as adding up what was settled, is done. */
async function quiet(busy: Subject): Promise<void> {
  for (let before = (await busy.usage()).allocatedKb; ;) {
    await wait(1_000);
    const { allocatedKb } = await busy.usage();
    if (allocatedKb - before < QUIET_KB) return;
    before = allocatedKb;
  }
}

describe('a report whose rows all agree', () => {
  const FEW = 4_000;
  const MANY = 16_000;
  let folder: string;
  let filled: Subject;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tillfront-settlement-'));
    const options = { name: 'Tillfront', build: await service('build'), gatewayPort: await freePort() };
    await (await startService({ ...options, dataDir: folder })).stop();
    await fillEmbedded(join(folder, 'tillfront.db'), 2 * FEW + MANY + 10);
    filled = await startService({ ...options, dataDir: folder });
    // The first ones of the store differ, and what is compiled first is no row's.
    await objectsOfRows(filled, FEW, 11);
    await quiet(filled);
  }, 180_000);
  afterAll(async () => {
    await filled?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('makes no more objects of each where there are more', async () => {
    const few = await objectsOfRows(filled, FEW, FEW + 11);
    await quiet(filled);
    const many = await objectsOfRows(filled, MANY, 2 * FEW + 11);
    expect(many / few).toBeLessThan(1.25);
  }, 120_000);
});
