import { Injectable } from '@nestjs/common';
import { Store } from '../store/store.js';

const MAX_KEPT = 10_000;

/** Knows which reference a session belongs to. That never changes, so it is read once and kept. */
@Injectable()
export class SessionReferences {
  private readonly kept = new Map<string, string>();

  constructor(private readonly store: Store) {
    store.writer.onCommitted(({ session }) => {
      if (session) this.keep(session.id, session.reference);
    });
  }

  /** The session's reference, or undefined where there is no such session. */
  async of(sessionId: string): Promise<string | undefined> {
    const known = this.kept.get(sessionId);
    if (known !== undefined) return known;
    const row = await this.store.db
      .selectFrom('checkout_sessions')
      .select('reference')
      .where('id', '=', sessionId)
      .executeTakeFirst();
    if (row) this.keep(sessionId, row.reference);
    return row?.reference;
  }

  private keep(sessionId: string, reference: string): void {
    // A used entry is inserted again, so the least recently used one is the first.
    if (this.kept.size >= MAX_KEPT) {
      const [oldest] = this.kept.keys();
      if (oldest !== undefined) this.kept.delete(oldest);
    }
    this.kept.set(sessionId, reference);
  }
}
