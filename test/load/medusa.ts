import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SERVERS } from './names.ts';
import { postgresPeerStore } from './peer-store.ts';
import type { Places } from './replicas.ts';
import { createDatabase, startPeer, type Subject } from './subject.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const SHOP = path('../../examples/medusa');
const PACKAGES = join(SHOP, 'node_modules');

/** What Medusa has stored of payments: its sessions stand before the provider is asked, its payments after it has answered. */
const COUNTS = `select
  (select count(*) from payment_session s where currency_code = 'ngn' and amount = 1500 and status = 'pending'
    and not exists (select 1 from payment p where p.payment_session_id = s.id)) as begun,
  (select count(*) from payment where currency_code = 'ngn' and amount = 1500 and captured_at is not null
    and data ->> 'transactionRef' like 'T%') as settled`;

/** Starts a Medusa server on a database of its own. */
export async function startMedusa({ gatewayPort, postgresUrl }: Places): Promise<Subject> {
  if (!existsSync(PACKAGES))
    throw new Error('The packages of Medusa are missing: npm install --prefix examples/medusa --no-save');
  const folder = makeFolder();
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
  return startPeer({
    ...{ name: SERVERS.medusa, program: path('peers/medusa-start.ts'), gatewayPort, folder },
    store: { ...store, environment, remove: () => rmSync(folder, { recursive: true, force: true }) },
  });
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

/** The version of Medusa that is installed. */
export function medusaVersion(): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGES, '@medusajs/medusa/package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
