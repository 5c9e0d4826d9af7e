import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { STORE_TIME } from '../clock/sqlite-clock.js';
import { OpenedFiles } from '../sqlite/opened-files.js';
import { StoreUnavailable } from '../store-unavailable.js';
import { judgeHistory, type HistoryLook } from './judge-history.js';
import { olderThan, replaced, type HistoryObserver, type StoreFault } from './store-fault.js';
import { WitnessFile } from './witness-file.js';

const KEEP_EVERY_MS = 1_000;

const CLAIM_STORE_ID = `insert into meta (name, value) values ('store_id', ?) on conflict (name) do nothing`;
const META = 'select value from meta where name = ?';
const LOSSES = 'select id, accepted_at is not null as accepted from store_losses';
const RECORD = 'insert into store_losses (id, found_at, found_by, detail) values (?, ?, ?, ?)';

/**
 * Holds the embedded store against what was confirmed before. Its file must be the one that was opened, which is looked at before
 * each commit is answered. And its time, which every second of writing keeps in it, must not be before the one that a small file
 * beside it remembers: otherwise an older copy was put in its place, or the disk has lost what it had confirmed.
 */
export class EmbeddedHistory {
  private readonly files: OpenedFiles;
  private store = '';
  /** Losses that no later start has to be told of. */
  private accepted: readonly string[] = [];
  private told: string | undefined;
  private keptTime = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: DatabaseSync,
    file: string,
    private readonly witness: WitnessFile,
    private readonly observer: HistoryObserver = {},
  ) {
    this.files = new OpenedFiles(file);
  }

  /** Undefined where the store may be used. Looks at the files each time, as they may be put back. */
  get fault(): StoreFault | undefined {
    const path = this.files.changed();
    const fault = path === undefined ? undefined : replaced(path);
    if (fault?.message !== this.told) {
      this.told = fault?.message;
      if (fault) this.observer.fault?.(fault);
      else this.observer.whole?.({ moved: false, accepted: false });
    }
    return fault;
  }

  /** Throws where nothing may be written, or where what has just been written must not be answered. */
  readonly assertUsable = (): void => {
    const { fault } = this;
    if (fault) throw new StoreUnavailable(fault.message);
  };

  /**
   * Called once, when the schema is there and the clock runs. `owner` names this process. Throws where the store is older than what it had
   * confirmed: nothing starts on it until a person knows.
   */
  begin(owner: string, now: number): void {
    this.database.prepare(CLAIM_STORE_ID).run(randomUUID());
    this.store = this.meta('store_id') ?? '';
    const kept = this.witness.read(this.store);
    const found = this.time();
    const losses = this.losses();
    const verdict = judgeHistory(
      {
        history: undefined,
        commits: kept?.commits ?? [],
        acceptedBefore: new Set(kept?.accepted ?? acceptedOf(losses)),
      },
      { readOnly: false, history: null, versions: { [STORE_TIME]: found }, losses },
    );
    this.accepted = acceptedOf(losses);
    if (verdict.kind === 'lost') {
      const [known] = verdict.missing;
      if (known && losses.every(({ accepted }) => accepted)) {
        const detail = JSON.stringify({ missing: [], known: known.version, found });
        this.database.prepare(RECORD).run(`loss_${randomUUID()}`, now, owner, detail);
      }
      throw new StoreUnavailable(olderThan(known?.version, found));
    }
    this.timer = setInterval(() => {
      void this.keep();
    }, KEEP_EVERY_MS).unref();
  }

  /** Keeps the last time. Called before the database is closed. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.keep();
  }

  /** Writes the small file where there is something new, and only what the database has confirmed. */
  private async keep(): Promise<void> {
    if (this.timer === undefined || this.fault) return;
    const time = this.time();
    if (time === this.keptTime) return;
    this.keptTime = time;
    const commits = [{ reference: STORE_TIME, version: time }];
    await this.witness.write({ store: this.store, history: null, commits, accepted: this.accepted });
  }

  private time(): number {
    return Number(this.meta(STORE_TIME) ?? 0);
  }

  private meta(name: string): string | undefined {
    const value = this.database.prepare(META).get(name)?.['value'];
    return typeof value === 'string' ? value : undefined;
  }

  private losses(): HistoryLook['losses'] {
    return this.database
      .prepare(LOSSES)
      .all()
      .map(({ id, accepted }) => ({ id: String(id), accepted: accepted === 1 }));
  }
}

function acceptedOf(losses: HistoryLook['losses']): string[] {
  return losses.filter(({ accepted }) => accepted).map(({ id }) => id);
}
