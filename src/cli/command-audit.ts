import type { AuditAction } from '../audit/audit-actions.js';
import { beginAct, entryOf } from '../audit/audit-trail.js';
import { AuditRepository } from '../audit/audit.repository.js';
import type { Store } from '../store/store.js';
import { commandUser } from './command-user.js';

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
