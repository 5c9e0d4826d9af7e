import { userInfo } from 'node:os';

/** Who runs the command, as the audit names them: the system's user, or its number where it has no name. */
export function commandUser(): string {
  try {
    const name = userInfo()
      .username.replace(/[^A-Za-z0-9._@-]/g, '_')
      .slice(0, 64);
    return name === '' ? byNumber() : name;
  } catch {
    // A container may run as a number that no file names.
    return byNumber();
  }
}

function byNumber(): string {
  return `uid-${process.getuid?.() ?? 'unknown'}`;
}
