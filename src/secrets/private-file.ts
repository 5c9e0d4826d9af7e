import { chmodSync, statSync } from 'node:fs';

/** The mode of a file that only its owner reads and writes. */
export const OWNER_ONLY = 0o600;

/** Whether others than its owner may do anything with a file. False where it is not there. */
export function isOpenToOthers(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
}

/** Takes a file away from everybody but its owner. One that is not there, or is not ours to change, stays as it is. */
export function keepPrivate(path: string): void {
  if (!isOpenToOthers(path)) return;
  try {
    chmodSync(path, OWNER_ONLY);
  } catch (error) {
    // Whose file it is, is decided by whoever mounted it; the doctor names what others may read.
    if (!['ENOENT', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
