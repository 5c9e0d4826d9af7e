import type { StoreKind } from '../harness/test-store.ts';
import { alerts } from './alerts.ts';
import { audit } from './audit.ts';
import { Bench, type Drill } from './bench.ts';
import { certificate } from './certificate.ts';
import { clock } from './clock.ts';
import { crash } from './crash.ts';
import { diskErrors } from './disk-errors.ts';
import { failover } from './failover.ts';
import { fullDisk } from './full-disk.ts';
import { fullLog } from './full-log.ts';
import { gatewayAway, longOutage } from './gateway-away.ts';
import { lostName } from './lost-name.ts';
import { lostCommits } from './lost-commits.ts';
import { movedFile } from './moved-file.ts';
import { oldBackup } from './old-backup.ts';
import { paidTwice } from './paid-twice.ts';
import { patroni } from './patroni.ts';
import { pgbouncer } from './pgbouncer.ts';
import { rollingRestart } from './rolling-restart.ts';
import { shopAway } from './shop-away.ts';
import { storeAway } from './store-away.ts';

/** All drills, by the names that `npm run drill` takes. */
export const DRILLS: Readonly<Record<string, Drill>> = {
  crash,
  'rolling-restart': rollingRestart,
  'store-away': storeAway,
  pgbouncer,
  failover,
  patroni,
  'lost-commits': lostCommits,
  'old-backup': oldBackup,
  'paid-twice': paidTwice,
  'moved-file': movedFile,
  'full-disk': fullDisk,
  'disk-errors': diskErrors,
  'full-log': fullLog,
  'gateway-away': gatewayAway,
  'long-outage': longOutage,
  certificate,
  'lost-name': lostName,
  'shop-away': shopAway,
  clock,
  alerts: {
    about:
      'the store and the gateway are away and a replica is killed, before a real Prometheus with the rules as shipped',
    page: 'a-replica-is-not-ready',
    stores: ['postgres'],
    run: alerts,
  },
};

export interface Outcome {
  faults: string[];
  figures: ReadonlyMap<string, string>;
}

/** Runs one drill, audits what it left, and removes everything. */
export async function runDrill(drill: Drill, store: StoreKind): Promise<Outcome> {
  const bench = await Bench.open();
  try {
    await drill.run(bench, store);
    return { faults: await audit(bench), figures: bench.figures };
  } catch (error) {
    const said = bench.tills.map((till) => till.logs().slice(-3_000)).join('\n');
    const why = error instanceof Error ? error.message : 'no error';
    return {
      faults: [`${why}\n${process.env['DRILL_LOGS'] === undefined ? '' : said}`],
      figures: bench.figures,
    };
  } finally {
    await bench.close();
  }
}
