import type { PoolClient } from 'pg';
import type { DeclineQuestion } from './driver.js';
import type { DeclineCounts } from './payment-writer.js';
import { listOf } from './statements.js';
import type { StoredRow, StoredValue } from './table.js';

/**
 * A row's time and its age are measured by the store's own clock, on PostgreSQL the database's, so that replicas with
 * different clocks count alike. That clock may be moved too. Set forward, it makes all declines old, once. Set back, it
 * leaves rows that seem to come from the future. They count if they are less than a window ahead, so nobody is refused
 * for longer than two windows.
 */
export const POSTGRES_NOW = '(extract(epoch from now()) * 1000)::bigint';

/**
 * A card counts for at most one decline of its address: two abandoned challenges of a card count as one decline, and so
 * do ten declines.
 */
const SQLITE_CARDS = (column: string): string =>
  `select coalesce(sum(weight), 0) as halves from (select min(2, sum(weight)) as weight
     from declines where ${column} = ? and at > ? and at <= ? group by card_fingerprint)`;
const SQLITE_OF_CARD =
  'select coalesce(sum(weight), 0) as halves from declines where card_fingerprint = ? and at > ? and at <= ?';

/** Counts on the embedded store, `now` by its clock. */
export function countOnSqlite(
  first: (statement: string, ...values: StoredValue[]) => StoredRow | undefined,
  asked: DeclineQuestion,
  now: number,
): DeclineCounts {
  const count = (statement: string, fingerprint: string): number =>
    Number(first(statement, fingerprint, now - asked.windowMs, now + asked.windowMs)?.['halves']);
  const { addressFingerprint, networkFingerprint, cardFingerprint } = asked;
  return {
    cardsOfAddress: count(SQLITE_CARDS('address_fingerprint'), addressFingerprint),
    cardsOfNetwork:
      networkFingerprint === null ? 0 : count(SQLITE_CARDS('network_fingerprint'), networkFingerprint),
    ofCard: count(SQLITE_OF_CARD, cardFingerprint),
  };
}

const LATELY = `at > ${POSTGRES_NOW} - asked.window_ms and at <= ${POSTGRES_NOW} + asked.window_ms`;
const POSTGRES_CARDS = (column: string, asked: string): string =>
  `(select coalesce(sum(weight), 0)::int from (select least(2, sum(weight)) as weight
      from declines where ${column} = asked.${asked} and ${LATELY} group by card_fingerprint) as cards)`;

const POSTGRES_COUNTS = `select
    ${POSTGRES_CARDS('address_fingerprint', 'address')} as "cardsOfAddress",
    ${POSTGRES_CARDS('network_fingerprint', 'network')} as "cardsOfNetwork",
    (select coalesce(sum(weight), 0)::int from declines where card_fingerprint = asked.card and ${LATELY}) as "ofCard"
  from unnest(${listOf(1)}, ${listOf(2)}, ${listOf(3)}, (select $4::bigint[]))
    with ordinality as asked (address, network, card, window_ms, number) order by number`;

/** Counts on PostgreSQL, for many at once, in their order. */
export async function countOnPostgres(
  client: PoolClient,
  asked: readonly DeclineQuestion[],
): Promise<DeclineCounts[]> {
  const { rows } = await client.query<DeclineCounts>({
    name: 'count-declines',
    text: POSTGRES_COUNTS,
    values: [
      asked.map((one) => one.addressFingerprint),
      asked.map((one) => one.networkFingerprint),
      asked.map((one) => one.cardFingerprint),
      asked.map((one) => one.windowMs),
    ],
  });
  return rows;
}
