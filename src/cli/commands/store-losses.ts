import { sql } from 'kysely';
import { timesOf } from '../../store/history/embedded-loss.js';
import {
  type StoreLossRecord,
  newReferenceRecord,
  type ReferenceRecord,
  references,
} from '../../store/schema.js';
import type { Commit } from '../../store/history/witness.js';
import { readSchema } from '../../store/migrations.js';
import type { Store } from '../../store/store.js';
import { decodeRow, encodeRow, type RowOf, type StoredRow } from '../../store/table.js';
import { EPOCH, nextEpoch, parseEpoch, writeEpoch } from '../../store/history/epoch.js';
import { named } from '../../store/named-reference.js';
import { type CommandContext, CommandFailure, EXIT, type ExitCode } from '../command.js';
import { inspectConfiguration, withStore } from '../configuration.js';
import { auditCommand, commandUser } from '../command-audit.js';
import { table } from '../output.js';

/** A loss as it is shown. */
export interface Loss {
  id: string;
  foundAt: string;
  /** The references of commits that were missing. */
  missing: string[];
  /** On the embedded store: the time that it had reached. */
  known?: string;
  /** On the embedded store: the time at which it ends. */
  found?: string;
}

/** Shows every loss that the store knows of, with all references that it names, whether somebody has accepted it or not. */
export async function listLosses(context: CommandContext): Promise<ExitCode> {
  return withLosses(context, async ({ db }) => {
    const rows = await db.selectFrom('store_losses').selectAll().orderBy('found_at').orderBy('id').execute();
    const losses = rows.map((row) => ({
      ...lossOf(row),
      acceptedAt: row.accepted_at === null ? null : iso(Number(row.accepted_at)),
      acceptedBy: row.accepted_by,
    }));
    const text = losses.flatMap((loss) => [
      `${loss.id}, found at ${loss.foundAt}, ` +
        (loss.acceptedAt === null
          ? 'not accepted'
          : `accepted at ${loss.acceptedAt} by ${loss.acceptedBy ?? 'somebody'}`),
      ...(loss.found === undefined ? [] : [`  ${lostSpan(loss)}`]),
      ...loss.missing.map((reference) => `  ${reference}`),
    ]);
    context.reporter.report({
      text: text.length > 0 ? text : ['The store knows of no loss.'],
      json: { losses },
    });
    return EXIT.done;
  });
}

/** Opens the store for work on its losses, without looking at its history. */
export async function withLosses(
  { env }: CommandContext,
  work: (store: Store) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withStore(inspectConfiguration(env), async (store) => {
    const { applied } = await readSchema(store.db);
    if (!applied.includes('0028-payment-names')) {
      throw new CommandFailure(
        'This store was never used by this version. Run "tillfront migrate" first.',
        'store',
      );
    }
    return work(store);
  });
}

/** A loss as it stands in its row. Pure. */
export function lossOf({ id, found_at: at, detail }: { id: string; found_at: number; detail: string }): Loss {
  const missing = [...new Set(missingOf(detail).map(({ reference }) => reference))];
  const times = timesOf(detail);
  return {
    id,
    foundAt: iso(Number(at)),
    missing,
    ...(times && {
      ...(times.known !== undefined && { known: iso(times.known) }),
      found: iso(times.found),
    }),
  };
}

/** The commits that a loss names. Pure. */
export function missingOf(detail: string): Commit[] {
  return (JSON.parse(detail) as StoreLossRecord['detail']).missing;
}

/** What is missing of an embedded store. Pure. */
export function lostSpan({ known, found }: Loss): string {
  const reached =
    known === undefined ? '' : `, and had reached ${known}. What was confirmed between them is missing`;
  return `The store ended at ${found ?? 'an unknown time'}${reached}.`;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

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
