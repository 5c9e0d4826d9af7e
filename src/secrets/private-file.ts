import { chmodSync, statSync } from 'node:fs';

/** The mode of a file that only its owner can read and write. */
export const OWNER_ONLY = 0o600;

/** Whether anyone but the owner has access to a file. False where the file does not exist. */
export function isOpenToOthers(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
}

/** Removes everyone else's access to a file. A missing file, or one that belongs to another account, stays unchanged. */
export function keepPrivate(path: string): void {
  if (!isOpenToOthers(path)) return;
  try {
    chmodSync(path, OWNER_ONLY);
  } catch (error) {
    // Whoever mounted the file decides about its owner. The doctor reports files that others can read.
    if (!['ENOENT', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
