import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openReader, type StoreReader } from '../chaos/store-reader.js';
import { startScene, type Scene } from '../harness/scene.js';
import { until } from '../harness/until.js';
import { openUpload, type OpenUpload } from './open-upload.js';
import { HEADER, report, reportRow, upload, type ProblemWithErrors } from './settlement-scene.js';

/** Files that are made to cost: much memory, or the only place in which files are compared. */

const MEBIBYTE = 1_048_576;
const FILE_BYTES = 60 * MEBIBYTE;
/** A parser that makes a cell of each separator needs over two GiB. */
const MOST_MORE_MB = 250;

let scene: Scene;
let reader: StoreReader;

beforeAll(async () => {
  scene = await startScene('embedded', { LOG_LEVEL: 'warn' });
  reader = openReader(join(scene.tillfront.dataDir, 'tillfront.db'));
});
afterAll(async () => {
  await reader.close();
  await scene.stop();
});

/** The most memory that the process had so far. */
async function mostMb(): Promise<number> {
  const status = await readFile(`/proc/${scene.tillfront.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}

describe('a file of nothing but separators costs no memory', () => {
  test.each(['one row', 'quoted rows'])(
    '%s',
    async (kind) => {
      const { body: settlement } = await upload(
        scene.tillfront,
        '/v1/settlements',
        report(reportRow(`${kind.replace(' ', '-')}_1`)),
      );
      const before = await mostMb();
      const rest = kind === 'one row' ? ',' : '"\n",'.padEnd(512, ',');
      for (const [path, header] of [
        ['/v1/settlements', HEADER],
        [`/v1/settlements/${settlement.id}/orders`, 'reference,amount,currency,status'],
      ] as const) {
        const file = Buffer.concat([Buffer.from(`${header}\n`), Buffer.alloc(FILE_BYTES, rest)]);
        const { status, body } = await upload<ProblemWithErrors>(scene.tillfront, path, file);
        expect([status, body.code, body.errors?.length]).toEqual([400, 'validation-failed', 1]);
        expect(body.errors?.[0]).toMatchObject({ line: 2, message: expect.stringContaining('500 columns') });
      }
      expect((await mostMb()) - before).toBeLessThan(MOST_MORE_MB);
    },
    120_000,
  );
});

describe('the only place in which files are compared', () => {
  /** Begins a file and waits until it has the place, so that the next one waits for it. */
  async function begun(): Promise<OpenUpload> {
    const open = openUpload(scene.tillfront);
    open.write(`${HEADER}\n`);
    await until(async () => {
      const held = await reader.read(
        "select name from leases where name = 'settlement' and owner is not null",
      );
      return held.length > 0;
    });
    return open;
  }

  test('is given back by an upload that sends nothing for ten seconds', async () => {
    const silent = await begun();
    const file = report(reportRow('AFTER-SILENCE_1'));
    const { status } = await upload(scene.tillfront, '/v1/settlements', file);
    expect(status).toBe(201);
    expect(await silent.answered).toMatchObject({ status: 408, body: { code: 'request-timeout' } });
  }, 120_000);

  test('is waited for no longer than thirty seconds, and the next try is told when', async () => {
    const slow = await begun();
    const drip = setInterval(() => slow.write(`${reportRow('SLOW_1')}\n`), 1_000);
    try {
      const { status, body, headers } = await upload<ProblemWithErrors>(
        scene.tillfront,
        '/v1/settlements',
        report(reportRow('BESIDE_1')),
      );
      expect([status, body.code]).toEqual([503, 'overloaded']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      clearInterval(drip);
    }
    slow.end();
    // It lasted longer than the silence that ends one.
    expect(await slow.answered).toMatchObject({ status: 201 });
  }, 120_000);
});
