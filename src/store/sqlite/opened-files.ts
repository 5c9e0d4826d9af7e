import { statSync } from 'node:fs';

/** What became of a file that was opened. */
export interface ChangedFile {
  path: string;
  /** Why it cannot be looked at. Absent where another file stands in its place, or none. */
  error?: string;
}

/** Nothing is there. Any other error says nothing about the file. */
const GONE = ['ENOENT', 'ENOTDIR'];

/**
 * Whether a database and its log are still the files that were opened. Where somebody replaced or removed one of them, SQLite goes on
 * writing to what nobody finds any more, and whatever it confirms is gone when the process ends.
 */
export class OpenedFiles {
  /** By path. A log is known from when it is first seen; until the process ends it stays the same file. */
  private readonly identities = new Map<string, string>();

  /** `file` has been opened. */
  constructor(
    private readonly file: string,
    private readonly stat: (path: string) => { dev: number; ino: number } = statSync,
  ) {
    this.changed();
  }

  /** The first path at which another file stands now, or none, or that cannot be looked at. */
  changed(): ChangedFile | undefined {
    for (const path of [this.file, `${this.file}-wal`]) {
      const known = this.identities.get(path);
      let found: string | undefined;
      try {
        const { dev, ino } = this.stat(path);
        found = `${dev}:${ino}`;
      } catch (error) {
        const { code = 'unknown' } = error as NodeJS.ErrnoException;
        if (!GONE.includes(code)) return { path, error: code };
      }
      if (known === undefined && found !== undefined) this.identities.set(path, found);
      if (known !== undefined && known !== found) return { path };
    }
    return undefined;
  }
}
