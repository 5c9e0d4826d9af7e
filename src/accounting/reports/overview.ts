import type { TimeZone } from '../../calendar/time-zone.js';
import type { Store } from '../../store/store.js';
import { paymentSummary } from './summary.js';
import type { OverviewDto } from './reports.dto.js';

const DAYS = 30;
const NOT_PAID = `'failed', 'canceled', 'expired'`;

/** As the index of statuses has it: SQLite finds it by these words alone. */
const NOT_PAID_YET = `payments where status <> 'succeeded' and status`;
/** Counts in one row, by name. */
const COUNTS = {
  processing: `${NOT_PAID_YET} = 'processing'`,
  requiresAction: `${NOT_PAID_YET} = 'requires_action'`,
  authorized: `${NOT_PAID_YET} = 'authorized'`,
  needsAttention: 'payments where reasons is not null',
  duplicates: `payments where duplicate_of is not null and captured > refunded + disputed_amount and status <> 'voided'`,
  undeliveredEvents: `events where status in ('pending', 'failed')`,
  openDifferences: `differences where state = 'open'`,
  ofLast: `differences where state = 'open' and report = (select max(n) from settlements where state <> 'reading')`,
} as const;

/** Figures of the present moment, each from an index. `delivers`: a server waits for events. */
export async function readOverview(store: Store, zone: TimeZone, delivers: boolean): Promise<OverviewDto> {
  const now = store.now();
  const from = zone.startOf(zone.dayOf(now) - (DAYS - 1));
  const paid = await paymentSummary(store, { from, to: now + 1 }, 'day', zone);
  const counts = await counted(store);
  const { undeliveredEvents, openDifferences, ofLast, ...open } = counts;
  const [oldest] = await store.rows<{ paymentId: string; createdAt: number }>({
    text: `select id as "paymentId", created_at as "createdAt" from ${NOT_PAID_YET}
      in ('processing', 'requires_action', 'authorized') order by +created_at, id limit 1`,
  });
  const [last] = await store.rows<{ id: string; receivedAt: number }>({
    text: `select id, received_at as "receivedAt" from settlements where state <> 'reading' order by n desc limit 1`,
  });
  return {
    at: new Date(now).toISOString(),
    paid: paid
      .filter(({ status }) => status === 'succeeded')
      .map(({ day = '', status: _status, amount: _amount, ...sums }) => ({ day, ...sums })),
    methods: await methods(store, from),
    open: {
      ...open,
      oldest: oldest ? { ...oldest, createdAt: new Date(oldest.createdAt).toISOString() } : null,
    },
    ...{ undeliveredEvents: delivers ? undeliveredEvents : 0, openDifferences },
    lastSettlement: last
      ? { id: last.id, receivedAt: new Date(last.receivedAt).toISOString(), differences: ofLast }
      : null,
  };
}

async function counted(store: Store): Promise<Record<keyof typeof COUNTS, number>> {
  const counts = Object.entries(COUNTS).map(([name, what]) => `(select count(*) from ${what}) as "${name}"`);
  const [row] = await store.rows<Record<keyof typeof COUNTS, number>>({
    text: `select ${counts.join(', ')}`,
  });
  if (!row) throw new TypeError('A question without a table has one row');
  return row;
}

function methods(store: Store, from: number): Promise<OverviewDto['methods']> {
  return store.rows({
    text: `select method, sum(case when status in ('succeeded', 'voided') then 1 else 0 end) as paid,
      sum(case when status in (${NOT_PAID}) then 1 else 0 end) as "notPaid"
      from payments where created_at >= ? group by method order by method`,
    values: [from],
  });
}
