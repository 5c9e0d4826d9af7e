import { Injectable } from '@nestjs/common';
import { Problem } from '../http/problems/problem.js';
import type { Session } from '../payments/core/payment.js';
import { OrderWriter } from '../payments/order-writer.js';
import { Store, type Stored } from '../store/store.js';

/** A client token still reads so long after its session's end. */
const READS_MS = 24 * 3_600_000;

export interface FoundSession {
  stored: Stored;
  session: Session;
}

/** Finds sessions. One whose time is over is shown as expired, also before the schedule ends it. */
@Injectable()
export class OpenSessions {
  constructor(
    private readonly orders: OrderWriter,
    private readonly store: Store,
  ) {}

  /** Throws `not-found`. */
  async find(id: string): Promise<FoundSession> {
    const stored = await this.store.readOf('session', id);
    const session = stored?.order?.sessions.find((one) => one.id === id);
    if (!stored || !session) throw new Problem('not-found', 'There is no such session.');
    return { stored, session };
  }

  /** The session of a client token. Throws `unauthorized` where the token reads no more. `toDecide`: what is remembered will do. */
  async ofToken(id: string, { toDecide = false } = {}): Promise<FoundSession> {
    const remembered = toDecide ? this.store.remembered(id) : undefined;
    const stored = remembered ?? (await this.store.readOf('session', id));
    const session = stored?.order?.sessions.find((one) => one.id === id);
    if (!stored || !session || this.store.now() > session.expiresAt + READS_MS)
      throw new Problem('unauthorized', 'This client token is not valid any more.');
    return { stored, session };
  }

  /** All sessions of an order, oldest first. */
  async ofReference(reference: string): Promise<FoundSession[]> {
    const stored = await this.current(await this.store.read(reference));
    return (stored.order?.sessions ?? []).map((session) => ({ stored, session }));
  }

  /** An order whose sessions are as the time has them. */
  async current(stored: Stored): Promise<Stored> {
    const { dueAt } = stored.order ?? { dueAt: null };
    if (dueAt === null || dueAt > this.store.now()) return stored;
    const { state } = await this.orders.take(stored.reference, { by: 'clock' });
    return { ...stored, order: state.order, payments: state.payments };
  }
}
