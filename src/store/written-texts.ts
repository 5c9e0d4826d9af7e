import { Injectable } from '@nestjs/common';
import { newId } from './ids.js';
import { decodeRow, encodeRow, type StoredRow } from './table.js';
import { writtenTexts, type Tables, type WrittenTextRecord } from './schema.js';
import { Store } from './store.js';

/** What stands in place of a text that a person had typed. */
export const ERASED = '[erased]';

/** Ids of one statement: far below the number of parameters that either store takes. */
const AT_ONCE = 500;

/** A text that is about to be kept. Pure but for its id. */
export function newText(
  content: string,
  actor: string,
  paymentId: string | null,
  at: number,
): WrittenTextRecord {
  return { id: newId('txt', at), paymentId, content, actor, at };
}

/**
 * The texts that people write: reasons of refunds, notes. They stand in a table of their own, so that they can be erased where what names
 * them (the ledger, the audit) never changes.
 */
@Injectable()
export class WrittenTexts {
  constructor(private readonly store: Store) {}

  /**
   * Keeps a text and returns its id. It is kept before the id is written anywhere, so that no id names a text that was lost.
   *
   * @param paymentId the payment with which it is erased; absent or null: none
   * @param db the transaction that it is part of; absent: none
   */
  async add(
    content: string,
    actor: string,
    paymentId: string | null = null,
    db = this.store.db,
  ): Promise<string> {
    const text = newText(content, actor, paymentId, this.store.clock.now());
    await db
      .insertInto('written_texts')
      .values(encodeRow(writtenTexts, text) as Tables['written_texts'])
      .execute();
    return text.id;
  }

  /** The texts of these ids, by id: `[erased]` of one that was erased. One that nobody wrote is missing. */
  async read(ids: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const wanted = [...new Set(ids)];
    for (let from = 0; from < wanted.length; from += AT_ONCE) {
      const rows = await this.store.db
        .selectFrom('written_texts')
        .selectAll()
        .where('id', 'in', wanted.slice(from, from + AT_ONCE))
        .execute();
      for (const row of rows) {
        const { id, content } = decodeRow(writtenTexts, row as StoredRow);
        found.set(id, content ?? ERASED);
      }
    }
    return found;
  }

  /** Erases what was written about a payment. May be repeated. */
  async erase(paymentId: string): Promise<void> {
    await this.store.db
      .updateTable('written_texts')
      .set({ content: null })
      .where('payment_id', '=', paymentId)
      .where('content', 'is not', null)
      .execute();
    for (const column of ['reason', 'note'] as const)
      await this.store.db
        .updateTable('approvals')
        .set({ [column]: ERASED })
        .where('payment_id', '=', paymentId)
        .where(column, 'is not', null)
        .execute();
  }
}
