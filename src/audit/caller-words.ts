import { randomUUID } from 'node:crypto';
import { holdsCardNumber } from '../card-numbers/holds-card-number.js';

/** A UUID, or the id of a W3C trace. */
const ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$/i;

/** The user of a command line: what the command says of itself, beside the key's own name. */
const COMMAND_USER = /^[A-Za-z0-9._@-]{1,64}$/;
/** A user without a name, by the system's number. */
const NUMBERED_USER = /^uid-[0-9]{1,10}$/;
/** More digits than this could be a telephone's number, or a card's. */
const MOST_DIGITS = 6;

/**
 * The id under which the audit keeps a request: the request's own where that is a UUID or a trace id, else one of the audit's. Anything
 * else is a text that the caller chose, and no entry can ever be changed.
 */
export function auditRequestId(requestId: string): string {
  return ID.test(requestId) && !holdsCardNumber(requestId) ? requestId : randomUUID();
}

/** Whether the audit may name a user so. */
export function isAuditUser(user: string): boolean {
  if (NUMBERED_USER.test(user)) return true;
  return COMMAND_USER.test(user) && user.replace(/[^0-9]/g, '').length <= MOST_DIGITS;
}
