import { accessSync, constants } from 'node:fs';
import type { Client, QueryConfig } from 'pg';
import { judgeHistory } from '../../store/history/judge-history.js';
import { lookAtPostgres } from '../../store/history/postgres-look.js';
import { lossOf } from '../../store/history/store-fault.js';
import { WitnessFile, type KeptWitness } from '../../store/history/witness-file.js';
import { applicationName } from '../../store/postgres/connections.js';
import type { inspectConfiguration } from '../inspect-configuration.js';
import { ok, problem, sentence, warning, type Finding } from './finding.js';
import { LEDGER_FAULTS } from '../../store/ledger-faults.js';
import { checkLedger, checkStoreState, isSchemaOurs, LOSS, MUST_STOP, NAMED } from './store-state.js';

const LEDGER_TIMEOUT_MS = 120_000;

interface Tables {
  migrations: boolean;
  meta: boolean;
  losses: boolean;
}

const TABLES = `select to_regclass('kysely_migration') is not null as "migrations",
  to_regclass('meta') is not null as "meta", to_regclass('store_losses') is not null as "losses"`;

/** Sessions of services of another version. Those of other roles are hidden from a role without rights to see them. */
const OTHERS = `select application_name as name, count(*)::int as count from pg_stat_activity
  where datname = current_database() and (application_name = 'tillfront' or starts_with(application_name, 'tillfront/'))
    and application_name <> $1 group by 1 order by 1`;

/** Whether the database's tables are ours, know what was confirmed, and are used by services of this version alone. Writes nothing. */
export async function checkPostgresStore(
  config: ReturnType<typeof inspectConfiguration>,
  client: Client,
  { dataDir }: { dataDir: string },
): Promise<Finding[]> {
  const { rows } = await client.query<Tables>(TABLES);
  const { migrations = false, meta = false, losses = false } = rows[0] ?? {};
  const applied = migrations ? await column(client, 'select name as value from kysely_migration') : [];
  const setting = async (name: string): Promise<string | undefined> =>
    meta ? (await column(client, `select value from meta where name = '${name}'`))[0] : undefined;
  const kept = new WitnessFile(dataDir).read((await setting('store_id')) ?? '');
  return [
    ...(losses ? await checkHistory(client, kept) : []),
    checkWitness(dataDir),
    ...checkStoreState(config, { applied, identity: await setting('gateway') }),
    ...(await checkOthers(client)),
    ...(isSchemaOurs(applied) ? [await checkEntries(client)] : []),
  ];
}

async function column(client: Client, query: string): Promise<string[]> {
  return (await client.query<{ value: string }>(query)).rows.map(({ value }) => value);
}

/** By what the processes have recorded in it, and by what those of this machine have written down beside it. */
async function checkHistory(client: Client, kept: KeptWitness | undefined): Promise<Finding[]> {
  const commits = kept?.commits ?? [];
  const seen = await lookAtPostgres(client, commits);
  const accepted = seen.losses.filter((loss) => loss.accepted).map(({ id }) => id);
  const verdict = judgeHistory(
    {
      history: undefined,
      commits,
      acceptedBefore: new Set(kept?.accepted ?? accepted),
      epoch: kept?.epoch ?? 0,
    },
    { ...seen, readOnly: false, epoch: seen.epoch.number },
  );
  if (verdict.kind !== 'lost') return [];
  return [problem(LOSS.check, sentence(lossOf(verdict.missing, verdict.older).message), LOSS.remedy)];
}

function checkWitness(dataDir: string): Finding {
  const check = 'store.witness';
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(
      check,
      `What the database has confirmed is also written to ${dataDir}, so that a loss is seen after a restart.`,
    );
  } catch {
    return warning(
      check,
      `${dataDir} is not there or cannot be written: once all processes were restarted, a commit that the database has lost would not be seen.`,
      'Set DATA_DIR to a folder that the service may write to and that outlives it.',
    );
  }
}

/** Reads everything, and so may take longer than other questions. */
async function checkEntries(client: Client): Promise<Finding> {
  const text = `${LEDGER_FAULTS} limit ${NAMED + 1}`;
  const look: QueryConfig & { query_timeout: number } = { text, query_timeout: LEDGER_TIMEOUT_MS };
  const { rows } = await client.query<{ id: string }>(look);
  return checkLedger(rows.map(({ id }) => id));
}

async function checkOthers(client: Client): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; count: number }>(OTHERS, [applicationName()]);
  if (rows.length === 0) return [];
  const named = rows.map(
    ({ name, count }) => `${name.split('/')[1] ?? 'an older one'} (${count} connections)`,
  );
  return [
    warning(
      'store.replicas',
      `Services of another version use this database: ${named.join(', ')}.`,
      MUST_STOP,
    ),
  ];
}
