import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { STORE_TIME, type SqliteClock } from '../clock/sqlite-clock.js';
import { OpenedFiles } from '../sqlite/opened-files.js';
import { asSqliteUnavailable } from '../sqlite/unavailable.js';
import { StoreUnavailable } from '../store-unavailable.js';
import {
  assertNothingForgotten,
  beginEpoch,
  isWithoutWitness,
  recordLoss,
  storeTime,
  type Finder,
  type WholeStore,
  type WriteLine,
} from './embedded-loss.js';
import { forgotten, replaced, unreadable, type HistoryObserver, type StoreFault } from './store-fault.js';
import type { Epoch } from './epoch.js';
import type { WitnessFile } from './witness-file.js';

const KEEP_EVERY_MS = 1_000;

const CLAIM_STORE_ID = `insert into meta (name, value) values ('store_id', ?) on conflict (name) do nothing`;

/** What a history is held against. */
export interface EmbeddedPlace {
  /** The path of the database. */
  file: string;
  witness: WitnessFile;
  clock: Pick<SqliteClock, 'reached' | 'now'>;
  /** Names this process. */
  owner: string;
  write: WriteLine;
}

/**
 * Holds the embedded store against what was confirmed before. Its file must be the one that was opened, which is looked at before
 * each commit is answered. And its time, which every second of writing keeps in it, must not be before the one that this process has
 * kept in it, nor before the one that a small file beside it remembers: otherwise an older copy was put in its place, or the disk has
 * lost what it had confirmed.
 */
export class EmbeddedHistory {
  private readonly files: OpenedFiles;
  private store: WholeStore | undefined;
  /** Stays until the process ends. */
  private lost: StoreFault | undefined;
  private told: string | undefined;
  private keptTime: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: DatabaseSync,
    private readonly place: EmbeddedPlace,
    private readonly observer: HistoryObserver = {},
  ) {
    this.files = new OpenedFiles(place.file);
  }

  /** Throws `StoreUnavailable` before `begin`. */
  get epoch(): Epoch {
    if (!this.store) throw new StoreUnavailable('the store was not looked at yet');
    return this.store.epoch;
  }

  /** Undefined where the store may be used. Looks at the files each time, as they may be put back. */
  get fault(): StoreFault | undefined {
    const fault = this.lost ?? this.ofFiles();
    if (fault?.message !== this.told) {
      this.told = fault?.message;
      if (fault) this.observer.fault?.(fault);
      else this.observer.whole?.({ moved: false, accepted: false });
    }
    return fault;
  }

  private ofFiles(): StoreFault | undefined {
    const changed = this.files.changed();
    if (!changed) return undefined;
    return changed.error === undefined ? replaced(changed.path) : unreadable(changed.path, changed.error);
  }

  /** Throws where nothing may be written, or where what has just been written must not be answered. */
  readonly assertUsable = (): void => {
    const { fault } = this;
    if (fault) throw new StoreUnavailable(fault.message);
  };

  /**
   * Called once, when the schema is there and the clock runs. Throws where the store is older than what it had confirmed: nothing
   * starts on it until a person knows. A store that no witness knows, such as a backup in an empty folder, begins a new epoch. The witness
   * knows of the store and its epoch before anything is given out.
   */
  async begin(): Promise<void> {
    const { witness, write } = this.place;
    witness.tidy();
    try {
      const restored = isWithoutWitness(this.database, witness);
      await write(CLAIM_STORE_ID, [randomUUID()]);
      const store = await assertNothingForgotten(this.database, witness, this.finder);
      this.store = restored ? { ...store, epoch: await beginEpoch(this.finder, store.epoch) } : store;
    } catch (error) {
      throw asSqliteUnavailable(error);
    }
    await this.keep();
    this.timer = setInterval(() => {
      void this.keep();
    }, KEEP_EVERY_MS).unref();
  }

  /**
   * Looks whether the store's time has gone back under this process, as when somebody restores a backup into the open
   * database. Throws nothing.
   */
  readonly look = (): void => {
    void this.current();
  };

  private get finder(): Finder {
    const { clock, owner, write } = this.place;
    return { by: owner, at: clock.now(), write };
  }

  /** Keeps the last time. Called before the database is closed. Rejects never. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.keep();
  }

  /** Writes the small file where there is something new, and only what the database has confirmed. Rejects never. */
  private async keep(): Promise<void> {
    const { store } = this;
    if (!store || this.fault) return;
    const time = await this.current();
    if (time === undefined || time === this.keptTime) return;
    this.keptTime = time;
    const commits = [{ reference: STORE_TIME, version: time }];
    const epoch = store.epoch.number;
    await this.place.witness.write({
      store: store.id,
      history: null,
      commits,
      accepted: store.accepted,
      epoch,
    });
  }

  /** The store's time. Undefined where it cannot be read now, or where the store has gone back. */
  private async current(): Promise<number | undefined> {
    if (!this.store || this.lost) return undefined;
    const known = Math.max(this.keptTime ?? 0, this.place.clock.reached ?? 0);
    let found;
    try {
      found = storeTime(this.database);
    } catch {
      // An input or output error, for example. The next write fails with it, and the process must go on: see docs/runbook.md.
      return undefined;
    }
    if (found >= known) return found;
    this.lost = forgotten(known, found);
    const epoch = this.store.epoch.number;
    await recordLoss(this.finder, { known, found, epoch });
    return undefined;
  }
}
