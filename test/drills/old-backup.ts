import { backup, DatabaseSync } from 'node:sqlite';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestStore } from '../harness/test-store.ts';
import { codeOf, type Bench, type Drill } from './bench.ts';
import { chargedAgain, takeOver } from './lost-commits.ts';
import { startArchived } from './archived-postgres.ts';

const LOST = 20;

export const oldBackup: Drill = {
  about:
    'an old backup is restored (PostgreSQL: to a point in time) while new payments are held; then payers pay again',
  page: 'a-backup-is-restored',
  stores: ['embedded', 'postgres'],
  quick: true,
  run: async (bench, kind) => {
    const { store, keep, restore } = kind === 'embedded' ? await embedded(bench) : await archived(bench);
    const first = await bench.start(store);
    await bench.more(bench.load(2), 5);
    await bench.stopLoad();
    await keep();
    const orders = Array.from({ length: LOST }, (_, index) => `GONE-${process.pid}-${kind}-${index}`);
    await Promise.all(orders.map((order) => bench.buy(order)));
    await first.stop();
    const begun = performance.now();
    const old = await restore();
    const holding = await bench.start(old, { env: { HOLD_NEW_PAYMENTS: 'true' } });
    const code = codeOf(await bench.buy(orders[0] as string));
    if (code !== 'payments-held') bench.faults.push(`HOLD_NEW_PAYMENTS holds nothing: ${code}`);
    await takeOver(bench);
    await holding.stop();
    await bench.start(old);
    bench.figures.set(
      'from the restore to open again',
      `${((performance.now() - begun) / 1_000).toFixed(0)} s`,
    );
    await Promise.all(orders.map((order) => bench.buy(order)));
    bench.figures.set('paid orders charged again', `${chargedAgain(bench, orders)} of ${LOST}`);
  },
};

interface Kept {
  store: TestStore;
  /** Takes the backup. */
  keep: () => Promise<void>;
  /** Restores it, and says where it is. */
  restore: () => Promise<TestStore>;
}

async function embedded(bench: Bench): Promise<Kept> {
  const store = await bench.store('embedded');
  const dataDir = join(bench.folder, 'restored');
  mkdirSync(dataDir, { mode: 0o700 });
  return {
    store,
    keep: async () => {
      const source = new DatabaseSync(join(store.dataDir, 'tillfront.db'), { readOnly: true });
      await backup(source, join(dataDir, 'tillfront.db'));
      source.close();
    },
    restore: () => bench.storeAt({ dataDir }),
  };
}

async function archived(bench: Bench): Promise<Kept> {
  const server = await startArchived(bench);
  return {
    store: await bench.storeAt({ databaseUrl: server.url }),
    keep: () => server.remember('drill'),
    restore: async () => bench.storeAt({ databaseUrl: await server.restoreTo('drill') }),
  };
}
