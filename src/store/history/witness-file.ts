import { randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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
  /** The number of the epoch that was known then. */
  epoch: number;
}

/** A file beside the witness that is older by so much is nobody's: its writer was killed before it could rename it. */
const LEFT_AFTER_MS = 60_000;
const UUID = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** PostgreSQL's. */
const NAME = 'witness.json';
/** The embedded store's: both may stand in one folder, where one was copied to the other. */
export const EMBEDDED_WITNESS = 'embedded-witness.json';

/**
 * The newest commits in a small file, so that a loss is seen although every process was restarted meanwhile. A data
 * directory that cannot be written is done without: then only running processes know, and service and doctor say so.
 */
export class WitnessFile {
  readonly path: string;
  private written = Promise.resolve();

  constructor(dataDir: string, name = NAME) {
    this.path = join(dataDir, name);
  }

  /** Makes its folder, for a service. Returns why it cannot be written there: the code of an error. Throws nothing. */
  static makeFolder(dataDir: string): string | undefined {
    try {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      accessSync(dataDir, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? 'unknown';
    }
  }

  /** Whether there is one, whatever store it is about. */
  get exists(): boolean {
    return existsSync(this.path);
  }

  /** Undefined where there is none, it is about another store, or it cannot be read. Writes nothing. */
  read(store: string): KeptWitness | undefined {
    const kept = this.readAny();
    return kept?.store === store ? kept : undefined;
  }

  /** The same of whatever store it is about. */
  readAny(): KeptWitness | undefined {
    try {
      const kept = JSON.parse(readFileSync(this.path, 'utf8')) as Partial<KeptWitness>;
      const { store, commits, accepted, epoch = 0 } = kept;
      if (typeof store !== 'string' || !Array.isArray(commits) || !Array.isArray(accepted)) return undefined;
      return { store, history: kept.history ?? null, commits: commits.filter(isCommit), accepted, epoch };
    } catch {
      return undefined;
    }
  }

  /** Makes it its owner's alone, and removes what killed processes have left beside it. Called once, by who will write it. Throws nothing. */
  tidy(): void {
    this.removeLeft();
    try {
      keepPrivate(this.path);
    } catch {
      // Others may go on reading it, and it counts all the same. The doctor reports files that others can read.
    }
  }

  /** Other processes may be writing beside it now, where they share the folder. */
  private removeLeft(): void {
    try {
      const folder = dirname(this.path);
      const name = basename(this.path);
      // Both times are the file system's.
      const kept = statSync(this.path).mtimeMs;
      for (const file of readdirSync(folder)) {
        if (!file.startsWith(name) || !UUID.test(file.slice(name.length))) continue;
        const path = join(folder, file);
        if (kept - statSync(path).mtimeMs > LEFT_AFTER_MS) rmSync(path, { force: true });
      }
    } catch {
      // They take a little room, and nothing else.
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
