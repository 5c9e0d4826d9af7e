import type { StoreKind } from './schema.js';
import type { ApprovalRow, EventRow, MovementRow } from './store.js';

/** The statements that a write can consist of: one number each, so that the threads and connections that run them need no text. */
export const STEP = {
  insertOrder: 0,
  updateOrder: 1,
  updateGuardedOrder: 2,
  insertPayment: 3,
  updatePayment: 4,
  updateLeasedPayment: 5,
  updateLease: 6,
  insertSession: 7,
  updateSession: 8,
  insertMovement: 9,
  insertDecline: 10,
  saveApproval: 11,
  insertEvent: 12,
} as const;

export const EVENT_FIELDS: (keyof EventRow)[] = [
  'id',
  'stream',
  'paymentId',
  'sequence',
  'type',
  'body',
  'at',
];
export const MOVEMENT_FIELDS: (keyof MovementRow)[] = [
  ...(['id', 'kind', 'direction', 'amount', 'currency', 'at', 'recordedAt', 'late', 'paymentId'] as const),
  ...([
    'reference',
    'gatewayReference',
    'transactionRef',
    'refundId',
    'method',
    'actor',
    'reason',
    'source',
  ] as const),
];
export const APPROVAL_FIELDS: (keyof ApprovalRow)[] = [
  ...(['id', 'paymentId', 'reference', 'state', 'expiresAt', 'createdAt', 'doc'] as const),
];
const columnsOf = (fields: string[]) =>
  fields.map((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/**
 * The texts by number. On PostgreSQL every step after the first counts only where the first one did, and takes the order's reference and
 * new rev as its last two values. On SQLite the thread leaves out what follows a first step that did not count.
 */
export function stepTexts(kind: StoreKind): string[] {
  const guarded = kind === 'postgres';
  const won = 'exists (select 1 from orders where reference = ? and rev = ?)';
  const insert = (table: string, columns: string[], conflict = '') => {
    const values = columns.map(() => '?').join(', ');
    const source = guarded ? `select ${values} where ${won}` : `values (${values})`;
    return `insert into ${table} (${columns.join(', ')}) ${source}${conflict}`;
  };
  const update = (table: string, columns: string[]) =>
    `update ${table} set ${columns.map((column) => `${column} = ?`).join(', ')} where id = ?${guarded ? ` and ${won}` : ''}`;
  const updateOrder = 'update orders set rev = ?, prev = rev, doc = ? where reference = ? and rev = ?';
  const approval = columnsOf(APPROVAL_FIELDS);
  const approved = approval.slice(3).map((column) => `${column} = excluded.${column}`);

  const texts: string[] = [];
  texts[STEP.insertOrder] =
    'insert into orders (rev, doc, reference) values (?, ?, ?) on conflict (reference) do nothing';
  texts[STEP.updateOrder] = updateOrder;
  texts[STEP.updateGuardedOrder] =
    `${updateOrder} and exists (select 1 from payments where id = ? and lease_owner = ?)`;
  texts[STEP.insertPayment] = insert('payments', [
    'id',
    'reference',
    'n',
    'doc',
    'lease_owner',
    'lease_until',
  ]);
  texts[STEP.updatePayment] = update('payments', ['doc']);
  texts[STEP.updateLeasedPayment] = update('payments', ['doc', 'lease_owner', 'lease_until']);
  texts[STEP.updateLease] = update('payments', ['lease_owner', 'lease_until']);
  texts[STEP.insertSession] = insert('sessions', ['id', 'reference', 'created_at', 'email_hash']);
  texts[STEP.updateSession] = update('sessions', ['email_hash']);
  texts[STEP.insertMovement] = insert('movements', columnsOf(MOVEMENT_FIELDS));
  texts[STEP.insertDecline] = insert('declines', ['id', 'address', 'card', 'at']);
  texts[STEP.saveApproval] = insert(
    'approvals',
    approval,
    ` on conflict (id) do update set ${approved.join(', ')}`,
  );
  texts[STEP.insertEvent] = insert('events', columnsOf(EVENT_FIELDS));
  return texts;
}

const ORDER_AND_PAYMENTS = `select o.reference, o.rev, o.prev, o.doc, p.id, p.doc, p.lease_owner, p.lease_until
  from orders o left join payments p on p.reference = o.reference`;

/** One order with its payments; `decodeOrders` reads it. */
export const LOAD_ONE = `${ORDER_AND_PAYMENTS} where o.reference = ? order by p.n`;
/** PostgreSQL: several orders. */
export const LOAD_MANY = `${ORDER_AND_PAYMENTS} where o.reference = any(cast(? as text[])) order by p.n`;
/** PostgreSQL: those of them whose write has lost. */
export const LOAD_LOST = `${ORDER_AND_PAYMENTS} where o.reference = any(cast(? as text[])) and o.rev <> all(cast(? as text[])) order by p.n`;
