import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { emailHashes, isSamePhone, phoneHashes } from '../../sessions/payer-hashes.js';
import { type PaymentRecord, payments, type Payer } from '../../store/schema.js';
import { columnsOf, decodeRow, type StoredRow } from '../../store/table.js';
import { Store } from '../../store/store.js';
import type { PaymentCursor } from '../state/payment-list.js';
import { PaymentsRepository } from '../state/payments.repository.js';
import { merchantReferences } from '../state/gateway-references.js';
import { patternsOf, ReferenceIndex, wholeOf } from './reference-index.js';

/** The sessions of one payer that are looked at: the newest. */
const MOST_SESSIONS = 1_000;
/** The attempts at one order that are looked at: the newest. */
const MOST_ATTEMPTS = 1_000;
/** An amount as people write it: thousands apart, and perhaps its currency before or after it. */
const AMOUNT = /^(?:[A-Z]{3} ?)?((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,12})(?:\.[0-9]{1,4})?)(?: ?[A-Z]{3})?$/;
const PART_OF_REFERENCE = /^[A-Za-z0-9.-]{1,40}$/;
const LAST_FOUR = /^[0-9]{4}$/;

/** How many, after which one. */
interface Page {
  readonly limit: number;
  readonly after: PaymentCursor | undefined;
}

const COLUMNS = sql.join(columnsOf(payments).map((column) => sql.ref(`payments.${column}`)));

/** Finds payments by whatever a person knows of one. */
@Injectable()
export class PaymentSearch {
  constructor(
    private readonly store: Store,
    private readonly payments: PaymentsRepository,
    private readonly references: ReferenceIndex,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The newest payments that a query fits, after one: by a part of their reference, their gateway reference, their payer's e-mail or phone,
   * their card's last four digits, or their amount. Each way gives its first ones, so that the first of all are among them.
   */
  async find(query: string, page: Page): Promise<PaymentRecord[]> {
    const text = query.trim();
    const found = await Promise.all([
      this.byReference(text, page),
      this.byGatewayReference(text, page),
      this.byPayer(text, page),
      LAST_FOUR.test(text) ? this.payments.list({ last4: text }, page.limit, page.after) : [],
      this.byAmount(text, page),
    ]);
    const all = new Map(found.flat().map((payment) => [payment.id, payment]));
    return [...all.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, page.limit);
  }

  private async byReference(text: string, { limit, after }: Page): Promise<PaymentRecord[]> {
    if (!PART_OF_REFERENCE.test(text)) return [];
    return this.inIndex(patternsOf(text), { limit, after });
  }

  private async inIndex(patterns: readonly string[], { limit, after }: Page): Promise<PaymentRecord[]> {
    await this.references.catchUp();
    const ids = await this.references.find(patterns, limit, after?.id);
    if (ids.length === 0) return [];
    const { rows } = await sql<StoredRow>`
      select ${COLUMNS} from payments where id in (${sql.join(ids)})`.execute(this.store.db);
    return rows.map((row) => decodeRow(payments, row));
  }

  private async byGatewayReference(text: string, { limit, after }: Page): Promise<PaymentRecord[]> {
    const references = merchantReferences(text);
    if (references.length === 0) return [];
    // All attempts at an order are looked at: one of them is called so.
    const attempts = await this.inIndex(references.map(wholeOf), { limit: MOST_ATTEMPTS, after });
    const wanted = text.toLowerCase();
    return attempts
      .filter(({ gatewayReference }) => gatewayReference.toLowerCase() === wanted)
      .slice(0, limit);
  }

  private async byAmount(text: string, { limit, after }: Page): Promise<PaymentRecord[]> {
    const [, amount] = AMOUNT.exec(text.toUpperCase()) ?? [];
    const currency = /[A-Z]{3}/.exec(text.toUpperCase())?.[0];
    if (amount === undefined) return [];
    const plain = amount.replaceAll(',', '');
    return this.payments.list({ amount: plain, ...(currency !== undefined && { currency }) }, limit, after);
  }

  private async byPayer(text: string, page: Page): Promise<PaymentRecord[]> {
    const secretKeys = this.config.keys.secretKeys.unwrap();
    const isEmail = text.includes('@');
    const hashes = isEmail ? emailHashes(text, secretKeys) : phoneHashes(text, secretKeys);
    if (hashes.length === 0) return [];
    const { db } = this.store;
    const rows = await db
      .selectFrom('checkout_sessions')
      .select(['id', 'reference', 'payer'])
      .where(isEmail ? 'email_hash' : 'phone_hash', 'in', hashes)
      // An expression, so that no database goes through all sessions by their ids for it.
      .orderBy(sql`id || ''`, 'desc')
      .limit(MOST_SESSIONS)
      .execute();
    const theirs = rows.filter(({ payer }) => isEmail || isSamePhone(phoneOf(payer), text));
    return this.ofSessions(theirs, page);
  }

  private async ofSessions(
    sessions: readonly { id: string; reference: string }[],
    { limit, after }: Page,
  ): Promise<PaymentRecord[]> {
    if (sessions.length === 0) return [];
    const older = after === undefined ? sql`1 = 1` : sql`id < ${after.id}`;
    const { rows } = await sql<StoredRow>`
      select ${COLUMNS} from payments
      where reference in (${sql.join([...new Set(sessions.map(({ reference }) => reference))])})
        and session_id in (${sql.join(sessions.map(({ id }) => id))}) and ${older}
      order by id || '' desc limit ${limit}`.execute(this.store.db);
    return rows.map((row) => decodeRow(payments, row));
  }
}

function phoneOf(payer: string | null): string {
  return payer === null ? '' : ((JSON.parse(payer) as Payer).phone ?? '');
}
