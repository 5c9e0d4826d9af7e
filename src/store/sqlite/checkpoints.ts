import { extname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

/** After so many commits the log is copied. Each writes 10 to 45 pages of 4 KB. */
const COMMITS = 48;
/** A log of so many pages is brought to its end here: a busy one is never copied whole while it is written. */
const LONG_LOG = 4_000;
/** The bound without the thread: from so many pages on SQLite copies the log itself, within a commit. 48 MB. */
const OWN_BOUND = 12_000;

/** What the thread says after it has copied. In pages of the log. */
interface Copied {
  /** How much there was. */
  log: number;
  /** How much of it came meanwhile. */
  left: number;
}

/**
 * Copies SQLite's write-ahead log into the database in another thread than that which writes. SQLite would do it within a commit, every
 * thousand pages, and all payments of that moment would wait for two syncs of the disk and a thousand pages. If the thread is gone, SQLite
 * does it as before, only later: the log is bounded either way. Nothing rests on when it is done, since a commit is synced in the log.
 */
export class Checkpoints {
  private commits = 0;
  private thread: Worker | undefined;
  private busy = false;
  private ended = false;

  private readonly database: DatabaseSync;
  private readonly file: string;
  private readonly newThread: (file: string) => Worker;

  constructor(
    database: DatabaseSync,
    file: string,
    newThread: (file: string) => Worker = newCheckpointThread,
  ) {
    this.database = database;
    this.file = file;
    this.newThread = newThread;
    database.exec(`pragma wal_autocheckpoint = ${OWN_BOUND}`);
  }

  /** To be called after each commit. Throws nothing: the commit stands. */
  readonly committed = (): void => {
    if (++this.commits < COMMITS || this.busy || this.ended) return;
    this.commits = 0;
    this.thread ??= this.start();
    this.busy = this.thread !== undefined;
    this.thread?.postMessage('copy');
  };

  /** Resolves when the thread has closed its connection. */
  async end(): Promise<void> {
    this.ended = true;
    const { thread } = this;
    if (!thread) return;
    const gone = new Promise((resolve) => thread.once('exit', resolve));
    thread.ref();
    thread.postMessage('end');
    await gone;
  }

  private start(): Worker | undefined {
    let thread: Worker;
    try {
      thread = this.newThread(this.file);
    } catch {
      // No memory for it, for example. It is tried again after as many commits.
      return undefined;
    }
    thread.on('message', (copied: Copied) => {
      this.busy = false;
      this.finish(copied);
    });
    // SQLite's own bound stands. Another thread is tried after the next commits.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      this.busy = false;
      if (this.thread === thread) this.thread = undefined;
    });
    thread.unref();
    return thread;
  }

  /**
   * The log begins anew only when all of it is copied, and under steady load there is always something that came meanwhile. So
   * the last pages of a long one are copied here, between two commits. They are few.
   */
  private finish({ log, left }: Copied): void {
    if (this.ended || left === 0 || log < LONG_LOG) return;
    try {
      this.database.exec('pragma wal_checkpoint(passive)');
    } catch {
      // The next time.
    }
  }
}

function newCheckpointThread(file: string): Worker {
  const name = `./checkpoint-thread${extname(import.meta.url)}`;
  return new Worker(new URL(name, import.meta.url), {
    workerData: file,
    // It needs next to nothing, and V8 would reserve for much more.
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
    // The process's own options, a loader or an inspector, are not for it, and no secret is. A diagnostic report shows the
    // environment of the whole process once for each thread, unless each is told not to.
    execArgv: ['--report-exclude-env'],
    env: {},
  });
}
