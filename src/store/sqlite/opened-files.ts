import { statSync } from 'node:fs';

/**
 * Whether a database and its log are still the files that were opened. Where somebody replaced or removed one of them, SQLite goes on
 * writing to what nobody finds any more, and whatever it confirms is gone when the process ends.
 */
export class OpenedFiles {
  /** By path. A log is known from when it is first seen; until the process ends it stays the same file. */
  private readonly identities = new Map<string, string>();

  /** `file` has been opened. */
  constructor(private readonly file: string) {
    this.changed();
  }

  /** The first path at which another file stands now, or none. */
  changed(): string | undefined {
    return [this.file, `${this.file}-wal`].find((path) => {
      const known = this.identities.get(path);
      const found = identityOf(path);
      if (known === undefined && found !== undefined) this.identities.set(path, found);
      return known !== undefined && known !== found;
    });
  }
}

function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    // It is gone, or its folder cannot be reached any more.
    return undefined;
  }
}
