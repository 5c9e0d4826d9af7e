import { timesOf } from '../../store/history/embedded-loss.js';
import type { StoreLossRecord } from '../../store/schema.js';
import type { Commit } from '../../store/history/witness.js';
import { readSchema } from '../../store/migrations.js';
import type { Store } from '../../store/store.js';
import type { CommandContext } from '../command-context.js';
import { CommandFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { inspectConfiguration } from '../inspect-configuration.js';
import { withStore } from '../with-store.js';

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
