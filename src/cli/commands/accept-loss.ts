import { sql } from 'kysely';
import { readSchema } from '../../store/migrations.js';
import { Store } from '../../store/store.js';
import { EPOCH, nextEpoch, parseEpoch, writeEpoch } from '../../store/history/epoch.js';
import { timesOf } from '../../store/history/embedded-loss.js';
import type { StoreLossRecord } from '../../store/history/loss-record.js';
import { auditCommand } from '../command-audit.js';
import type { CommandContext } from '../command-context.js';
import { CommandFailure } from '../command-failure.js';
import { commandUser } from '../command-user.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { inspectConfiguration } from '../inspect-configuration.js';
import { table } from '../output/table.js';
import { plainly } from './migrate.js';

interface Loss {
  id: string;
  foundAt: string;
  /** The references of commits that were missing. */
  missing: string[];
  /** On the embedded store: the time that it had reached. */
  known?: string;
  /** On the embedded store: the time at which it ends. */
  found?: string;
}

/**
 * Records that a person knows what the store has forgotten. Every process that waits for it on PostgreSQL goes on within a second; one
 * with the embedded store, which is for one process alone, is started afterwards. Where nothing waits, nothing happens.
 */
export async function acceptLoss({ env, reporter }: CommandContext): Promise<ExitCode> {
  const config = inspectConfiguration(env);
  const { baseUrl, mode } = config.gateway;
  return plainly(async () => {
    const store = Store.connect({
      config: config.store,
      migrate: false,
      identity: { gatewayOrigin: new URL(baseUrl).origin, mode },
    });
    try {
      const { applied } = await readSchema(store.db);
      if (!applied.includes('0020-store-losses')) {
        throw new CommandFailure('This store has no losses: it was never used by this version.', 'store');
      }
      const accepted = await accept(store);
      if (accepted.length > 0) await auditCommand(store, 'accept-loss', accepted[0]?.id);
      reporter.report({ text: words(accepted, config.store.kind), json: { accepted } });
      return EXIT.done;
    } finally {
      await store.close();
    }
  });
}

const NOW = {
  embedded: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  postgres: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
};

/** Accepts all losses, and begins a new epoch with them: what was given out before is never given out again. */
async function accept({ db, kind }: Store): Promise<Loss[]> {
  const rows = await db.transaction().execute(async (transaction) => {
    const accepted = await transaction
      .updateTable('store_losses')
      .set({
        accepted_at: NOW[kind],
        accepted_by: `cli:${commandUser()}`,
      })
      .where('accepted_at', 'is', null)
      .returning(['id', 'found_at', 'detail', 'accepted_at'])
      .execute();
    if (accepted.length > 0) await beginEpoch(transaction, accepted);
    return accepted;
  });
  return rows.map(({ id, found_at: at, detail }) => {
    const { missing } = JSON.parse(detail) as StoreLossRecord['detail'];
    const references = missing.map(({ reference }) => reference);
    return { id, foundAt: iso(Number(at)), missing: references, ...spanOf(detail) };
  });
}

async function beginEpoch(
  db: Store['db'],
  accepted: readonly { detail: string; accepted_at: unknown }[],
): Promise<void> {
  const stored = await db.selectFrom('meta').select('value').where('name', '=', EPOCH).executeTakeFirst();
  const value = writeEpoch(
    nextEpoch(
      parseEpoch(stored?.value),
      accepted.map(({ detail }) => detail),
      Math.max(...accepted.map((loss) => Number(loss.accepted_at))),
    ),
  );
  await db
    .insertInto('meta')
    .values({ name: EPOCH, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

function spanOf(detail: string): Pick<Loss, 'known' | 'found'> {
  const times = timesOf(detail);
  if (!times) return {};
  const { known, found } = times;
  return { ...(known !== undefined && { known: iso(known) }), found: iso(found) };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function lostSpan({ known, found }: Loss): string {
  const reached =
    known === undefined ? '' : `, and had reached ${known}. What was confirmed between them is missing`;
  return `The store ended at ${found ?? 'an unknown time'}${reached}.`;
}

function words(accepted: readonly Loss[], kind: Store['kind']): string[] {
  if (accepted.length === 0) return ['There is no loss to accept.'];
  const references = [...new Set(accepted.flatMap(({ missing }) => missing))];
  return [
    ...(kind === 'embedded'
      ? ['Accepted. Now start the service.', ...accepted.map(lostSpan)]
      : [
          'Accepted. Every replica goes on within a second.',
          `Commits are missing for at least these references (${references.length}):`,
          ...table(references.map((reference) => [`  ${reference}`])),
        ]),
    'Only the gateway knows what else is missing. Compare its settlement report with the store',
    '("tillfront settlement compare", then "adopt"; docs/runbook.md).',
  ];
}
