import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keepPrivate, OWNER_ONLY } from '../../secrets/private-file.js';
import type { HistoryIdentity } from './judge-history.js';
import type { Commit } from './witness.js';

/** What outlives the process. */
export interface KeptWitness {
  /** The id of the store that it is about: a new database is another store. */
  store: string;
  history: HistoryIdentity | null;
  commits: readonly Commit[];
  /** The accepted losses that were known then. */
  accepted: readonly string[];
}

/** PostgreSQL's. */
const NAME = 'witness.json';
/** The embedded store's: both may stand in one folder, where one was copied to the other. */
export const EMBEDDED_WITNESS = 'embedded-witness.json';

/**
 * The newest commits in a small file, so that a loss is seen although every process was restarted meanwhile. A data
 * directory that is not there, or not writable, is done without: then only running processes know.
 */
export class WitnessFile {
  private readonly path: string;
  private written = Promise.resolve();

  constructor(dataDir: string, name = NAME) {
    this.path = join(dataDir, name);
  }

  /** Undefined where there is none, it is about another store, or it cannot be read. */
  read(store: string): KeptWitness | undefined {
    try {
      keepPrivate(this.path);
      const kept = JSON.parse(readFileSync(this.path, 'utf8')) as Partial<KeptWitness>;
      if (kept.store !== store || !Array.isArray(kept.commits) || !Array.isArray(kept.accepted)) {
        return undefined;
      }
      const { commits, accepted } = kept;
      return { store, history: kept.history ?? null, commits: commits.filter(isCommit), accepted };
    } catch {
      return undefined;
    }
  }

  /** Replaces the file as a whole. A crash leaves the old one or the new one. */
  write(kept: KeptWitness): Promise<void> {
    const next = async (): Promise<void> => {
      // In containers all processes have the same number, and they may share a folder.
      const beside = `${this.path}.${randomUUID()}`;
      try {
        await writeFile(beside, JSON.stringify(kept), { mode: OWNER_ONLY });
        await rename(beside, this.path);
      } catch {
        await rm(beside, { force: true }).catch(() => undefined);
      }
    };
    this.written = this.written.then(next);
    return this.written;
  }
}

function isCommit(value: unknown): value is Commit {
  const { reference, version } = (value ?? {}) as Partial<Commit>;
  return typeof reference === 'string' && Number.isSafeInteger(version);
}
