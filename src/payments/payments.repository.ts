import { Injectable } from '@nestjs/common';
import { narrowed, type Filter } from '../store/narrowed.js';
import { Store, type SqlValue } from '../store/store.js';
import { decodePayment } from '../store/document.js';
import type { Payment } from './core/payment.js';

/** Which payments to list. */
export type PaymentFilter = Filter<'reference' | 'status' | 'method' | 'currency'> &
  Partial<Record<'needsAttention' | 'duplicate' | 'disputed', 'true' | 'false' | undefined>>;

interface Place {
  createdAt: number;
  id: string;
}

/** Reads payments. They are written through `OrderWriter` alone. */
@Injectable()
export class PaymentsRepository {
  constructor(private readonly store: Store) {}

  /** The references of payments that the gateway knows by one of these names. */
  async named(clientRef?: string, transactionRef?: string): Promise<{ id: string; reference: string }[]> {
    const found = clientRef === undefined ? [] : await this.where('client_ref', clientRef);
    if (found.length > 0 || transactionRef === undefined) return found;
    return this.where('transaction_ref', transactionRef);
  }

  /** Whether a transaction is known as another order's. */
  async isTaken(transactionRef: string, reference: string): Promise<boolean> {
    const found = await this.where('transaction_ref', transactionRef);
    return found.some((one) => one.reference !== reference);
  }

  /** Newest first. */
  async list(filter: PaymentFilter, limit: number, after?: Place): Promise<Payment[]> {
    const newest = newestOf(conditionsOf(filter), limit, after);
    return this.documents([newest]);
  }

  /** By payment id, gateway reference, transaction, last 4 digits, e-mail hash, or the beginning of a reference; case ignored. */
  async search(
    query: string,
    emailHashes: readonly string[],
    limit: number,
    after?: Place,
  ): Promise<Payment[]> {
    const text = query.toLowerCase();
    const ways: Condition[] = [
      ...ofId(text),
      { text: 'lower(client_ref) = ?', values: [text] },
      { text: 'transaction_ref is not null and lower(transaction_ref) = ?', values: [text] },
      { text: 'last4 = ?', values: [text] },
      ofSessions('lower(reference) >= ? and lower(reference) < ?', [text, `${text}\u{10ffff}`]),
      ...emailHashes.map((hash) => ofSessions('email_hash = ?', [hash])),
    ];
    return this.documents(
      // With a sign no index has the times, so that each way is looked up, not looked for in the order of time.
      ways.map((way) => newestOf([way], limit, after, '+created_at')),
      limit,
    );
  }

  /** Each way to find them has an index and a limit of its own, so that none has the others read the whole table. */
  private async documents(ways: readonly Condition[], limit?: number): Promise<Payment[]> {
    const found = ways.map(({ text }) => `select * from (${text}) as way`).join(' union ');
    const rows = await this.store.rows<{ doc: string }>({
      text: `select cast(p.doc as text) as doc from (${found}) as found join payments p on p.id = found.id
        order by found.created_at desc, found.id desc${limit === undefined ? '' : ' limit ?'}`,
      values: [...ways.flatMap(({ values }) => values), ...(limit === undefined ? [] : [limit])],
    });
    return rows.map(({ doc }) => decodePayment(doc));
  }

  private where(
    column: 'client_ref' | 'transaction_ref',
    value: string,
  ): Promise<{ id: string; reference: string }[]> {
    return this.store.rows({
      text: `select id, reference from payments where lower(${column}) = lower(?) and ${column} = ?`,
      values: [value, value],
      lookup: true,
    });
  }
}

interface Condition {
  text: string;
  values: readonly SqlValue[];
}

function conditionsOf(filter: PaymentFilter): Condition[] {
  const { reference, status, method, currency, from, to, disputed } = filter;
  const { where, values } = narrowed({
    ...{ 'reference = ?': reference, 'status = ?': status, 'method = ?': method, 'currency = ?': currency },
    ...{ 'created_at >= ?': from, 'created_at < ?': to },
    'disputed = ?': disputed && Number(disputed === 'true'),
  });
  // As the indexes of what is rare have it: a database compares conditions as they are written.
  const written = [
    ...(status === undefined || status === 'succeeded' ? [] : [`status <> 'succeeded'`]),
    ...(method === undefined || method === 'card' ? [] : [`method <> 'card'`]),
    ...isThere('reasons', filter.needsAttention),
    ...isThere('duplicate_of', filter.duplicate),
  ];
  return [{ text: where, values }, ...written.map((text) => ({ text, values: [] }))];
}

function isThere(column: string, wanted: 'true' | 'false' | undefined): string[] {
  return wanted === undefined ? [] : [`${column} is ${wanted === 'true' ? 'not ' : ''}null`];
}

/** Payments of the sessions that match: by their references, which have an index, then by their sessions. */
function ofSessions(text: string, values: readonly SqlValue[]): Condition {
  const among = (column: string) => `in (select ${column} from sessions where ${text})`;
  return {
    text: `reference ${among('reference')} and session_id ${among('id')}`,
    values: [...values, ...values],
  };
}

/** The kind and time that an id begins with have no capitals, so that its own index finds it. */
const LOWER_PART = /^pay_[0-9a-z]{8}/;

function ofId(text: string): Condition[] {
  const [beginning] = LOWER_PART.exec(text) ?? [];
  if (beginning === undefined) return [];
  return [
    { text: 'id >= ? and id < ? and lower(id) = ?', values: [beginning, `${beginning}\u{10ffff}`, text] },
  ];
}

/** The newest payments that match, as their times and ids. */
function newestOf(
  conditions: readonly Condition[],
  limit: number,
  after?: Place,
  time = 'created_at',
): Condition {
  const { createdAt, id } = after ?? { createdAt: 0, id: '' };
  const behind: Condition = {
    text: '(created_at < ? or (created_at = ? and id < ?))',
    values: [createdAt, createdAt, id],
  };
  const all = after ? [...conditions, behind] : conditions;
  return {
    text: `select created_at, id from payments where ${all.map(({ text }) => text).join(' and ')}
      order by ${time} desc, id desc limit ?`,
    values: [...all.flatMap(({ values }) => values), limit],
  };
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
