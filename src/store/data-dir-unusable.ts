/** What the operating system's and SQLite's codes mean of a data directory. */
const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'this account may not write to it',
  EPERM: 'this account may not write to it',
  EROFS: 'it is on a file system that takes no writes',
  ENOENT: 'it cannot be made',
  ENOSPC: 'there is no room left',
  EDQUOT: 'there is no room left',
  EEXIST: 'it is no folder',
  ENOTDIR: 'it is no folder',
  // SQLite's.
  8: 'this account may not write to a file in it',
  14: 'a file in it belongs to another account, or cannot be made',
  26: 'its tillfront.db is no database (docs/runbook.md, "The embedded store is damaged")',
};

/** The data directory of the embedded store cannot be used. */
export class DataDirUnusable extends Error {
  private constructor(dataDir: string, meaning: string, code: string | number) {
    super(
      `DATA_DIR (${dataDir}) cannot be used: ${meaning} (${code}). ` +
        'Give the folder with all its files to the account that the service runs as, or correct DATA_DIR.',
    );
    this.name = 'DataDirUnusable';
  }

  /** Opens what is in the directory. Throws this in place of an error of the operating system or of SQLite. */
  static guard<T>(dataDir: string, open: () => T): T {
    try {
      return open();
    } catch (error) {
      const { code, errcode } = error as { code?: unknown; errcode?: unknown };
      const told = typeof errcode === 'number' ? errcode & 0xff : code;
      if (typeof told !== 'number' && !(typeof told === 'string' && /^E[A-Z]+$/.test(told))) throw error;
      throw new DataDirUnusable(dataDir, MEANINGS[told] ?? 'what is in it cannot be opened', told);
    }
  }
}
