import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { openStore } from '../harness/event-store.js';
import { madeAt, operationRecord, paymentRecord, referenceOf, sessionRecord } from '../harness/records.js';
import { createTestStore, type TestStore } from '../harness/test-store.js';
import { timelineId } from '../../src/store/ids.js';
import type { Changes, NewDecline, Snapshot } from '../../src/store/payment-writer.js';
import type {
  EventRecord,
  IdempotencyRecord,
  PaymentRecord,
  TimelineRecord,
} from '../../src/store/schema.js';
import type { Store } from '../../src/store/store.js';

/**
 * On PostgreSQL everything that a batch writes is one statement with conditions. Whatever it writes, it must find its rows by their keys:
 * the statements are the store's own, taken down as it writes beside a hundred thousand rows of each table.
 */

const ROWS = 100_000;
/** Of tables that are small beside the others. */
const FEWER = 20_000;
const SMALL = ['operations', 'declines', 'timeline_pages'];
/** Rows of a batch. More than a few, so that reading a whole table would look cheap to a planner that is wrong about its size. */
const MANY = 24;
const TABLES = [
  'payment_references',
  'checkout_sessions',
  'payments',
  'idempotency_keys',
  'operations',
  'events',
  'declines',
  'timeline_pages',
];

let place: TestStore;
let store: Store;
let client: pg.Client;

const payment = (n: number | string): PaymentRecord =>
  paymentRecord({
    ...{ id: `pay_${n}`, sessionId: `cs_${n}`, reference: `R-${n}`, gatewayReference: `R-${n}_1` },
    ...{ leaseOwner: store.owner, leaseUntil: madeAt, nextStatusCheckAt: madeAt, cardLast4: '7499' },
  });

const entry = (paymentId: string, sequence: number): TimelineRecord => ({
  ...{ paymentId, sequence, id: timelineId(paymentId, sequence), type: 'created', at: madeAt },
  ...{ fromStatus: null, toStatus: null, late: false, actor: null, detail: null },
});

const event = (aggregateId: string, sequence: number): EventRecord => ({
  ...{ id: `evt_${aggregateId}_${sequence}`, type: 'payment.succeeded', aggregateId, sequence },
  ...{
    livemode: false,
    late: false,
    operation: null,
    data: '{}',
    createdAt: madeAt,
    batch: null,
    ordinal: null,
  },
  ...{
    deliveryStatus: 'pending',
    attempts: 0,
    nextAttemptAt: madeAt,
    firstAttemptAt: null,
    lastResult: null,
  },
  ...{ leaseOwner: null, leaseUntil: 0 },
});

const key = (n: number | string, over: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  ...{
    scope: 'merchant',
    key: `key-${n}`,
    fingerprint: 'f',
    sessionId: null,
    paymentId: null,
    operationId: null,
  },
  ...{ runningUntil: null, createdAt: madeAt, expiresAt: madeAt + 1, ...over },
});

const decline = (n: number | string): NewDecline => ({
  ...{ id: `pay_${n}`, addressFingerprint: 'a', networkFingerprint: null, cardFingerprint: 'c', weight: 2 },
});

/** Everything that can stand under a reference. */
function everything(n: number | string): Changes {
  const made = payment(n);
  return {
    reference: referenceOf(made),
    session: sessionRecord({ id: made.sessionId, reference: made.reference }),
    payment: made,
    operations: [operationRecord({ id: 'op_1', paymentId: made.id, type: 'void' })],
    idempotency: key(n),
    timeline: [entry(made.id, 1), entry(made.id, 2)],
    events: [event(made.id, 1), event(made.id, 2)],
    declines: [decline(n)],
  };
}

async function writeAll(name: string, change: (snapshot: Snapshot, n: string) => Changes): Promise<void> {
  await Promise.all(
    Array.from({ length: MANY }, (_, index) => {
      const n = `${name}${index}`;
      const wanted = {
        ...{ reference: `R-${n}`, createReference: true, sessionId: `cs_${n}`, paymentId: `pay_${n}` },
        idempotency: { scope: 'merchant', key: `key-${n}` },
      };
      return store.writer.write(wanted, (snapshot) => ({ changes: change(snapshot, n), result: undefined }));
    }),
  );
}

/** So many rows more, made of the one that there is, with names and numbers of their own. */
async function fill(): Promise<void> {
  const own: Record<string, string> = {
    payment_references: `'reference', 'F-' || n`,
    checkout_sessions: `'id', 'csf_' || n, 'reference', 'F-' || n`,
    payments: `'id', 'pf_' || n, 'session_id', 'csf_' || n, 'reference', 'F-' || n, 'gateway_reference', 'F-' || n || '_1'`,
    idempotency_keys: `'key', 'filled-' || n`,
    operations: `'payment_id', 'pf_' || n`,
    events: `'id', 'evt_pf_' || n, 'aggregate_id', 'pf_' || n, 'batch', 1000000 + n`,
    declines: `'id', 'pf_' || n`,
    timeline_pages: `'payment_id', 'pf_' || n`,
  };
  for (const table of TABLES)
    await client.query(`insert into ${table}
      select filled.* from (select * from ${table} limit 1) as one, generate_series(1, ${SMALL.includes(table) ? FEWER : ROWS}) as n,
        jsonb_populate_record(null::${table}, to_jsonb(one) || jsonb_build_object(${own[table] ?? ''})) as filled`);
  await client.query('analyze');
}

beforeAll(async () => {
  place = await createTestStore('postgres');
  store = await openStore(place);
  client = new pg.Client({ connectionString: place.databaseUrl });
  await client.connect();
});

afterAll(async () => {
  jest.restoreAllMocks();
  await client.end();
  await store.close();
  await place.dispose();
});

interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

/** More than PostgreSQL plans for their values before it thinks of keeping a plan. */
const EXECUTIONS = 8;

function literal(value: unknown): string {
  if (!Array.isArray(value)) return pg.escapeLiteral(String(value));
  const members = (value as (string | number | null)[]).map((each) =>
    each === null ? 'null' : JSON.stringify(String(each)),
  );
  return pg.escapeLiteral(`{${members.join(', ')}}`);
}

async function asPrepared<T>({ text, values }: Statement, look: (execute: string) => Promise<T>): Promise<T> {
  await client.query(`prepare looked_at as ${text}`);
  try {
    return await look(`explain execute looked_at(${values.map(literal).join(', ')})`);
  } finally {
    await client.query('deallocate looked_at');
  }
}

/** The plan that is kept for a prepared statement, whatever its values are. */
function keptPlan(statement: Statement): Promise<string> {
  return asPrepared(statement, async (execute) => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(execute);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

/** Whether a plan comes to be kept for a prepared statement though each execution is for a single row. */
function keepsPlan({ text, values }: Statement): Promise<boolean> {
  const single = values.map((value: unknown) => (Array.isArray(value) ? value.slice(0, 1) : value));
  return asPrepared({ text, values: single }, async (execute) => {
    for (let count = 0; count < EXECUTIONS; count += 1) await client.query(execute);
    const { rows } = await client.query<{ kept: boolean }>(
      'select generic_plans > 0 as kept from pg_prepared_statements',
    );
    return rows.every(({ kept }) => kept);
  });
}

/** Where a plan reads a table from its beginning to its end: as it lies, or by an index that it looks nothing up in. */
function wholeTables(plan: string): string[] {
  const nodes = plan.split(/\n\s*(?:->|CTE|InitPlan|SubPlan)/);
  return nodes.filter(
    (node) =>
      new RegExp(`Seq Scan on (?:${TABLES.join('|')})`).test(node) ||
      (/(?:Index (?:Only )?Scan|Bitmap Index Scan)/.test(node) && !node.includes('Index Cond')),
  );
}

test('whatever a batch writes, it finds its rows by their keys', async () => {
  await writeAll('first', (_, n) => everything(n));
  // A page of a timeline, made by the twentieth entry.
  const pages = ({ payment: found = payment('0') }: Snapshot, n: string): Changes => ({
    payment: { ...found, timelineSequence: found.timelineSequence + 40 },
    timeline: Array.from({ length: 40 }, (_, index) => entry(`pay_${n}`, found.timelineSequence + index + 1)),
  });
  await writeAll('first', pages);
  await fill();

  const seen = new Map<string, Statement>();
  const questions = new Map<string, Statement>();
  const original = Reflect.get(pg.Client.prototype, 'query') as (...values: unknown[]) => unknown;
  jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...values: unknown[]
  ) {
    const [statement] = values as [Partial<Statement>];
    if (statement.name?.startsWith('save-') === true) seen.set(statement.text ?? '', statement as Statement);
    else if (statement.name !== undefined) questions.set(statement.text ?? '', statement as Statement);
    return original.apply(this, values) as never;
  });

  await writeAll('second', (_, n) => everything(n));
  // The outcome of a payment, and a code's intent and outcome.
  await writeAll('second', ({ payment: found, session }, n) => ({
    reference: referenceOf({ ...(found ?? payment(n)), status: 'succeeded' }),
    payment: { ...(found ?? payment(n)), status: 'succeeded', leaseOwner: null, timelineSequence: 3 },
    ...(session && { session: { ...session, status: 'paid' as const, finishedAt: madeAt } }),
    operations: [
      operationRecord({ id: 'op_1', paymentId: `pay_${n}`, type: 'void', status: 'confirmed' }),
      operationRecord({ id: 'op_2', paymentId: `pay_${n}`, type: 'complete' }),
    ],
    timeline: [entry(`pay_${n}`, 3)],
    events: [event(`pay_${n}`, 3)],
    idempotency: key(n, { operationId: 'op_2' }),
    forgiveDecline: `pay_${n}`,
  }));
  // What stays of a payment and of a session, changed all the same, and a key that is given back.
  await writeAll('second', ({ payment: found, session }, n) => ({
    payment: { ...(found ?? payment(n)), metadata: { cart: '43' } },
    ...(session && { session: { ...session, payer: null, redactedAt: madeAt } }),
    releaseIdempotency: { scope: 'merchant', key: `key-${n}` },
  }));
  await writeAll('first', pages);

  const texts = [...seen.keys()].join('\n');
  for (const part of [
    ...TABLES.filter((table) => table !== 'timeline_pages').map((table) => `insert into ${table} `),
    'insert into timeline_pages',
    ...['payment_references', 'checkout_sessions', 'payments', 'operations', 'idempotency_keys'].map(
      (table) => `update ${table} as stored`,
    ),
    'delete from idempotency_keys',
    'delete from declines',
  ])
    expect(texts).toContain(part);

  await client.query('set plan_cache_mode = force_generic_plan');
  for (const settings of [
    'set enable_seqscan = off; set jit = off',
    'set enable_seqscan = on; set jit = off',
  ]) {
    await client.query(settings);
    for (const statement of seen.values()) expect(wholeTables(await keptPlan(statement))).toEqual([]);
  }
  // They are planned once, not each time: planning takes as long as executing them for one payment.
  await client.query('set enable_seqscan = off; set plan_cache_mode = auto');
  for (const statement of [...seen.values(), ...questions.values()])
    expect([statement.text, await keepsPlan(statement)]).toEqual([statement.text, true]);
  // And a statement that reads a whole table would be seen.
  const whole = { text: `update payments set version = 2 where metadata = $1`, values: ['{}'] };
  expect(wholeTables(await keptPlan(whole))).toHaveLength(1);
}, 240_000);
