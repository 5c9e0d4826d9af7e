import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_ONLY } from '../secrets/private-file.js';
import type { Mark } from './driver.js';
import { randomText } from './ids.js';

/** The last batches that a process saw committed. */
interface Kept {
  /** The id of the store. */
  store: string;
  marks: Mark[];
}

/** The file follows the commits by so much at most. */
const WRITE_EVERY_MS = 250;

/**
 * The last commits of this process beside its store, so that a loss is seen although the process was restarted. A data directory that cannot
 * be written is done without: then only a running process sees a loss.
 */
export class MarkFile {
  private readonly path: string;
  private store = '';
  private timer: NodeJS.Timeout | undefined;
  private written = Promise.resolve();

  constructor(
    private readonly dataDir: string,
    private readonly marks: readonly Mark[],
  ) {
    this.path = join(dataDir, 'mark.json');
  }

  /** Undefined where there is none, or none that can be read. */
  read(): Kept | undefined {
    try {
      const { store, marks } = JSON.parse(readFileSync(this.path, 'utf8')) as Partial<Kept>;
      return typeof store === 'string' && Array.isArray(marks) ? { store, marks } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes down for the first time what this process does in the store of this id. */
  begin(store: string): Promise<void> {
    this.store = store;
    return this.flush();
  }

  /** Writes it soon. */
  note(): void {
    if (this.store === '') return;
    this.timer ??= setTimeout(() => void this.flush(), WRITE_EVERY_MS).unref();
  }

  /** Writes it now, as a whole: a crash leaves the old one or the new one. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.written = this.written.then(() => this.write({ store: this.store, marks: [...this.marks] }));
    return this.written;
  }

  private async write(kept: Kept): Promise<void> {
    // Processes may share the folder.
    const beside = `${this.path}.${randomText()}`;
    try {
      await mkdir(this.dataDir, { recursive: true, mode: 0o700 });
      await writeFile(beside, JSON.stringify(kept), { mode: OWNER_ONLY });
      await rename(beside, this.path);
    } catch {
      await rm(beside, { force: true }).catch(() => undefined);
    }
  }
}
