import { StoreClock } from './clock.js';
import type { Driver } from './driver.js';
import { META } from './schema.js';

const EVERY_MS = 2_000;
/** A beat that is younger proves that a payment could be recorded. */
const PROOF_MS = 3_000;
/** Readiness answers within 5 s. */
const ANSWER_MS = 4_500;
const RESTORED_FOR_MS = 30 * 86_400_000;
/** A process that has not beaten for so long has no row. */
const KEPT_FOR_MS = 86_400_000;

interface Beaten {
  at: number;
}

/**
 * Every two seconds a small write: it proves that the store takes writes, says that this process lives, measures the store's clock, and looks
 * whether commits were lost or a person declared something.
 */
export class Heartbeat {
  readonly clock = new StoreClock();
  /** When the last loss was noticed, as the store says. */
  private lossAt: number | undefined;
  lossSeenAt: number | undefined;
  private lastBeat: number | undefined;
  private underWay: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private ended = false;
  private readonly lossListeners: ((restoredAt: number) => void)[] = [];
  /** By writer: each loss is recorded once, though several batches may find it. */
  private readonly recording = new Map<string, Promise<void>>();

  constructor(
    private readonly driver: Driver,
    private readonly process: string,
    private readonly lost: () => void,
  ) {
    driver.onForgotten((writer) => this.forgotten(writer));
  }

  get restoredAt(): number | undefined {
    return this.lossAt !== undefined && this.clock.now() - this.lossAt < RESTORED_FOR_MS
      ? this.lossAt
      : undefined;
  }

  onLoss(listener: (restoredAt: number) => void): void {
    this.lossListeners.push(listener);
  }

  /** The first beat. `forgotten`: what this process knew before it started is not in the store. */
  async begin(forgotten: boolean): Promise<void> {
    const from = performance.now();
    const [row] = await this.write();
    if (row) this.clock.begin(row.at, from, performance.now());
    if (forgotten)
      for (const writer of this.driver.marks.keys()) await this.driver.recordLoss(this.clock.now(), writer);
    this.lossAt = await this.storedLoss();
    this.lastBeat = performance.now();
    await this.driver.run({
      text: 'delete from heartbeats where at < ?',
      values: [this.clock.now() - KEPT_FOR_MS],
    });
    this.beatLater();
  }

  /** Why the store takes no writes now. Rejects never. */
  async problem(): Promise<string | undefined> {
    if (this.lastBeat !== undefined && performance.now() - this.lastBeat < PROOF_MS) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => {
        resolve('it does not answer');
      }, ANSWER_MS).unref();
    });
    const beat = this.beat().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : 'it takes no writes'),
    );
    const problem = await Promise.race([beat, late]);
    clearTimeout(timer);
    return problem;
  }

  /** A write has failed, so the next question about readiness is answered by a new beat. */
  doubt(): void {
    this.lastBeat = undefined;
  }

  async end(): Promise<void> {
    this.ended = true;
    clearTimeout(this.timer);
    await this.underWay?.catch(() => undefined);
    await this.driver
      .run({ text: 'delete from heartbeats where process = ?', values: [this.process] })
      .catch(() => undefined);
  }

  private beatLater(): void {
    if (this.ended) return;
    this.timer = setTimeout(() => {
      // `problem` says why it failed to who asks.
      void this.beat()
        .catch(() => undefined)
        .finally(() => {
          this.beatLater();
        });
    }, EVERY_MS).unref();
  }

  /** One at a time. */
  private beat(): Promise<void> {
    this.underWay ??= this.beatNow().finally(() => {
      this.underWay = undefined;
    });
    return this.underWay;
  }

  private async beatNow(): Promise<void> {
    this.doubt();
    const known = new Map(this.driver.marks);
    const from = performance.now();
    const [row] = await this.write();
    if (row) this.clock.measured(row.at, from, performance.now());
    for (const [writer, mark] of known) {
      const [stored] = await this.driver.rows<{ mark: number }>({
        text: 'select mark from marks where writer = ?',
        values: [writer],
        lookup: true,
      });
      if (stored === undefined || stored.mark < mark) await this.forgotten(writer);
    }
    this.learn(await this.storedLoss());
    this.lastBeat = performance.now();
  }

  private write(): Promise<Beaten[]> {
    const { nowSql } = this.driver;
    return this.driver.returning<Beaten>({
      text: `insert into heartbeats (process, at) values (?, ${nowSql})
        on conflict (process) do update set at = excluded.at returning at`,
      values: [this.process],
    });
  }

  private async storedLoss(): Promise<number | undefined> {
    const [row] = await this.driver.rows<{ value: string }>({
      text: 'select value from meta where name = ?',
      values: [META.restored],
      lookup: true,
    });
    return row && Number(row.value);
  }

  /** A writer's last commits are missing. Whoever waits for this knows of the loss afterwards. */
  private async forgotten(writer: string): Promise<void> {
    let recording = this.recording.get(writer);
    if (!recording) {
      recording = this.driver
        .recordLoss(this.clock.now(), writer)
        .then((at) => {
          this.learn(at);
        })
        .finally(() => this.recording.delete(writer));
      this.recording.set(writer, recording);
    }
    await recording;
  }

  /** The store's word: the time of the last loss, or none. */
  private learn(at: number | undefined): void {
    if (at === this.lossAt) return;
    const grown = at !== undefined && at > (this.lossAt ?? 0);
    this.lossAt = at;
    if (!grown) return;
    this.lossSeenAt = this.clock.now();
    this.lost();
    for (const listener of this.lossListeners) listener(at);
  }
}
