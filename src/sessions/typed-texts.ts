import { Injectable } from '@nestjs/common';
import { withoutNotesOf } from '../store/payment-name.js';
import type { SessionRecord } from '../store/schema.js';
import { Store } from '../store/store.js';
import { withoutNotes } from '../store/timeline-lines.js';
import { ERASED, WrittenTexts } from '../store/written-texts.js';

type About = Pick<SessionRecord, 'id' | 'reference'>;

/** The same keys, without what was typed under them. Pure. */
function erasedValues(metadata: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(metadata).map((key) => [key, ERASED]));
}

/**
 * Erases the texts that people typed about a session and its payments: values of metadata, reasons of refunds, notes. Nobody can
 * say whether a payer's name is among them. All of it may be repeated.
 */
@Injectable()
export class TypedTexts {
  constructor(
    private readonly store: Store,
    private readonly written: WrittenTexts,
  ) {}

  /** Erases all of them. Afterwards nothing that the store writes about them can bring one back. */
  async erase(session: About): Promise<void> {
    await this.eraseMetadata(session);
    const payments = await this.paymentsOf(session);
    do {
      // A write that has read a row before has failed or is done once the payment has been written after it.
      for (const paymentId of payments) await this.erasePayment(session, paymentId);
    } while (await this.eraseReasons(payments));
    for (const id of [session.id, ...payments]) await this.eraseEvents(id);
    for (const id of payments) {
      await this.written.erase(id);
      await this.eraseNotes(id);
    }
  }

  /** First, so that no payment that begins from now on copies it. */
  private async eraseMetadata({ id: sessionId, reference }: About): Promise<void> {
    await this.store.writer.write({ reference, sessionId }, (snapshot) => {
      const { session } = snapshot;
      const names = withoutNotesOf(snapshot.reference.names, ERASED);
      return {
        changes: {
          ...(session && { session: { ...session, metadata: erasedValues(session.metadata) } }),
          ...(names && { reference: { ...snapshot.reference, names } }),
        },
        result: undefined,
      };
    });
  }

  private async erasePayment({ id: sessionId, reference }: About, paymentId: string): Promise<void> {
    await this.store.writer.write({ reference, sessionId, paymentId }, ({ payment }) => ({
      changes: payment
        ? {
            payment: {
              ...payment,
              metadata: erasedValues(payment.metadata),
              version: payment.version + 1,
            },
          }
        : {},
      result: undefined,
    }));
  }

  private async paymentsOf({ id, reference }: About): Promise<string[]> {
    const rows = await this.store.db
      .selectFrom('payments')
      .select('id')
      .where('reference', '=', reference)
      .where('session_id', '=', id)
      .execute();
    return rows.map((row) => row.id);
  }

  /** Whether there were any. */
  private async eraseReasons(payments: readonly string[]): Promise<boolean> {
    if (payments.length === 0) return false;
    const { numUpdatedRows } = await this.store.db
      .updateTable('operations')
      .set({ reason: ERASED })
      .where('payment_id', 'in', [...payments])
      .where('reason', 'is not', null)
      .where('reason', '<>', ERASED)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Of a payment or a session. An event that waits is delivered without them. */
  private async eraseEvents(aggregateId: string): Promise<void> {
    const { db } = this.store;
    const rows = await db
      .selectFrom('events')
      .select(['id', 'data'])
      .where('aggregate_id', '=', aggregateId)
      .execute();
    for (const { id, data } of rows) {
      const shown = JSON.parse(data) as { metadata?: Record<string, string> };
      const erased = JSON.stringify({ ...shown, metadata: erasedValues(shown.metadata ?? {}) });
      if (erased !== data)
        await db.updateTable('events').set({ data: erased }).where('id', '=', id).execute();
    }
  }

  private async eraseNotes(paymentId: string): Promise<void> {
    const { db } = this.store;
    const pages = await db
      .selectFrom('timeline_pages')
      .select(['last_sequence', 'entries'])
      .where('payment_id', '=', paymentId)
      .execute();
    for (const { last_sequence: last, entries } of pages) {
      const erased = withoutNotes(entries, ERASED);
      if (erased === entries) continue;
      await db
        .updateTable('timeline_pages')
        .set({ entries: erased })
        .where('payment_id', '=', paymentId)
        .where('last_sequence', '=', last)
        .execute();
    }
    for (;;) {
      const row = await db
        .selectFrom('payments')
        .select('timeline')
        .where('id', '=', paymentId)
        .executeTakeFirst();
      const erased = withoutNotes(row?.timeline ?? '', ERASED);
      if (!row || erased === row.timeline) return;
      // Lines may have been added meanwhile, or have become a page: then it is read again.
      const { numUpdatedRows } = await db
        .updateTable('payments')
        .set({ timeline: erased })
        .where('id', '=', paymentId)
        .where('timeline', '=', row.timeline)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return;
    }
  }
}
