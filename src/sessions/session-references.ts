import { Injectable } from '@nestjs/common';
import { Store } from '../store/store.js';

const MAX_KEPT = 10_000;
/** Sessions that one question asks for. */
const MAX_TOGETHER = 128;
/** Questions at once, each on a connection of its own: one that gets no answer must not hold up the others. */
const MAX_UNDER_WAY = 4;

interface Question {
  sessionId: string;
  answer: (reference: string | undefined) => void;
  fail: (error: unknown) => void;
}

/**
 * Knows which reference a session belongs to. That never changes, so it is read once and kept until the store turns out not to have it. Payers come to any replica, so
 * with two of them every second payment asks for a session that the other one made: those that ask at the same time, or while
 * enough questions are under way, share the next one.
 */
@Injectable()
export class SessionReferences {
  private readonly kept = new Map<string, string>();
  private waiting: Question[] = [];
  private underWay = 0;
  private gathering = false;

  constructor(private readonly store: Store) {
    store.writer.onCommitted(({ session }) => {
      if (session) this.keep(session.id, session.reference);
    });
  }

  /** The session's reference, or undefined where there is no such session. */
  async of(sessionId: string): Promise<string | undefined> {
    const known = this.kept.get(sessionId);
    if (known !== undefined) return known;
    return new Promise((answer, fail) => {
      this.waiting.push({ sessionId, answer, fail });
      this.askSoon();
    });
  }

  /** The store does not have what is kept here: a loss was accepted, or a backup restored. */
  forget(sessionId: string): void {
    this.kept.delete(sessionId);
  }

  /** Begins another question at the end of this turn of the event loop, for all that ask in it. */
  private askSoon(): void {
    if (this.gathering || this.waiting.length === 0 || this.underWay >= MAX_UNDER_WAY) return;
    this.gathering = true;
    setImmediate(() => {
      this.gathering = false;
      void this.ask();
    });
  }

  private async ask(): Promise<void> {
    const questions = this.waiting.splice(0, MAX_TOGETHER);
    this.underWay += 1;
    // There may be more than one question can ask for.
    this.askSoon();
    try {
      const found = await this.read(questions.map(({ sessionId }) => sessionId));
      for (const { sessionId, answer } of questions) answer(found.get(sessionId));
    } catch (error) {
      for (const { fail } of questions) fail(error);
    }
    this.underWay -= 1;
    this.askSoon();
  }

  private async read(sessionIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.store.db
      .selectFrom('checkout_sessions')
      .select(['id', 'reference'])
      .where('id', 'in', [...new Set(sessionIds)])
      .execute();
    for (const { id, reference } of rows) this.keep(id, reference);
    return new Map(rows.map(({ id, reference }) => [id, reference]));
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
