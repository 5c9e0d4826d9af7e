import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { closedLoop } from './http-load.ts';
import type { Places } from './replicas.ts';
import { median } from './statistics.ts';
import { createDatabase, startService, type Subject } from './subject.ts';

/** What a payment costs in a store that holds so many already. */
export interface Growth {
  stored: number;
  embedded: { empty: number; grown: number };
  postgres: { empty: number; grown: number };
}

const PAYMENTS = 1_500;
const ROUNDS = 5;
const REST_LOOK_MS = 5_000;
const REST_WITHIN_MS = 15 * 60_000;
/** The share of a core that a service without payments uses at most. */
const AT_REST = 0.1;

/** CPU a payment of the service on an empty store and on one that holds `stored` payments, in turns. */
export async function measureGrowth(places: Places, stored: number): Promise<Growth> {
  const folder = mkdtempSync(join(tmpdir(), 'tillfront-growth-'));
  try {
    const embedded = await compare(places, {
      empty: { dataDir: join(folder, 'empty') },
      grown: { dataDir: join(folder, 'grown') },
      fill: async () => fillEmbedded(join(folder, 'grown', 'tillfront.db'), stored),
    });
    const emptyUrl = await createDatabase(places.postgresUrl, 'growth_empty');
    const grownUrl = await createDatabase(places.postgresUrl, 'growth_grown');
    // Both stores of ten million payments at once would fill a disk.
    rmSync(folder, { recursive: true, force: true });
    const postgres = await compare(places, {
      empty: { dataDir: join(folder, 'pg-empty'), databaseUrl: emptyUrl },
      grown: { dataDir: join(folder, 'pg-grown'), databaseUrl: grownUrl },
      fill: () => fillPostgres(grownUrl, stored),
    });
    return { stored, embedded, postgres };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Store {
  dataDir: string;
  databaseUrl?: string;
}

async function compare(
  { build, gatewayPort, say }: Places,
  stores: { empty: Store; grown: Store; fill: () => Promise<void> },
): Promise<{ empty: number; grown: number }> {
  const start = (name: string, store: Store): Promise<Subject> =>
    startService({ name, build, gatewayPort, ...store });
  // The service makes its tables itself.
  await (await start('filling', stores.grown)).stop();
  await stores.fill();
  const empty = await start('empty', stores.empty);
  const grown = await start('grown', stores.grown);
  try {
    await rest(grown);
    const costs = { empty: [] as number[], grown: [] as number[] };
    for (let round = -1; round < ROUNDS; round++) {
      const [a, b] = [await cost(empty), await cost(grown)];
      if (round < 0) continue;
      costs.empty.push(a);
      costs.grown.push(b);
    }
    const medians = { empty: median(costs.empty), grown: median(costs.grown) };
    say(
      `on a grown store${stores.empty.databaseUrl === undefined ? '' : ' in PostgreSQL'}: ${medians.empty.toFixed(3)} ms → ${medians.grown.toFixed(3)} ms a payment`,
    );
    return medians;
  } finally {
    await empty.stop();
    await grown.stop();
  }
}

/** Waits until a service has summed what it was filled with: a store that grows by itself has its sums at any time. */
async function rest(subject: Subject): Promise<void> {
  for (const deadline = performance.now() + REST_WITHIN_MS; ;) {
    const before = (await subject.usage()).cpuMs;
    await pause(REST_LOOK_MS);
    if ((await subject.usage()).cpuMs - before < REST_LOOK_MS * AT_REST) return;
    if (performance.now() > deadline) throw new Error(`${subject.name} does not come to rest`);
  }
}

async function cost(subject: Subject): Promise<number> {
  const payments = await subject.prepare(PAYMENTS);
  const before = await subject.usage();
  const { wrong } = await closedLoop(subject.port, payments, 32, (answer) => subject.isRight(answer));
  if (wrong > 0) throw new Error(`${subject.name}: ${wrong} wrong answers`);
  return ((await subject.usage()).cpuMs - before.cpuMs) / PAYMENTS;
}

/** So many payments are stored with one transaction: a store of ten million must not need twice its room while it is filled. */
const CHUNK = 500_000;

/** Numbers from 1 to `stored` in parts: the first and the last of each. */
function chunks(stored: number): { first: number; last: number }[] {
  return Array.from({ length: Math.ceil(stored / CHUNK) }, (_, index) => ({
    first: index * CHUNK + 1,
    last: Math.min((index + 1) * CHUNK, stored),
  }));
}

/** As long as a payment's is. */
const TIMELINE = '{"at":1700000000000,"type":"status_changed","from":"processing","to":"succeeded"}\n'.repeat(
  4,
);

/**
 * A paid payment a reference, spread over the past year, with everything that hangs on it, as one statement a table. `id(n)` is
 * what the ids of the time would be in their order.
 */
function statements(numbers: string, hex: string, words: string): string[] {
  const id = (prefix: string): string => `'${prefix}_' || ${hex}`;
  const at = '1700000000000 + n * 31';
  return [
    `insert into payment_references (reference, attempts, live_payment_ids, paid_payment_ids, session_id) select 'G-' || n, 1, '[]', '["' || ${id('pay')} || '"]', ${id('cs')} from ${numbers}`,
    `insert into checkout_sessions (id, reference, amount, currency, status, closed_reason, payer, billing, return_url, methods,
      metadata, declines, event_sequence, expires_at, created_at, updated_at, finished_at, redacted_at)
      select ${id('cs')}, 'G-' || n, '150000', 'NGN', 'paid', null, null, null, null, '["card"]', '{}', 0, 1,
      ${at} + 1800000, ${at}, ${at}, ${at}, null from ${numbers}`,
    `insert into payments (id, session_id, reference, gateway_reference, method, status, amount, currency, amount_captured, needs_attention,
      card_brand, card_last4, card_fingerprint, address_fingerprint, transaction_ref, metadata, otps_sent, answered, waiting, not_known_count,
      status_check_count, closed_at, event_sequence, timeline_sequence, lease_until, lease_fence, version, created_at, updated_at,
      pay_status, pay_owner, pay_actor, pay_former_count, pay_updated_at, timeline)
      select ${id('pay')}, ${id('cs')}, 'G-' || n, 'G-' || n || '_1', 'card', 'succeeded', '150000', 'NGN', '150000', 0, 'verve', '7499',
      ${id('card')}, ${id('address')}, 'T' || n, '{}', 0, 1, 0, 0, 0, ${at}, 1, 4, 0, 1, 2, ${at}, ${at},
      'confirmed', 'own_g', 'payer', 0, ${at}, '${TIMELINE}' from ${numbers}`,
    `insert into movements (id, payment_id, kind, direction, amount, currency, method, at, recorded_at, reference, gateway_reference,
      transaction_ref, actor, source, batch)
      select ${id('mov')}, ${id('pay')}, 'payment', 'in', '150000', 'NGN', 'card', ${at}, ${at}, 'G-' || n, 'G-' || n || '_1', 'T' || n,
      'payer', 'gateway', n from ${numbers}`,
    `insert into idempotency_keys (scope, key, fingerprint, session_id, payment_id, operation_id, running_until, created_at, expires_at)
      select 'session:' || ${id('cs')}, 'key-' || n, 'f', ${id('cs')}, ${id('pay')}, ${id('op')}, null, ${at}, ${at} from ${numbers}`,
    `insert into search_references (payment_id, words) select ${id('pay')}, ${words} from ${numbers}`,
    `insert into event_batches (id, position) select n, n from ${numbers}`,
    `insert into events (id, type, aggregate_id, sequence, livemode, late, data, created_at, batch, ordinal, delivery_status, attempts, lease_until)
      select 'evt_' || ${id('pay')} || '_1', 'payment.succeeded', ${id('pay')}, 1, 0, 0, '{}', ${at}, n, 1, 'none', 0, 0 from ${numbers}`,
  ];
}

/** Fills an embedded store, whose tables there are, with so many payments. */
export function fillEmbedded(file: string, stored: number): Promise<void> {
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = off; pragma analysis_limit = 1000');
  for (const { first, last } of chunks(stored)) {
    const numbers = `(with recursive numbers(n) as (select ${first} union all select n + 1 from numbers where n < ${last}) select n from numbers)`;
    database.exec('begin');
    for (const statement of statements(
      numbers,
      `printf('%08x', n) || '0123456789abcdef01234567'`,
      "'^^g-' || n || '$$'",
    )) {
      database.exec(statement);
    }
    database.exec('commit; pragma wal_checkpoint(truncate)');
  }
  database.exec('analyze');
  database.close();
  return Promise.resolve();
}

/** What `payments/search/reference-index.ts` writes of a reference in PostgreSQL: every three characters in a row. */
const GRAMS = `(select string_agg(substr('^^g-' || n || '$$', at, 3), ' ' order by at) from generate_series(1, length(n::text) + 4) as at)`;

/** The same in PostgreSQL. */
export async function fillPostgres(url: string, stored: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  // Row by row it would take longer than all else.
  const { rows } = await client.query<{ indexdef: string }>(
    "select indexdef from pg_indexes where indexname = 'search_references_words'",
  );
  await client.query('drop index search_references_words');
  for (const { first, last } of chunks(stored)) {
    const numbers = `(select generate_series(${first}, ${last}) as n) as numbers`;
    for (const statement of statements(
      numbers,
      `lpad(to_hex(n), 8, '0') || '0123456789abcdef01234567'`,
      GRAMS,
    )) {
      await client.query(statement.replaceAll('n * 31', 'n * 31::bigint'));
    }
  }
  await client.query(rows[0]?.indexdef ?? '');
  // Else the database would do it by itself, in the middle of the measurement.
  await client.query(
    "select setval(pg_get_serial_sequence('event_batches', 'id'), max(id)) from event_batches",
  );
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();
}
