import { sql } from 'kysely';
import { decodeRow, encodeRow, type RowOf, type StoredRow } from '../../store/table.js';
import { newReferenceRecord, type ReferenceRecord, references } from '../../store/schema.js';
import { EPOCH, nextEpoch, parseEpoch, writeEpoch } from '../../store/history/epoch.js';
import type { Commit } from '../../store/history/witness.js';
import { named } from '../../store/named-reference.js';
import type { Store } from '../../store/store.js';
import { auditCommand } from '../command-audit.js';
import type { CommandContext } from '../command-context.js';
import { commandUser } from '../command-user.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { table } from '../output/table.js';
import { lossOf, lostSpan, missingOf, withLosses, type Loss } from './store-losses.js';

/**
 * Records that a person knows what the store has forgotten. Every process that waits for it on PostgreSQL goes on within a second; one
 * with the embedded store, which is for one process alone, is started afterwards. Where nothing waits, nothing happens.
 */
export async function acceptLoss(context: CommandContext): Promise<ExitCode> {
  const { reporter } = context;
  return withLosses(context, async (store) => {
    const accepted = await accept(store);
    if (accepted.length > 0) await auditCommand(store, 'accept-loss', accepted[0]?.id);
    reporter.report({ text: words(accepted, store.kind), json: { accepted } });
    return EXIT.done;
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
    if (accepted.length > 0) {
      await beginEpoch(transaction, accepted);
      for (const { detail, accepted_at: at } of accepted)
        for (const commit of missingOf(detail)) await nameMissing(transaction, commit, Number(at));
    }
    return accepted;
  });
  return rows.map(lossOf);
}

/** What was lost may have been paid: no payment of this order starts before the gateway was asked about it. */
async function nameMissing(db: Store['db'], { reference, attempts = 0 }: Commit, at: number): Promise<void> {
  const row = await db
    .selectFrom('payment_references')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst();
  const found = row ? decodeRow(references, row as StoredRow) : newReferenceRecord(reference);
  const first = found.attempts + 1;
  const numbers = Array.from({ length: Math.max(attempts - found.attempts, 1) }, (_, index) => first + index);
  const values = encodeRow(
    references,
    named(found, numbers, 'loss', at),
  ) as unknown as RowOf<ReferenceRecord>;
  await db
    .insertInto('payment_references')
    .values({ ...values, version: 0 })
    .onConflict((conflict) =>
      conflict.column('reference').doUpdateSet({
        names: values.names,
        names_due_at: values.names_due_at,
        version: sql<number>`payment_references.version + 1`,
      }),
    )
    .execute();
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

function words(accepted: readonly Loss[], kind: Store['kind']): string[] {
  if (accepted.length === 0) return ['There is no loss to accept.'];
  const missing = [...new Set(accepted.flatMap((loss) => loss.missing))];
  return [
    ...(kind === 'embedded'
      ? ['Accepted. Now start the service.', ...accepted.map(lostSpan)]
      : [
          'Accepted. Every replica goes on within a second.',
          `Commits are missing for at least these references (${missing.length}):`,
          ...table(missing.map((reference) => [`  ${reference}`])),
          'The gateway is asked about each before a payment of it starts. "tillfront store losses" shows them again.',
        ]),
    'Only the gateway knows what else is missing. Compare its settlement report with the store',
    '("tillfront settlement compare", then "adopt"; docs/runbook.md).',
  ];
}
