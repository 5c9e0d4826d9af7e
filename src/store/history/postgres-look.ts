import type { ClientBase } from 'pg';
import { StoreUnavailable } from '../store-unavailable.js';
import { EPOCH, parseEpoch, type Epoch } from './epoch.js';
import type { HistoryLook } from './judge-history.js';
import type { Commit } from './witness.js';

/** What a connection shows, with the whole epoch. */
export interface PostgresLook extends Omit<HistoryLook, 'epoch'> {
  epoch: Epoch;
}

interface LookRow extends Omit<HistoryLook, 'history' | 'epoch'> {
  history: { system: string; timeline: string } | null;
  epoch: string | null;
}

const look = (identity: string): string => `
  select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "readOnly",
    ${identity} as history,
    (select coalesce(json_object_agg(reference, version), '{}') from payment_references
      where reference = any($1)) as versions,
    (select coalesce(json_agg(json_build_object('id', id, 'accepted', accepted_at is not null)), '[]')
      from store_losses) as losses,
    (select value from meta where name = '${EPOCH}') as epoch`;

/**
 * Looks at the database behind a connection, and at what it knows of these commits. Writes nothing.
 *
 * @param identity an expression of the cluster and its timeline, where the database tells them
 */
export async function lookAtPostgres(
  client: ClientBase,
  commits: readonly Commit[],
  identity = 'null::json',
): Promise<PostgresLook> {
  const references = commits.map(({ reference }) => reference);
  const { rows } = await client.query<LookRow>({ text: look(identity), values: [references] });
  const [row] = rows;
  if (!row) throw new StoreUnavailable('the database gave no answer');
  const { history } = row;
  return {
    ...row,
    epoch: parseEpoch(row.epoch),
    history: history && { system: history.system, timeline: parseInt(history.timeline, 16) },
  };
}
