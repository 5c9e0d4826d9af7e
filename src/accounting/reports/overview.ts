import type { TimeZone } from '../../calendar/time-zone.js';
import type { Store } from '../../store/store.js';
import { paymentSummary } from './summary.js';
import type { OverviewDto } from './reports.dto.js';

/** What is open is counted up to here: beyond that a figure says nothing more. */
const COUNTED = 10_000;
const DAYS = 30;
const NOT_PAID = `'failed', 'canceled', 'expired'`;

/** Figures of the present moment, each from an index. */
export async function readOverview(store: Store, zone: TimeZone): Promise<OverviewDto> {
  const now = store.now();
  const from = zone.startOf(zone.dayOf(now) - (DAYS - 1));
  const range = { from, to: now + 1 };
  const paid = (await paymentSummary(store, range, 'day', zone)).filter(
    ({ status }) => status === 'succeeded',
  );
  return {
    at: new Date(now).toISOString(),
    paid: paid.map(({ day = '', currency, count, captured, refunded }) => ({
      ...{ day, currency, count, captured, refunded },
    })),
    methods: await methods(store, from),
    open: await openPayments(store),
    undeliveredEvents: await count(store, `events where status in ('pending', 'failed')`),
    openDifferences: await count(store, `differences where state = 'open'`),
    lastSettlement: await lastSettlement(store),
  };
}

function methods(store: Store, from: number): Promise<OverviewDto['methods']> {
  return store.rows({
    text: `select method, sum(case when status in ('succeeded', 'voided') then 1 else 0 end) as paid,
      sum(case when status in (${NOT_PAID}) then 1 else 0 end) as "notPaid"
      from payments where created_at >= ? group by method order by method`,
    values: [from],
  });
}

async function openPayments(store: Store): Promise<OverviewDto['open']> {
  const of = (status: string) => count(store, `payments where status = '${status}'`);
  const [oldest] = await store.rows<{ id: string; created_at: number }>({
    text: `select id, created_at from payments where status in ('processing', 'requires_action', 'authorized')
      order by created_at, id limit 1`,
  });
  return {
    processing: await of('processing'),
    requiresAction: await of('requires_action'),
    authorized: await of('authorized'),
    needsAttention: await count(store, 'payments where reasons is not null'),
    duplicates: await count(
      store,
      "payments where duplicate_of is not null and captured > refunded + disputed_amount and status <> 'voided'",
    ),
    oldest: oldest ? { paymentId: oldest.id, createdAt: new Date(oldest.created_at).toISOString() } : null,
  };
}

async function lastSettlement(store: Store): Promise<OverviewDto['lastSettlement']> {
  const [row] = await store.rows<{ n: number; id: string; received_at: number }>({
    text: `select n, id, received_at from settlements where state <> 'reading' order by n desc limit 1`,
  });
  if (!row) return null;
  return {
    id: row.id,
    receivedAt: new Date(row.received_at).toISOString(),
    differences: await count(store, `differences where report = ${row.n} and state = 'open'`),
  };
}

async function count(store: Store, what: string): Promise<number> {
  const [row] = await store.rows<{ count: number }>({
    text: `select count(*) as count from (select 1 from ${what} limit ${COUNTED}) as found`,
  });
  return row?.count ?? 0;
}
