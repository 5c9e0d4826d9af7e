import { makeEvent } from '../merchant-webhooks/event.js';
import type { EventRecord, SessionRecord } from '../store/schema.js';
import { canSessionMove } from './session-state.js';
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
  const event = makeEvent({
    type: `checkout_session.${move.to}`,
    aggregateId: moved.id,
    sequence: moved.eventSequence,
    reference: moved.reference,
    data: viewSessionForEvent(moved, move.livemode),
    livemode: move.livemode,
    at,
    now: move.now ?? move.at,
    late: move.late,
    deliver: move.deliver,
  });
  return { session: moved, event };
}
