import { userInfo } from 'node:os';
import type { AuditAction } from '../audit/audit-actions.js';
import { beginAct, entryOf, isAuditUser } from '../audit/audit-trail.js';
import { AuditRepository } from '../audit/audit.repository.js';
import type { Store } from '../store/store.js';

/** Enters what a command has done to the store that it opened itself. Commands that call the service are entered there. */
export async function auditCommand(
  store: Store,
  action: AuditAction,
  object: string | null = null,
  outcome = 'ok',
): Promise<void> {
  const actor = `cli:${commandUser()}`;
  const act = beginAct(store, { actor, action, object, address: null, requestId: null });
  await new AuditRepository(store).end([entryOf(act, outcome)]);
}

/** Who runs the command, as the audit names them: the system's user, or its number where it has no name that the audit keeps. */
export function commandUser(): string {
  try {
    const name = userInfo()
      .username.replace(/[^A-Za-z0-9._@-]/g, '_')
      .slice(0, 64);
    return isAuditUser(name) ? name : byNumber();
  } catch {
    // A container may run as a number that no file names.
    return byNumber();
  }
}

function byNumber(): string {
  return `uid-${process.getuid?.() ?? 'unknown'}`;
}
