import { setTimeout as wait } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { OrderWriter } from '../../payments/order-writer.js';
import { META } from '../../store/schema.js';
import { newId, timeBound, timeOfId } from '../../store/ids.js';
import { Store } from '../../store/store.js';
import { logFailure } from '../../telemetry/failure-log.js';
import { LOGGER, type Logger } from '../../telemetry/logger.js';
import { HeldLease } from '../../store/held-lease.js';
import { followed, needsAsking, saysTheSame, type Difference, type Found } from './difference.js';
import { DifferencesRepository } from './differences.repository.js';
import { dueRanges, grown, widened, type Bound, type DueRange } from './due.js';
import { AT_ONCE, Judge, type Refs } from './judge.js';

/** How often it is looked for something to do, also while a report is compared. */
const TICK_MS = 2_000;
/** Movements that are committed so long after their ids were made are not missed. */
const OVERLAP_MS = 60_000;
/** Payments that are made due at the same time. */
const ASKS = 16;

/** How far differences were looked for. It follows from rows and movements, and is kept so that a start need not read all of them. */
interface Progress {
  /** Movements that were written before this time. */
  movements: number;
  bounds: readonly Bound[];
  looked: readonly DueRange[];
}

/** Makes a payment due: the gateway is asked about it at once. */
interface Asks {
  take(reference: string, input: { by: 'notification'; payment: string }): Promise<unknown>;
}

class LeaseLost extends Error {}

/** Looks for differences: of a report before it is answered, of payments whose money moved, and of money that comes due. */
@Injectable()
export class Books implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private nap = new AbortController();
  private stopped = false;
  private running: Promise<void> | undefined;
  /** One replica looks: the one with this lease. */
  private readonly lease: HeldLease;
  private progress: Progress | undefined;
  private lookedAt = 0;
  /** Movements of the last minute that were looked at, so that the overlap is not. */
  private recent = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly judge: Judge,
    private readonly differences: DifferencesRepository,
    @Inject(OrderWriter) private readonly orders: Asks,
    @Inject(CONFIG) private readonly config: Pick<Config, 'settlementExpectedDays'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.lease = new HeldLease(store, 'books');
  }

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  /** Looks at once: a report has come. */
  wake(): void {
    this.nap.abort();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
    await this.lease.giveBack();
  }

  /** Everything that there is to look at: without any report, nothing can differ. */
  async round(): Promise<void> {
    if (!(await this.mayLook())) return;
    const [first] = await this.store.rows({ text: 'select n from settlements limit 1', lookup: true });
    if (!first) {
      this.progress = { ...(await this.known()), movements: this.store.now() };
      return;
    }
    const undone = await this.store.rows<{ n: number }>({
      text: `select n from settlements where state = 'comparing' order by n`,
      lookup: true,
    });
    for (const { n } of undone) await this.compare(n);
    await this.lookAtMovements();
    await this.lookAtDue();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      this.nap = new AbortController();
      try {
        await this.round();
      } catch (error) {
        this.progress = undefined;
        if (!(error instanceof LeaseLost)) logFailure(this.logger, { event: 'books.error' }, error);
      }
      await wait(TICK_MS, undefined, { signal: this.nap.signal, ref: false }).catch(() => undefined);
    }
  }

  /** Compares a report with the ledger. */
  private async compare(report: number): Promise<void> {
    for await (const refs of this.judge.ofReport(report)) {
      await this.look(refs);
      if (performance.now() - this.lookedAt > TICK_MS) await this.lookAtMovements();
    }
    const payouts = await this.judge.payoutsOf(report);
    for (let at = 0; at < payouts.length; at += AT_ONCE) {
      const names = JSON.stringify(payouts.slice(at, at + AT_ONCE));
      await this.follow(await this.judge.payouts(names), await this.differences.of(names, 'payouts'));
    }
    await this.lookAtDue();
    await this.keep(await this.known());
    await this.store.run({ text: `update settlements set state = 'done' where n = ?`, values: [report] });
  }

  private async lookAtMovements(): Promise<void> {
    const { movements: since } = await this.known();
    const now = this.store.now();
    const looked = new Set<string>();
    let some = false;
    for await (const moved of this.judge.movedSince(timeBound('mov', since - OVERLAP_MS))) {
      const fresh = moved.filter(({ id }) => !this.recent.has(id));
      await this.look(JSON.stringify([...new Set(fresh.map(({ ref }) => ref))]));
      some ||= fresh.length > 0;
      for (const { id } of moved) if (timeOfId(id) > now - 2 * OVERLAP_MS) looked.add(id);
    }
    this.recent = looked;
    this.lookedAt = performance.now();
    const progress = { ...(await this.known()), movements: now };
    if (some) await this.keep(progress);
    else this.progress = progress;
  }

  private async lookAtDue(): Promise<void> {
    const ranges = await this.ranges();
    const stretch = grown(ranges, (await this.known()).looked);
    if (!stretch) return;
    for await (const refs of this.judge.comeDue(stretch)) await this.look(refs);
    this.progress = { ...(await this.known()), looked: ranges };
  }

  /** Judges payments, and writes what has changed. */
  private async look(refs: Refs): Promise<void> {
    if (refs === '[]') return;
    if (!(await this.mayLook())) throw new LeaseLost();
    const { found, bounds } = await this.judge.payments(refs, await this.ranges());
    const progress = await this.known();
    this.progress = { ...progress, bounds: widened(progress.bounds, bounds) };
    await this.follow(found, await this.differences.of(refs, 'payments'));
  }

  private async follow(found: readonly Found[], stored: readonly Difference[]): Promise<void> {
    const now = this.store.now();
    const known = new Map(stored.map((one) => [nameOf(one), one]));
    const names = new Set(found.map(nameOf));
    const gone = stored.filter((one) => !names.has(nameOf(one)));
    const changed = [
      ...found.map((one) => followed(known.get(nameOf(one)), one, now, () => newId('dif', now))),
      ...gone.map((one) => followed(one, undefined, now, () => '')),
    ].filter((one) => one !== undefined);
    const asked = changed.filter((one) => {
      const before = known.get(nameOf(one));
      return (
        one.gone === 0 && needsAsking(one) && (!before || before.gone === 1 || !saysTheSame(before, one))
      );
    });
    // Before they are written: a process that dies between asks twice, and not never.
    for (let at = 0; at < asked.length; at += ASKS) {
      const some = asked.slice(at, at + ASKS).map(({ reference, paymentId }) => {
        return this.orders.take(reference ?? '', {
          ...{ by: 'notification', payment: paymentId ?? '', once: true },
        });
      });
      await Promise.all(some);
    }
    await this.differences.save(changed);
  }

  private async ranges(): Promise<DueRange[]> {
    return dueRanges((await this.known()).bounds, this.store.now(), this.config.settlementExpectedDays);
  }

  /** How far it was looked, by this process or the one before it. */
  private async known(): Promise<Progress> {
    if (this.progress) return this.progress;
    const [row] = await this.store.rows<{ value: string }>({
      text: 'select value from meta where name = ?',
      values: [META.books],
      lookup: true,
    });
    const fresh: Progress = { movements: this.store.now(), bounds: [], looked: [] };
    this.recent.clear();
    return (this.progress = row ? (JSON.parse(row.value) as Progress) : fresh);
  }

  private async keep(progress: Progress): Promise<void> {
    this.progress = progress;
    await this.store.run({
      text: 'insert into meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
      values: [META.books, JSON.stringify(progress)],
    });
  }

  private async mayLook(): Promise<boolean> {
    if (this.stopped) throw new LeaseLost();
    // Another process may have gone on meanwhile.
    if (!this.lease.isWhole) this.progress = undefined;
    return this.lease.take();
  }
}

function nameOf({ ref, part, currency }: Found): string {
  return `${part} ${currency} ${ref}`;
}
