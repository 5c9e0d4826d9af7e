import type { DecidedWrite, Step } from '../driver.js';
import { LOAD_LOST, STEP, stepTexts } from '../statements.js';
import type { SqlValue } from '../store.js';
import { numbered } from './numbered.js';
import type { PipelinedStatement } from './pipeline.js';

/** Any number that nobody else takes. */
const EVENTS_LOCK = 0x74696c6c02;

/**
 * Fails where the writer's last batch is missing. Batches and questions about their end take numbers from one row, so a batch that the server
 * gets to late fails too.
 */
const MOVE_MARK = `with moved as (update marks set mark = cast(? as bigint) where writer = ? and mark = cast(? as bigint) returning mark)
  select 1 / count(*) from moved`;

/** How the mark of a writer moves with a batch. */
export interface MarkMove {
  writer: string;
  from: number;
  to: number;
}

/** A batch as PostgreSQL gets it. */
export interface Batch {
  statements: PipelinedStatement[];
  /** By write: which answer says whether it counted. */
  orders: number[];
  /** Which answer has the orders of those that did not. */
  lost: number;
}

/** @param begins false where the connection is in a transaction already */
export function batchOf(
  writes: readonly DecidedWrite[],
  { writer, from, to }: MarkMove,
  begins: boolean,
): Batch {
  const statements: PipelinedStatement[] = begins ? [BEGIN] : [];
  statements.push({ ...MARK, values: [to, writer, from] });
  const orders: number[] = [];
  const events: PipelinedStatement[] = [];
  for (const { reference, rev, steps } of writes) {
    orders.push(statements.length);
    for (const step of steps) {
      const whose = STEPS_OF_ORDERS.has(step[0]) ? [] : [reference, rev];
      (step[0] === STEP.insertEvent ? events : statements).push(stepStatement(step, whose));
    }
  }
  // From here to the commit no other batch inserts events, so their order is the order of commits.
  if (events.length > 0) statements.push(LOCK_EVENTS, ...events);
  const lost = statements.length;
  const references = arrayOf(writes.map(({ reference }) => reference));
  statements.push({ ...LOST, values: [references, arrayOf(writes.map(({ rev }) => rev))] }, COMMIT);
  return { statements, orders, lost };
}

const STEPS_OF_ORDERS = new Set<number>([STEP.insertOrder, STEP.updateOrder, STEP.updateGuardedOrder]);

const STEPS = stepTexts('postgres').map((text, step) => ({
  name: `tillfront_step_${step}`,
  text: numbered(text),
}));

function stepStatement([number, ...values]: Step, whose: string[]): PipelinedStatement {
  const { name, text } = STEPS[number] ?? { name: '', text: '' };
  return { name, text, values: [...values, ...whose] };
}

const names = new Map<string, string>();

/** The name under which a text is prepared that is always the same. */
export function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = `tillfront_lookup_${names.size}`));
  return name;
}

export function statement(text: string, values: readonly SqlValue[] = []): PipelinedStatement {
  // Not the name of the same text outside of a pipeline: each keeps its own account of what a connection has prepared.
  return { name: `${nameOf(text)}_sent`, text: numbered(text), values };
}

const BEGIN = statement('begin');
const COMMIT = statement('commit');
const MARK = statement(MOVE_MARK);
const LOCK_EVENTS = statement(`select pg_advisory_xact_lock(${EVENTS_LOCK})`);
const LOST = statement(LOAD_LOST);

/** As PostgreSQL reads an array of texts. */
export function arrayOf(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
