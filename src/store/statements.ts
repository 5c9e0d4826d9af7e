import type { StoreKind } from './schema.js';
import type { ApprovalRow, EventRow, MovementRow } from './store.js';

/** The statements that a write can consist of: their names, so that the threads and connections that run them need no text. */
export type StepName =
  | 'insertOrder'
  | 'updateOrder'
  | 'updateGuardedOrder'
  | 'insertPayment'
  | 'updatePayment'
  | 'updateLeasedPayment'
  | 'saveSession'
  | 'insertMovement'
  | 'insertDecline'
  | 'saveApproval'
  | 'insertEvent';

export const EVENT_FIELDS = ['id', 'stream', 'paymentId', 'sequence', 'type', 'body', 'at'] as const;
export const MOVEMENT_FIELDS = [
  ...(['id', 'kind', 'direction', 'amount', 'currency', 'at', 'recordedAt', 'late', 'paymentId'] as const),
  ...(['reference', 'gatewayReference', 'transactionRef', 'refundId', 'method', 'actor'] as const),
  ...(['reason', 'source'] as const),
];
const APPROVAL_CHANGES = ['state', 'expiresAt', 'doc'] as const;
export const APPROVAL_FIELDS = ['id', 'paymentId', 'reference', 'createdAt', ...APPROVAL_CHANGES] as const;

const columnsOf = (fields: readonly (keyof EventRow | keyof MovementRow | keyof ApprovalRow)[]) =>
  fields.map((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/**
 * The texts by name. On PostgreSQL every step after the first counts only where the first one did, and takes the order's reference and
 * new rev as its last two values. On SQLite the thread leaves out what follows a first step that did not count.
 */
export function stepTexts(kind: StoreKind): Record<StepName, string> {
  const guarded = kind === 'postgres';
  const won = 'exists (select 1 from orders where reference = ? and rev = ?)';
  const insert = (table: string, columns: string[]) => {
    const values = columns.map(() => '?').join(', ');
    const source = guarded ? `select ${values} where ${won}` : `values (${values})`;
    return `insert into ${table} (${columns.join(', ')}) ${source}`;
  };
  const save = (table: string, columns: string[], changes: string[]) =>
    `${insert(table, columns)} on conflict (id) do update set ${changes.map((name) => `${name} = excluded.${name}`).join(', ')}`;
  const updatePayment = (columns: string[]) =>
    `update payments set ${columns.map((name) => `${name} = ?`).join(', ')} where id = ?${guarded ? ` and ${won}` : ''}`;
  const updateOrder = 'update orders set rev = ?, prev = rev, doc = ? where reference = ? and rev = ?';
  const lease = ['lease_owner', 'lease_until'];

  return {
    insertOrder:
      'insert into orders (rev, doc, reference) values (?, ?, ?) on conflict (reference) do nothing',
    updateOrder,
    updateGuardedOrder: `${updateOrder}
      and (cast(? as text) is null or exists (select 1 from payments where id = ? and lease_owner = ?))
      and not exists (select 1 from payments p
        where lower(p.transaction_ref) = lower(?) and p.transaction_ref = ? and p.reference <> orders.reference)`,
    insertPayment: insert('payments', ['id', 'reference', 'n', 'doc', ...lease]),
    updatePayment: updatePayment(['doc']),
    updateLeasedPayment: updatePayment(['doc', ...lease]),
    saveSession: save('sessions', ['id', 'reference', 'created_at', 'email_hash'], ['email_hash']),
    insertMovement: insert('movements', columnsOf(MOVEMENT_FIELDS)),
    insertDecline: insert('declines', ['id', 'address', 'card', 'at']),
    saveApproval: save('approvals', columnsOf(APPROVAL_FIELDS), columnsOf(APPROVAL_CHANGES)),
    insertEvent: insert('events', columnsOf(EVENT_FIELDS)),
  };
}

const load = (
  among: string,
) => `select o.reference, o.rev, o.doc, p.id, p.doc as payment, p.lease_owner, p.lease_until
  from orders o left join payments p on p.reference = o.reference where o.reference ${among} order by p.n`;

/** The orders of a JSON array of references, with their payments. */
export const LOAD: Readonly<Record<StoreKind, string>> = {
  embedded: load('in (select value from json_each(?))'),
  postgres: load('= any (array (select jsonb_array_elements_text(cast(? as jsonb))))'),
};

/** The order of a payment's or a session's id. */
export const LOAD_OF = {
  payment: load('= (select reference from payments where id = ?)'),
  session: load('= (select reference from sessions where id = ?)'),
} as const;
