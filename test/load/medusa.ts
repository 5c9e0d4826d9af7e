import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SCENARIOS, SERVERS } from './names.ts';
import { postgresPeerStore, type PeerStore } from './peer-store.ts';
import type { Places } from './replicas.ts';
import { runScenarios, warmUp, type Measurement, type Run, type Scenario } from './scenario.ts';
import { createDatabase, startPeer, startService, type Subject } from './subject.ts';

/** A card payment here and through Medusa's payment module, in one run, on one PostgreSQL, through the same gateway. */
export interface Medusa {
  version: string;
  rounds: number;
  measurements: Measurement[];
}

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const SHOP = path('../../examples/medusa');
const PACKAGES = join(SHOP, 'node_modules');

export const medusaScenarios: readonly Scenario[] = [
  { name: SCENARIOS.concurrency32, delayMs: 0, load: { concurrency: 32 }, payments: 600 },
  { name: SCENARIOS.quiet100, delayMs: 50, load: { perSecond: 100 }, payments: 1_000 },
];

/** What Medusa has stored of payments: its sessions stand before the provider is asked, its payments after it has answered. */
const COUNTS = `select
  (select count(*) from payment_session s where currency_code = 'ngn' and amount = 1500 and status = 'pending'
    and not exists (select 1 from payment p where p.payment_session_id = s.id)) as begun,
  (select count(*) from payment where currency_code = 'ngn' and amount = 1500 and captured_at is not null
    and data ->> 'transactionRef' like 'T%') as settled`;

export async function measureMedusa(
  places: Places,
  run: Run,
  { scenarios, warmUp: warm }: { scenarios: readonly Scenario[]; warmUp: number },
): Promise<Medusa> {
  if (!existsSync(PACKAGES))
    throw new Error('The packages of Medusa are missing: npm install --prefix examples/medusa --no-save');
  const folder = makeFolder();
  const subjects: Subject[] = [];
  try {
    subjects.push(await startMedusa(places, folder));
    subjects.push(
      await startService({
        ...{ name: SERVERS.postgres, build: places.build, gatewayPort: places.gatewayPort },
        databaseUrl: await createDatabase(places.postgresUrl, 'bench_beside_medusa'),
      }),
    );
    for (const { proof } of subjects) await proof?.prove(run.setDelay);
    await warmUp(subjects, warm);
    return {
      version: version(),
      rounds: run.rounds,
      measurements: await runScenarios(subjects, scenarios, run),
    };
  } finally {
    for (const subject of subjects) await subject.stop();
    await run.setDelay(0);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Medusa writes into the folder that it runs in, so it gets one of its own. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tillfront-bench-medusa-'));
  cpSync(path('peers/medusa'), folder, { recursive: true });
  // It says that this is a Medusa project, and of which version.
  cpSync(join(SHOP, 'package.json'), join(folder, 'package.json'));
  symlinkSync(PACKAGES, join(folder, 'node_modules'));
  return folder;
}

async function startMedusa({ gatewayPort, postgresUrl }: Places, folder: string): Promise<Subject> {
  const store = postgresPeerStore(await createDatabase(postgresUrl, 'bench_medusa'), COUNTS);
  const environment = {
    ...store.environment,
    MEDUSA_DISABLE_TELEMETRY: 'true',
    JWT_SECRET: randomBytes(32).toString('hex'),
    COOKIE_SECRET: randomBytes(32).toString('hex'),
    // Each request is a line otherwise: the other peers log nothing.
    LOG_LEVEL: 'error',
  };
  await promisify(execFile)(
    process.execPath,
    [join(folder, 'node_modules/@medusajs/cli/cli.js'), 'db:migrate'],
    { cwd: folder, env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment } },
  );
  const medusa: PeerStore = { ...store, environment };
  return startPeer({
    ...{ name: SERVERS.medusa, program: path('peers/medusa-start.ts'), gatewayPort },
    ...{ folder, store: medusa },
  });
}

function version(): string {
  const { version: said } = JSON.parse(
    readFileSync(join(PACKAGES, '@medusajs/medusa/package.json'), 'utf8'),
  ) as { version: string };
  return said;
}
