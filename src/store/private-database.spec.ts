import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store } from './store.js';

let dataDir: string;
let opened: Store | undefined;
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'tillfront-private-'))));
afterEach(async () => {
  await opened?.close();
  rmSync(dataDir, { recursive: true });
});

async function open(): Promise<Store> {
  opened = Store.connect({
    config: { kind: 'embedded', dataDir },
    migrate: true,
    identity: { gatewayOrigin: 'https://gateway.example', mode: 'test' },
  });
  await opened.prepare();
  return opened;
}

const files = () => readdirSync(dataDir).map((name) => join(dataDir, name));
const modes = () => files().map((file) => [file, (statSync(file).mode & 0o777).toString(8)]);
const mine = () => files().map((file) => [file, '600']);

test('the files of the embedded store are their owner’s alone, in a folder that was there before', async () => {
  chmodSync(dataDir, 0o755);
  await open();
  for (const name of ['lock.db', 'tillfront.db', 'tillfront.db-wal', 'tillfront.db-shm'])
    expect(files()).toContain(join(dataDir, name));
  expect(modes()).toEqual(mine());
});

test('older ones are tightened at the start, and hold what they held', async () => {
  await (await open()).close();
  writeFileSync(join(dataDir, 'tillfront.db-wal'), '');
  for (const file of files()) chmodSync(file, 0o644);
  const again = await open();
  expect(modes()).toEqual(mine());
  expect(await again.unusable()).toBeUndefined();
});
