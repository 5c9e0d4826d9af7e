import { makeEvent } from '../merchant-webhooks/event.js';
import type { EventRecord, SessionRecord, SessionStatus } from '../store/schema.js';
import { viewSessionForEvent } from './session-view.js';

export interface SessionMove {
  to: 'paid' | 'expired' | 'closed';
  closedReason?: SessionRecord['closedReason'];
  /** Milliseconds since the epoch. */
  at: number;
  /** The present time by the store's clock, where that is not `at`. */
  now?: number;
  livemode: boolean;
  deliver: boolean;
  /** The number of the store's epoch. */
  epoch: number;
  late?: boolean;
}

/** The session after a move with the event that announces it, or undefined where the session cannot go there. Pure but for ids. */
export function moveSession(
  session: SessionRecord,
  move: SessionMove,
): { session: SessionRecord; event: EventRecord } | undefined {
  if (!canSessionMove(session.status, move.to)) return undefined;
  const at = Math.max(move.at, session.updatedAt);
  const moved: SessionRecord = {
    ...session,
    status: move.to,
    closedReason: move.closedReason ?? null,
    finishedAt: session.finishedAt ?? at,
    eventSequence: session.eventSequence + 1,
    updatedAt: at,
  };
  return { session: moved, event: eventOf(moved, move) };
}

/**
 * A paid session with one more event that says so: another payment pays it now. Pure but for ids.
 */
export function announcePaidAgain(
  session: SessionRecord,
  { at, now, livemode, deliver, epoch }: Pick<SessionMove, 'at' | 'now' | 'livemode' | 'deliver' | 'epoch'>,
): { session: SessionRecord; event: EventRecord } {
  const updatedAt = Math.max(at, session.updatedAt);
  const said = { ...session, eventSequence: session.eventSequence + 1, updatedAt };
  return { session: said, event: eventOf(said, { to: 'paid', at, now, livemode, deliver, epoch }) };
}

function eventOf(
  session: SessionRecord,
  { to, at, now, livemode, late, deliver, epoch }: SessionMove,
): EventRecord {
  return makeEvent({
    type: `checkout_session.${to}`,
    aggregateId: session.id,
    sequence: session.eventSequence,
    epoch,
    data: viewSessionForEvent(session, livemode),
    livemode,
    at: session.updatedAt,
    now: now ?? at,
    late,
    deliver,
  });
}

const MOVES: Readonly<Record<SessionStatus, readonly SessionStatus[]>> = {
  open: ['paid', 'expired', 'closed'],
  // Late money always wins.
  expired: ['paid'],
  closed: ['paid'],
  // Its payment was voided.
  paid: ['closed'],
};

/** Whether a session may go from one status to another. */
export function canSessionMove(from: SessionStatus, to: SessionStatus): boolean {
  return MOVES[from].includes(to);
}
