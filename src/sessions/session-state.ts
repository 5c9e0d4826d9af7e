import type { SessionStatus } from '../store/schema.js';

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
