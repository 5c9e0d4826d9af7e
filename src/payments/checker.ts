import { randomText } from '../store/ids.js';
import type { Store } from '../store/store.js';
import { DEAD_MS, freeLease, type Asker, type Claimed } from './asker.js';
import { isToBeVoided } from './core/check.js';
import { decide } from './core/decide.js';
import { openOperation } from './core/payment.js';
import { voidDuplicate } from './duplicate-voider.js';
import type { Engine } from './engine.js';
import type { OrderWriter } from './order-writer.js';
import type { Surroundings } from './surroundings.js';
import type { QueryRate } from './query-rate.js';

const TICK_MS = 250;
/** Queries under way at the same time. */
const AT_ONCE = 16;
const SESSIONS_AT_ONCE = 100;

/** The only loop that asks: it claims payments that are due, has them asked about, and ends sessions by time. */
export class Checker {
  private readonly running = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private claims = 0;

  constructor(
    private readonly orders: OrderWriter,
    private readonly asker: Asker,
    private readonly rate: QueryRate,
    private readonly engine: Engine,
    private readonly options: Surroundings,
  ) {}

  start(): void {
    this.timer = setTimeout(() => void this.tick(), TICK_MS);
  }

  /** Ends the loop once what it asked has been written. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await Promise.allSettled(this.running);
  }

  /** One round: as many payments as the rate and the room allow, and orders whose session is over. */
  async round(): Promise<void> {
    const room = this.rate.take(AT_ONCE - this.running.size);
    if (room > 0) {
      const claimed = await this.claim(room);
      this.rate.giveBack(room - claimed.length);
      for (const one of claimed) this.keep(this.check(one));
    }
    for (const { reference } of await this.dueOrders()) await this.orders.take(reference, { by: 'clock' });
  }

  /** Everything that the last rounds began. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }

  private async tick(): Promise<void> {
    try {
      await this.round();
    } catch (error) {
      this.options.failed(error);
    }
    if (!this.stopped) this.start();
  }

  private keep(work: Promise<void>): void {
    const kept = work
      .catch((error: unknown) => this.options.failed(error))
      .finally(() => this.running.delete(kept));
    this.running.add(kept);
  }

  /** Urgent ones first; one claim in four takes the oldest, so that nothing starves. */
  private async claim(room: number): Promise<Claimed[]> {
    const store: Store = this.orders.store;
    const oldest = Math.floor((this.claims + room) / 4) - Math.floor(this.claims / 4);
    this.claims += room;
    const claimed = await this.claimBy('check_urgent desc, check_at', room - oldest, store);
    return [...claimed, ...(await this.claimBy('check_at', room - claimed.length, store))];
  }

  private async claimBy(order: string, room: number, store: Store): Promise<Claimed[]> {
    if (room <= 0) return [];
    const now = store.now();
    const owner = `${store.process}:${randomText()}`;
    const free = freeLease(now);
    const rows = await store.returning<{ id: string; reference: string }>({
      text: `update payments set lease_owner = ?, lease_until = ? where ${free.text} and check_at <= ? and id in (
        select id from payments where check_at <= ? and ${free.text} order by ${order} limit ?) returning id, reference`,
      values: [
        owner,
        now + this.options.gatewayTimeoutMs + DEAD_MS,
        ...(free.values ?? []),
        now,
        now,
        ...(free.values ?? []),
        room,
      ],
    });
    return rows.map((row) => ({ ...row, owner }));
  }

  private async check(claimed: Claimed): Promise<void> {
    const asked = await this.asked(claimed);
    const payment = asked?.decision.state.payments.find(({ id }) => id === claimed.id);
    if (payment && isToBeVoided(payment, this.orders.rules()))
      await voidDuplicate(payment, this.orders, this.asker, this.engine);
  }

  /** What a dead process left may have been sent: it is unknown from now on, and asked about. */
  private async asked(claimed: Claimed) {
    const { reference, id } = claimed;
    await this.orders.write(reference, (stored, moment) => {
      const payment = stored.payments.find((one) => one.id === id);
      const open = payment && openOperation(payment);
      if (open?.state !== 'intended') return { result: undefined };
      const input = { by: 'orphan' as const, payment: id, operation: open.id };
      return { decision: decide(stored, input, moment, this.orders.rules()), result: undefined };
    });
    return this.asker.asked(claimed);
  }

  private dueOrders(): Promise<{ reference: string }[]> {
    return this.orders.store.rows({
      text: 'select reference from orders where due_at <= ? order by due_at limit ?',
      values: [this.orders.store.now(), SESSIONS_AT_ONCE],
    });
  }
}
