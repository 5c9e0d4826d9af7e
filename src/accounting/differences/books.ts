import { META } from '../../store/schema.js';
import { newId, timeBound, timeOfId } from '../../store/ids.js';
import type { Store } from '../../store/store.js';
import { followed, needsAsking, saysTheSame, type Difference, type Found } from './difference.js';
import type { DifferencesRepository } from './differences.repository.js';
import { dueRanges, grown, widen, type Bound, type DueRange } from './due.js';
import { AT_ONCE, type Judge } from './judge.js';

/** How often it is looked for something to do. */
const TICK_MS = 2_000;
/** Movements that are committed so long after their ids were made are not missed. */
const OVERLAP_MS = 60_000;
/** One replica looks: the one with this lease. */
const LEASE = 'books';
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** What was looked at is written down so often. After a start it is looked at again from there. */
const KEEP_MS = 60_000;
/** Payments that are made due at the same time. */
const ASKS = 16;

/** How far differences were looked for. It follows from rows and movements, and is kept so that a start need not read all of them. */
interface Progress {
  /** Movements that were written before this time. */
  movements: number;
  bounds: Bound[];
  looked: DueRange[];
}

export interface BooksOptions {
  /** 0: nothing is ever due. */
  expectedDays: number;
  /** Makes a payment due: the gateway is asked about it at once. */
  ask(reference: string, paymentId: string): Promise<unknown>;
  failed(error: unknown): void;
  monotonic(): number;
}

class LeaseLost extends Error {}

/** Looks for differences: of a report before it is answered, of payments whose money moved, and of money that comes due. */
export class Books {
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private running: Promise<void> | undefined;
  private again = false;
  private leasedUntil = 0;
  private progress: Progress | undefined;
  private keptAt = 0;
  private lookedAt = 0;
  private readonly bounds = new Map<string, Bound>();
  /** Movements of the last minute that were looked at, so that the overlap is not. */
  private recent = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly judge: Judge,
    private readonly differences: DifferencesRepository,
    private readonly options: BooksOptions,
  ) {}

  start(): void {
    this.plan(0);
  }

  /** Looks at once: a report has come. */
  wake(): void {
    if (!this.stopped) this.plan(0);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Everything that there is to look at. */
  async round(): Promise<void> {
    if (!(await this.mayLook())) return;
    const undone = await this.store.rows<{ n: number }>({
      text: `select n from settlements where state = 'comparing' order by n`,
      lookup: true,
    });
    for (const { n } of undone) await this.compare(n);
    await this.lookAtMovements();
    await this.lookAtDue();
  }

  /** Compares a report with the ledger. */
  private async compare(report: number): Promise<void> {
    for await (const refs of this.judge.ofReport(report)) {
      await this.look(refs.filter((ref) => ref !== ''));
      if (this.options.monotonic() - this.lookedAt > RENEW_MS) await this.lookAtMovements();
    }
    const payouts = await this.judge.payoutsOf(report);
    for (let at = 0; at < payouts.length; at += AT_ONCE) {
      const names = payouts.slice(at, at + AT_ONCE);
      await this.follow(await this.judge.payouts(names), await this.differences.of(names, 'payouts'));
    }
    await this.lookAtDue();
    await this.keep();
    await this.store.run({ text: `update settlements set state = 'done' where n = ?`, values: [report] });
  }

  private async lookAtMovements(): Promise<void> {
    const progress = await this.known();
    const [now, since] = [this.store.now(), progress.movements - OVERLAP_MS];
    const looked = new Set<string>();
    let some = false;
    for await (const moved of this.judge.movedSince(timeBound('mov', Math.max(0, since)))) {
      const fresh = moved.filter(({ id }) => !this.recent.has(id));
      if (fresh.length > 0) await this.look([...new Set(fresh.map(({ ref }) => ref))]);
      some ||= fresh.length > 0;
      for (const { id } of moved) if (timeOfId(id) > now - 2 * OVERLAP_MS) looked.add(id);
    }
    this.recent = looked;
    progress.movements = now;
    this.lookedAt = this.options.monotonic();
    if (some && this.lookedAt - this.keptAt > KEEP_MS) await this.keep();
  }

  private async lookAtDue(): Promise<void> {
    const progress = await this.known();
    const ranges = this.ranges();
    const stretch = grown(ranges, progress.looked);
    if (!stretch) return;
    for await (const refs of this.judge.comeDue(stretch)) await this.look(refs, ranges);
    progress.looked = ranges;
  }

  /** Judges payments, and writes what has changed. */
  private async look(refs: readonly string[], due = this.ranges()): Promise<void> {
    if (refs.length === 0) return;
    if (!(await this.mayLook())) throw new LeaseLost();
    const { found, bounds } = await this.judge.payments(refs, due);
    widen(this.bounds, bounds);
    await this.follow(found, await this.differences.of(refs, 'payments'));
  }

  private async follow(found: readonly Found[], stored: readonly Difference[]): Promise<void> {
    const now = this.store.now();
    const byName = new Map(stored.map((one) => [nameOf(one), one]));
    const changed: Difference[] = [];
    const asked: Found[] = [];
    for (const one of found) {
      const known = byName.get(nameOf(one));
      byName.delete(nameOf(one));
      const next = followed(known, one, now, () => newId('dif', now));
      if (!next) continue;
      changed.push(next);
      const isNew = !known || known.gone || !saysTheSame(known, next);
      if (isNew && needsAsking(next)) asked.push(next);
    }
    for (const gone of byName.values()) {
      const next = followed(gone, undefined, now, () => '');
      if (next) changed.push(next);
    }
    // Before they are written: a process that dies between asks twice, and not never.
    for (let at = 0; at < asked.length; at += ASKS)
      await Promise.all(
        asked
          .slice(at, at + ASKS)
          .map(({ reference, paymentId }) => this.options.ask(reference ?? '', paymentId ?? '')),
      );
    await this.differences.save(changed);
  }

  private ranges(): DueRange[] {
    return dueRanges(this.bounds, this.store.now(), this.options.expectedDays);
  }

  /** How far it was looked, by this process or the one before it. Without any report, nothing can differ. */
  private async known(): Promise<Progress> {
    if (this.progress) return this.progress;
    const [row] = await this.store.rows<{ value: string }>({
      text: 'select value from meta where name = ?',
      values: [META.books],
      lookup: true,
    });
    const fresh: Progress = { movements: this.store.now(), bounds: [], looked: [] };
    this.progress = row ? (JSON.parse(row.value) as Progress) : fresh;
    this.recent.clear();
    this.bounds.clear();
    widen(this.bounds, this.progress.bounds);
    return this.progress;
  }

  private async keep(): Promise<void> {
    const progress = { ...(await this.known()), bounds: [...this.bounds.values()] };
    this.keptAt = this.options.monotonic();
    await this.store.run({
      text: 'insert into meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
      values: [META.books, JSON.stringify(progress)],
    });
  }

  private async mayLook(): Promise<boolean> {
    if (this.stopped) throw new LeaseLost();
    const now = this.options.monotonic();
    if (now < this.leasedUntil - LEASE_MS + RENEW_MS) return true;
    // Another process may have gone on meanwhile.
    if (now > this.leasedUntil) this.progress = undefined;
    if (!(await this.store.lease(LEASE, LEASE_MS))) {
      this.leasedUntil = 0;
      return false;
    }
    this.leasedUntil = now + LEASE_MS;
    return true;
  }

  private plan(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.running) this.again = true;
      else this.running = this.tick().finally(() => (this.running = undefined));
    }, ms);
  }

  private async tick(): Promise<void> {
    this.again = false;
    try {
      await this.round();
    } catch (error) {
      this.progress = undefined;
      if (!(error instanceof LeaseLost)) this.options.failed(error);
    }
    if (!this.stopped) this.plan(this.again ? 0 : TICK_MS);
  }
}

function nameOf({ ref, part, currency }: Found): string {
  return `${part} ${currency} ${ref}`;
}
