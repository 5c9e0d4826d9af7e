import { setTimeout as sleep } from 'node:timers/promises';
import { StoreClock } from './clock.js';
import type { Driver, Mark } from './driver.js';
import { META, NOW } from './schema.js';

const EVERY_MS = 2_000;
/** How often it is looked whether a beat is due: it is at once while the store is not steady. */
const SOON_MS = 200;
/** What another process misses on a server that took over, it has said after so long. */
const STEADY_MS = 1_000;
/** A beat that is younger proves that a payment could be recorded. */
const PROOF_MS = 3_000;
/** Readiness answers within 5 s. */
const ANSWER_MS = 4_500;
const RESTORED_FOR_MS = 30 * 86_400_000;
/** A process that has not beaten for so long has no row. */
const KEPT_FOR_MS = 86_400_000;

/**
 * Every two seconds a small write: it proves that the store takes writes, says that this process lives, measures the store's clock, and looks
 * whether commits were lost: its own, or those that another process misses, or as a person declared.
 */
export class Heartbeat {
  readonly clock = new StoreClock();
  /** When the last loss was noticed, as the store says. */
  private lossAt: number | undefined;
  lossSeenAt: number | undefined;
  private lastBeat: number | undefined;
  /** When the first and the last good beat began since a connection broke. */
  private good = { first: -Infinity, last: -Infinity };
  private triedAt = performance.now();
  private underWay: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private ended = false;

  constructor(
    private readonly driver: Driver,
    private readonly process: string,
    private readonly hooks: { beaten: () => void; lost: () => void },
  ) {}

  get restoredAt(): number | undefined {
    const { lossAt } = this;
    return lossAt !== undefined && this.clock.now() - lossAt < RESTORED_FOR_MS ? lossAt : undefined;
  }

  /**
   * Whether orders may be written. Another server may answer since a connection broke, and it may lack what another process wrote: that
   * process, which lost its connections too, finds out by its next beats.
   */
  get isSteady(): boolean {
    const { first, last } = this.good;
    const { brokenAt = -Infinity } = this.driver;
    return brokenAt === -Infinity || (first > brokenAt && last - first >= STEADY_MS);
  }

  /** Resolves once it is steady. Rejects where the store cannot be reached. */
  async steady(): Promise<void> {
    while (!this.isSteady && !this.ended) {
      await this.beat();
      await sleep(SOON_MS);
    }
  }

  /** The first beat. `forgotten`: what this process knew before it started is not in the store. */
  async begin(forgotten: boolean): Promise<void> {
    await this.write();
    if (forgotten) await this.recordLoss();
    this.lossAt = await this.storedLoss();
    this.lastBeat = performance.now();
    const before = this.clock.now() - KEPT_FOR_MS;
    await this.driver.run({ text: 'delete from heartbeats where at < ?', values: [before] });
    this.beatLater();
  }

  /** Why the store takes no writes now. Rejects never. */
  async problem(): Promise<string | undefined> {
    if (this.lastBeat !== undefined && performance.now() - this.lastBeat < PROOF_MS) return undefined;
    const late = Promise.withResolvers<string>();
    const timer = setTimeout(() => {
      late.resolve('it does not answer');
    }, ANSWER_MS);
    const beat = this.beat().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : 'it takes no writes'),
    );
    return Promise.race([beat, late.promise]).finally(() => {
      clearTimeout(timer);
    });
  }

  /** A write has failed, so the next question about readiness is answered by a new beat. */
  doubt(): void {
    this.lastBeat = undefined;
  }

  /** A running process misses commits of this mark, or its last beat. What waits for this knows of the loss afterwards. */
  async forgotten(mark: Mark): Promise<void> {
    await this.recordLoss();
    for (const one of new Set([mark, this.driver.beat])) {
      const count = one.count + 1;
      await this.driver.run({
        text: `insert into marks (writer, mark) values (?, ?) on conflict (writer) do update set mark = excluded.mark`,
        values: [one.writer, count],
      });
      one.count = count;
    }
    this.learn(await this.storedLoss());
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
      if (this.isSteady && performance.now() - this.triedAt < EVERY_MS) return this.beatLater();
      // `problem` says why it failed to who asks.
      void this.beat()
        .catch(() => undefined)
        .finally(() => {
          this.beatLater();
        });
    }, SOON_MS).unref();
  }

  /** One at a time. */
  private beat(): Promise<void> {
    this.underWay ??= this.beatNow().finally(() => {
      this.underWay = undefined;
    });
    return this.underWay;
  }

  private async beatNow(): Promise<void> {
    const begun = performance.now();
    this.triedAt = begun;
    this.doubt();
    await this.write();
    // Who writes no order would not miss it: another process may charge again what this one saw committed.
    const missed = await this.missed();
    if (missed) await this.forgotten(missed);
    else this.learn(await this.storedLoss());
    this.lastBeat = performance.now();
    const first = this.good.first > (this.driver.brokenAt ?? 0) ? this.good.first : begun;
    this.good = { first, last: begun };
  }

  /** A mark whose last commit is not in the store. */
  private async missed(): Promise<Mark | undefined> {
    const { marks, beat } = this.driver;
    for (const mark of [...marks, beat]) {
      const { writer, count } = mark;
      const text = 'select 1 from marks where writer = ? and mark >= ?';
      const found = await this.driver.rows({ text, values: [writer, count], lookup: true });
      if (found.length === 0) return mark;
    }
    return undefined;
  }

  private async write(): Promise<void> {
    const from = performance.now();
    const [row] = await this.driver.returning<{ at: number }>({
      text: `insert into heartbeats (process, at) values (?, ${NOW[this.driver.kind]})
        on conflict (process) do update set at = excluded.at returning at`,
      values: [this.process],
    });
    if (row) this.clock.measured(row.at, from, performance.now());
    await this.count();
  }

  /** That it was written is remembered: a store without it has lost it, and perhaps what others wrote. */
  private async count(): Promise<void> {
    const { beat } = this.driver;
    const [moved] = await this.driver.returning<{ mark: number }>({
      text: 'update marks set mark = mark + 1 where writer = ? and mark >= ? returning mark',
      values: [beat.writer, beat.count],
    });
    if (!moved) return;
    beat.count = Math.max(beat.count, moved.mark);
    this.hooks.beaten();
  }

  /** Replicas that notice one loss agree on its time. */
  private async recordLoss(): Promise<void> {
    await this.driver.run({
      text: `insert into meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value
        where cast(meta.value as bigint) < cast(excluded.value as bigint) - 60000`,
      values: [META.restored, String(this.clock.now())],
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

  /** The store's word: the time of the last loss, or none. */
  private learn(at: number | undefined): void {
    const grown = at !== undefined && at > (this.lossAt ?? 0);
    this.lossAt = at;
    if (!grown) return;
    this.lossSeenAt = this.clock.now();
    this.hooks.lost();
  }
}
