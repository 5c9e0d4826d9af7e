import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_ONLY } from '../secrets/private-file.js';
import { randomText } from './ids.js';

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
  private kept = '';
  private written = Promise.resolve();

  constructor(
    private readonly dataDir: string,
    private readonly latest: () => Marks,
  ) {
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
  note(): void {
    this.timer ??= setTimeout(() => {
      void this.flush();
    }, WRITE_EVERY_MS).unref();
  }

  /** Writes it now, as a whole: a crash leaves the old one or the new one. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.written = this.written.then(() => this.write(JSON.stringify(this.latest())));
    return this.written;
  }

  private async write(text: string): Promise<void> {
    if (text === this.kept) return;
    // Processes may share the folder.
    const beside = `${this.path}.${randomText()}`;
    try {
      await mkdir(this.dataDir, { recursive: true, mode: 0o700 });
      await writeFile(beside, text, { mode: OWNER_ONLY });
      await rename(beside, this.path);
      this.kept = text;
    } catch {
      await rm(beside, { force: true }).catch(() => undefined);
    }
  }
}
