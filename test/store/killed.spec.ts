import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { KINDS, testPlace } from './stores.js';

const repository = fileURLToPath(new URL('../../', import.meta.url));
let folder: string;

beforeAll(async () => {
  const parent = join(repository, 'node_modules/.cache/store-child');
  mkdirSync(parent, { recursive: true });
  folder = mkdtempSync(join(parent, 'build-'));
  await build({
    entryPoints: [
      join(repository, 'test/store/store-child.ts'),
      // The child's worker stands beside it.
      join(repository, 'src/store/sqlite/thread.ts'),
    ],
    outdir: folder,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external' },
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs until so much was confirmed, and is killed in the midst of what follows. Returns the highest confirmed number of each order. */
async function killedWriter(parameters: string[], after: number): Promise<Map<string, number>> {
  const child = spawn(process.execPath, [join(folder, 'store-child.mjs'), ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  let lines = 0;
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    lines += piece.split('\n').length - 1;
    if (lines >= after) child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(child.signalCode).toBe('SIGKILL');
  const confirmed = new Map<string, number>();
  for (const line of text.split('\n').slice(0, -1)) {
    const [reference = '', number] = line.split(' ');
    confirmed.set(reference, Math.max(confirmed.get(reference) ?? 0, Number(number)));
  }
  return confirmed;
}

test.each(KINDS)(
  'the %s store loses nothing of a killed process, and keeps nothing half-written',
  async (kind) => {
    const place = await testPlace(kind);
    try {
      for (const after of [1, 40, 150, 300]) {
        const confirmed = await killedWriter([place.dataDir, place.url], after);
        const store = await place.open();
        // A process that was killed has lost nothing.
        expect(store.restoredAt).toBeUndefined();
        expect(confirmed.size).toBeGreaterThan(0);
        for (const [reference, number] of confirmed) {
          const { order, payments } = await store.read(reference);
          expect(order?.attempts).toBeGreaterThanOrEqual(number);
          const all = Array.from({ length: order?.attempts ?? 0 }, (_, index) => index + 1);
          expect(payments.map(({ n }) => n)).toEqual(all);
          const events = await store.rows<{ sequence: number }>({
            text: 'select sequence from events where stream = ? order by seq',
            values: [reference],
          });
          expect(events.map(({ sequence }) => sequence)).toEqual(all);
        }
        await store.close();
      }
    } finally {
      await place.end();
    }
  },
);
