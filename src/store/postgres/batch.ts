import type { DecidedWrite, Mark } from '../driver.js';
import { stepTexts, type StepName } from '../statements.js';
import { numbered } from './numbered.js';
import type { PipelinedStatement } from './pipeline.js';

/** Any number that nobody else takes. */
const EVENTS_LOCK = 0x74696c6c02;

const fixed = (name: string, text: string) => ({ name: `tf_${name}`, text: numbered(text), values: [] });

const BEGIN = fixed('begin', 'begin');
const COMMIT = fixed('commit', 'commit');
const LOCK_EVENTS = fixed('lock_events', `select pg_advisory_xact_lock(${EVENTS_LOCK})`);
/** Fails where the writer's last batch is missing, or the last heartbeat of its process: it divides by zero. */
const MOVE_MARK = fixed(
  'move_mark',
  `with moved as (update marks set mark = mark + 1 where writer = ? and mark = cast(? as bigint)
      and exists (select 1 from marks beat where beat.writer = ? and beat.mark >= cast(? as bigint)) returning mark)
    select 1 / count(*) from moved`,
);
/** Until the commit, no other batch can store this transaction of the gateway for another order without being seen. */
const LOCK_TRANSACTION = fixed(
  'lock_transaction',
  'select pg_advisory_xact_lock(hashtextextended(lower(?), 0))',
);
const STEPS = new Map(
  Object.entries(stepTexts('postgres')).map(([name, text]) => [name, fixed(name.toLowerCase(), text)]),
);
const OF_ORDERS = new Set<StepName>(['insertOrder', 'updateOrder', 'updateGuardedOrder']);

/** A batch as PostgreSQL gets it. */
export interface Batch {
  statements: PipelinedStatement[];
  /** By write: which answer says whether it counted. */
  orders: number[];
}

export function batchOf({ writer, count }: Mark, beat: Mark, writes: readonly DecidedWrite[]): Batch {
  const mark = { ...MOVE_MARK, values: [writer, count, beat.writer, beat.count] };
  const statements: PipelinedStatement[] = [BEGIN, mark];
  const orders: number[] = [];
  const events: PipelinedStatement[] = [];
  for (const { reference, rev, steps, ownTransaction } of writes) {
    if (ownTransaction != null) statements.push({ ...LOCK_TRANSACTION, values: [ownTransaction] });
    orders.push(statements.length);
    for (const [name, ...values] of steps) {
      const { name: prepared, text } = STEPS.get(name) ?? BEGIN;
      const statement = {
        name: prepared,
        text,
        values: OF_ORDERS.has(name) ? values : [...values, reference, rev],
      };
      (name === 'insertEvent' ? events : statements).push(statement);
    }
  }
  // From here to the commit no other batch inserts events, so their order is the order of commits.
  if (events.length > 0) statements.push(LOCK_EVENTS, ...events);
  statements.push(COMMIT);
  return { statements, orders };
}
