import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWNER_ONLY } from '../secrets/private-file.js';

/** The last batches that a process saw committed. */
export interface Marks {
  /** The id of the store. */
  store: string;
  /** By writer: how many batches it committed. */
  marks: Record<string, number>;
}

/** The file follows the commits by so much at most. */
const WRITE_EVERY_MS = 250;

/**
 * The last commits of this process beside its store, so that a loss is seen although the process was restarted. A data directory that cannot
 * be written is done without: then only a running process sees a loss.
 */
export class MarkFile {
  private readonly path: string;
  private timer: NodeJS.Timeout | undefined;
  private latest: (() => Marks) | undefined;
  private kept = '';

  constructor(private readonly dataDir: string) {
    this.path = join(dataDir, 'mark.json');
  }

  /** Undefined where there is none, or none that can be read. */
  read(): Marks | undefined {
    try {
      const { store, marks } = JSON.parse(readFileSync(this.path, 'utf8')) as Partial<Marks>;
      return typeof store === 'string' && typeof marks === 'object' ? { store, marks } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes it soon. */
  note(latest: () => Marks): void {
    this.latest = latest;
    this.timer ??= setTimeout(() => {
      this.flush();
    }, WRITE_EVERY_MS).unref();
  }

  /** Writes it now, as a whole: a crash leaves the old one or the new one. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const text = this.latest && JSON.stringify(this.latest());
    if (text === undefined || text === this.kept) return;
    const beside = `${this.path}.${process.pid}`;
    try {
      mkdirSync(this.dataDir, { recursive: true, mode: 0o700 });
      writeFileSync(beside, text, { mode: OWNER_ONLY });
      renameSync(beside, this.path);
      this.kept = text;
    } catch {
      rmSync(beside, { force: true });
    }
  }
}
