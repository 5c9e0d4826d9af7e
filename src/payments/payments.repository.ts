import type { SqlValue, Store, Stored } from '../store/store.js';
import { decodePayment } from '../store/document.js';
import type { Payment } from './core/payment.js';

/** Which payments to list; absent members do not narrow. Times are milliseconds since the epoch. */
export interface PaymentFilter {
  reference?: string;
  sessionId?: string;
  status?: string;
  method?: string;
  currency?: string;
  from?: number;
  to?: number;
  needsAttention?: boolean;
  duplicate?: boolean;
  disputed?: boolean;
}

export interface Page<T> {
  data: T[];
  /** To ask with as `cursor`; null at the end. */
  nextCursor: string | null;
}

interface Place {
  createdAt: number;
  id: string;
}

/** Reads payments. They are written through `OrderWriter` alone. */
export class PaymentsRepository {
  constructor(private readonly store: Store) {}

  /** The order of a payment; undefined where there is no such payment. */
  async orderOf(paymentId: string): Promise<Stored | undefined> {
    return this.byReferenceOf('select reference from payments where id = ?', paymentId);
  }

  /** The order of a session. */
  async orderOfSession(sessionId: string): Promise<Stored | undefined> {
    return this.byReferenceOf('select reference from sessions where id = ?', sessionId);
  }

  /** The references of payments that the gateway knows by one of these names. */
  async named(names: {
    clientRef?: string;
    transactionRef?: string;
  }): Promise<{ id: string; reference: string }[]> {
    const { clientRef, transactionRef } = names;
    const found: { id: string; reference: string }[] = [];
    if (clientRef !== undefined) found.push(...(await this.where('client_ref', clientRef)));
    if (found.length === 0 && transactionRef !== undefined)
      found.push(...(await this.where('transaction_ref', transactionRef)));
    return found;
  }

  /** Whether a transaction is known as another order's. */
  async isTaken(transactionRef: string, reference: string): Promise<boolean> {
    const found = await this.where('transaction_ref', transactionRef);
    return found.some((one) => one.reference !== reference);
  }

  /** Newest first. */
  async list(filter: PaymentFilter, limit: number, after?: Place): Promise<Payment[]> {
    const { conditions, values } = conditionsOf(filter);
    return this.page(conditions, values, limit, after);
  }

  /** By payment id, gateway reference, transaction, last 4 digits, e-mail hash, or the beginning of a reference; case ignored. */
  async search(
    query: string,
    emailHashes: readonly string[],
    limit: number,
    after?: Place,
  ): Promise<Payment[]> {
    const text = query.toLowerCase();
    const anyOf = [
      'lower(id) = ?',
      'lower(client_ref) = ?',
      'lower(transaction_ref) = ?',
      'last4 = ?',
      '(lower(reference) >= ? and lower(reference) < ?)',
      ...emailHashes.map(() => 'session_id in (select id from sessions where email_hash = ?)'),
    ];
    const values = [text, text, text, text, text, `${text}\u{10ffff}`, ...emailHashes];
    return this.page([`(${anyOf.join(' or ')})`], values, limit, after);
  }

  private async page(
    conditions: string[],
    values: SqlValue[],
    limit: number,
    after?: Place,
  ): Promise<Payment[]> {
    const all = after ? [...conditions, '(created_at < ? or (created_at = ? and id < ?))'] : conditions;
    const rows = await this.store.rows<{ doc: string }>({
      text: `select cast(doc as text) as doc from payments ${all.length > 0 ? `where ${all.join(' and ')}` : ''}
        order by created_at desc, id desc limit ?`,
      values: [...values, ...(after ? [after.createdAt, after.createdAt, after.id] : []), limit],
    });
    return rows.map(({ doc }) => decodePayment(doc));
  }

  private async byReferenceOf(text: string, id: string): Promise<Stored | undefined> {
    const [row] = await this.store.rows<{ reference: string }>({ text, values: [id], lookup: true });
    return row && this.store.read(row.reference);
  }

  private where(
    column: 'client_ref' | 'transaction_ref',
    value: string,
  ): Promise<{ id: string; reference: string }[]> {
    return this.store.rows({
      text: `select id, reference from payments where ${column} = ?`,
      values: [value],
      lookup: true,
    });
  }
}

function conditionsOf(filter: PaymentFilter): { conditions: string[]; values: SqlValue[] } {
  const parts: [string, SqlValue | undefined][] = [
    ['reference = ?', filter.reference],
    ['session_id = ?', filter.sessionId],
    ['status = ?', filter.status],
    ['method = ?', filter.method],
    ['currency = ?', filter.currency],
    ['created_at >= ?', filter.from],
    ['created_at < ?', filter.to],
    ['needs_attention = ?', flag(filter.needsAttention)],
    ['disputed = ?', flag(filter.disputed)],
  ];
  const given = parts.filter((part): part is [string, SqlValue] => part[1] !== undefined);
  const conditions = given.map(([condition]) => condition);
  if (filter.duplicate !== undefined)
    conditions.push(`duplicate_of is ${filter.duplicate ? 'not ' : ''}null`);
  return { conditions, values: given.map(([, value]) => value) };
}

function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

/** A place in a list as an opaque text. */
export function cursorOf({ createdAt, id }: Place): string {
  return Buffer.from(`${createdAt.toString(36)}.${id}`).toString('base64url');
}

/** Undefined where the text is no cursor. */
export function placeOf(cursor: string): Place | undefined {
  const [, at = '', id = ''] =
    /^([0-9a-z]{1,11})\.(\w{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return id === '' ? undefined : { createdAt: parseInt(at, 36), id };
}
