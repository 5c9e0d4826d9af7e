import { userInfo } from 'node:os';
import { isAuditUser } from '../audit/audit-trail.js';

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
