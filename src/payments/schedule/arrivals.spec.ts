import { describe, expect, test } from '@jest/globals';
import { madeAt, MINUTE, paymentIn, SECOND } from '../../../test/harness/records.js';
import type { GatewayMeaning } from '../../gateway/gateway-result.js';
import type { PaymentRecord } from '../../store/schema.js';
import { notified, type NotificationClaim } from './notified.js';
import { mostOverdue, WORTH, WORTHS, type Worth } from './worth.js';
import { QuestionSchedule, type DueKind } from './question-schedule.js';
import { HURRIED, Recovery } from './recovery.js';
import { scheduled, type News } from './status-check-schedule.js';

/**
 * A shop's day with a virtual clock: payments arrive, the gateway notifies of each, and the schedule asks what it must. Only
 * what the store and the network do is imitated here; what is planned, and what is asked, are the service's own.
 */

const STEP = 50;
const BATCH = 32;
const FEW = 8;
/** As in the handover: what comes about one payment within this time is handed over together. */
const TOGETHER = SECOND;
/** The critical alert `TillfrontInquiriesOverdue`, before its five minutes. */
const ALERTS_AFTER = 120 * SECOND;
const DEFAULT_RATE = 10;

/** Numbers in [0, 1), the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One payment in the service and at the gateway. */
interface Entry {
  payment: PaymentRecord;
  /** What a status query is answered. */
  says: GatewayMeaning;
  /** When the gateway notified of money that is not known here. */
  toldAt?: number;
  questions: number;
  fate: Fate;
}

/** What becomes of a payment: the gateway tells what is so, or what its status query says a little later, or what is not so. */
type Fate = 'told' | 'turns' | 'false';

interface Gathered {
  claims: Set<NotificationClaim>;
  repeated: boolean;
  until: number;
}

class Shop {
  now = madeAt;
  readonly entries = new Map<string, Entry>();
  /** How long after its notification each payment was known to be paid. */
  readonly waits: number[] = [];
  mostOverdue = 0;
  /** The most payments that were due at once, of each worth. */
  readonly mostDue = new Map<Worth, number>();
  questions = 0;
  readonly random = numbers(7);
  private readonly schedule: QuestionSchedule;
  private readonly recovery = new Recovery();
  private readonly planned = new Set<Entry>();
  private readonly acts = new Map<number, (() => void)[]>();
  private readonly gathered = new Map<string, Gathered>();
  private readonly contents = new Set<string>();

  constructor(
    rate: number,
    /** How long the gateway takes to answer; what it says then. */
    private readonly latency: () => number = () => 50 + this.random() * 400,
    private readonly hear: (entry: Entry, now: number) => GatewayMeaning | undefined = ({ says }) => says,
  ) {
    this.schedule = new QuestionSchedule(rate);
  }

  add(payment: PaymentRecord, says: GatewayMeaning): Entry {
    const id = `pay_${this.entries.size}`;
    const entry = {
      payment: { ...payment, id, createdAt: this.now, answeredAt: this.now },
      says,
      questions: 0,
      fate: 'told' as Fate,
    };
    if (payment.closedAt !== null) entry.payment.closedAt = this.now;
    this.entries.set(id, entry);
    this.plan(entry, { changed: true });
    return entry;
  }

  after(milliseconds: number, act: () => void): void {
    const at = Math.ceil((this.now + milliseconds) / STEP) * STEP;
    this.acts.set(at, [...(this.acts.get(at) ?? []), act]);
  }

  /** A notification arrives. Equal contents are repeats. */
  tell(entry: Entry, claim: NotificationClaim, content: string = claim): void {
    const { id } = entry.payment;
    const repeated = this.contents.has(`${id} ${content}`);
    const gathered = this.gathered.get(id);
    if (gathered && gathered.until > this.now) {
      gathered.claims.add(claim);
      gathered.repeated &&= repeated;
      return;
    }
    this.gathered.set(id, { claims: new Set(), repeated: true, until: this.now + TOGETHER });
    this.handOver(entry, [claim], repeated);
    this.contents.add(`${id} ${content}`);
    this.after(TOGETHER, () => {
      const { claims = new Set<NotificationClaim>(), repeated: again = false } = this.gathered.get(id) ?? {};
      if (claims.size > 0) this.handOver(entry, [...claims], again);
    });
  }

  /** Time passes until then; `each` is called in every step. */
  run(until: number, each: () => void = () => undefined): void {
    for (; this.now < until; this.now += STEP) {
      each();
      for (const act of this.acts.get(this.now) ?? []) act();
      this.acts.delete(this.now);
      this.fetch();
      this.ask();
    }
  }

  due(worth?: Worth): Entry[] {
    return [...this.planned].filter(
      ({ payment }) =>
        (payment.nextStatusCheckAt ?? Infinity) <= this.now &&
        payment.leaseOwner === null &&
        (worth === undefined || payment.statusCheckWorth === worth),
    );
  }

  private handOver(entry: Entry, claims: NotificationClaim[], repeated: boolean): void {
    const underWay = entry.payment.leaseOwner !== null;
    this.save(entry, notified(entry.payment, { claims, repeated }, underWay, this.now));
  }

  private save(entry: Entry, payment: PaymentRecord | undefined): void {
    if (!payment) return;
    entry.payment = payment;
    if (payment.nextStatusCheckAt === null) this.planned.delete(entry);
    else this.planned.add(entry);
  }

  private plan(entry: Entry, news: News): void {
    const { payment } = entry;
    const rows = { payment, operations: [], session: { expiresAt: payment.createdAt + 30 * MINUTE } };
    const rules = { voidDuplicates: false, graceMs: MINUTE };
    const context = { now: this.now, random: this.random, rules };
    this.save(entry, { ...payment, ...scheduled(rows, news, context) });
  }

  private fetch(): void {
    // The worker looks after each write, and not at every moment.
    if (this.now % 100 !== 0) return;
    const due = this.due().sort((one, other) => dueAt(one) - dueAt(other));
    const byWorth = Map.groupBy(due, ({ payment }) => payment.statusCheckWorth);
    const oldest = [...byWorth].map(([worth, [first]]) => ({ worth, oldest: first ? dueAt(first) : null }));
    this.mostOverdue = Math.max(this.mostOverdue, mostOverdue(oldest, this.now));
    for (const worth of WORTHS) {
      const count = byWorth.get(worth)?.length ?? 0;
      this.mostDue.set(worth, Math.max(count, this.mostDue.get(worth) ?? 0));
    }
    const byKind = Map.groupBy(due, ({ payment }) => kindOf(payment));
    const kinds: DueKind[] = [...WORTHS, 'awaited'];
    for (const kind of kinds) {
      if (this.schedule.waiting(kind, 'transactionStatus') >= FEW) continue;
      const questions = (byKind.get(kind) ?? []).slice(0, BATCH + this.schedule.askedInVain);
      this.schedule.supply(
        kind,
        'transactionStatus',
        questions.map((entry) => ({
          paymentId: entry.payment.id,
          operation: 'transactionStatus',
          worth: entry.payment.statusCheckWorth as Worth,
          dueAt: dueAt(entry),
        })),
      );
    }
  }

  private ask(): void {
    for (;;) {
      const next = this.schedule.next(this.now);
      if (!('ask' in next)) return;
      const { paymentId } = next.ask;
      const entry = this.entries.get(paymentId);
      if (!entry) throw new Error('There is no such payment');
      entry.payment = { ...entry.payment, leaseOwner: 'own_1', leaseUntil: this.now + MINUTE };
      entry.questions += 1;
      this.questions += 1;
      this.schedule.sent(paymentId, this.now);
      const meaning = this.hear(entry, this.now);
      this.after(this.latency(), () => {
        this.schedule.result(
          'transactionStatus',
          meaning === undefined ? 'failed' : 'answered',
          this.now,
          paymentId,
        );
        this.schedule.end(paymentId);
        this.take(entry, meaning);
      });
    }
  }

  /** What the service does with an answer, as far as the schedule is concerned. */
  private take(entry: Entry, meaning: GatewayMeaning | undefined): void {
    const before = entry.payment;
    const after = { ...before, leaseOwner: null, leaseUntil: 0 };
    if (meaning !== undefined) after.answeredAt = this.now;
    if (meaning === 'succeeded' && before.status !== 'succeeded') {
      Object.assign(after, { status: 'succeeded', amountCaptured: before.amount, closedAt: this.now });
      if (entry.toldAt !== undefined) this.waits.push(this.now - entry.toldAt);
      delete entry.toldAt;
    }
    if (meaning === 'partiallyRefunded') after.amountRefunded = 1n;
    entry.payment = after;
    const changed = after.status !== before.status;
    const conclusive = meaning !== undefined && meaning !== 'undecided';
    this.plan(entry, { changed, conclusive, scheduled: true, heard: { meaning, scheduled: true } });
    const worth = before.statusCheckWorth as Worth;
    const openMs = this.now - before.createdAt;
    if (!this.recovery.isShownBy({ worth, decided: conclusive, openMs }, this.now)) return;
    for (const { payment } of this.planned) {
      const later = HURRIED.includes(kindOf(payment)) && (payment.nextStatusCheckAt ?? 0) > this.now;
      if (later && payment.leaseOwner === null) payment.nextStatusCheckAt = this.now;
    }
  }
}

function dueAt({ payment }: Entry): number {
  return payment.nextStatusCheckAt ?? Infinity;
}

function kindOf({ statusCheckWorth, status }: PaymentRecord): DueKind {
  const open = status === 'processing' || status === 'requires_action' || status === 'authorized';
  return statusCheckWorth === WORTH.notified && open ? 'awaited' : (statusCheckWorth as Worth);
}

/** Whether it is known that a card that was declined is paid, or that one that was paid was given back in part. */
function hasTurned({ status, failure, amountRefunded }: PaymentRecord): boolean {
  return failure === null ? (amountRefunded ?? 0n) > 0n : status === 'succeeded';
}

/** The part of all durations that is not longer than this. */
function quantile(durations: readonly number[], part: number): number {
  const sorted = [...durations].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Infinity;
}

/**
 * One payment of a healthy shop: most cards are answered at once, a tenth is declined, and four of ten payers take their time at
 * a wallet; one of ten of those never pays. The gateway notifies of all; of a third again and again. One of a hundred notifications tells of what the status
 * query does not say yet, and one of a hundred is false.
 */
function arrive(shop: Shop): void {
  const { random } = shop;
  if (random() < 0.4) arriveByWallet(shop);
  else arriveByCard(shop);
}

function arriveByWallet(shop: Shop): void {
  const entry = shop.add(paymentIn('requires_action', { method: 'wallet' }), 'processing');
  if (shop.random() < 0.1) return;
  shop.after(5 * SECOND + shop.random() * 40 * SECOND, () => {
    entry.says = 'succeeded';
    entry.toldAt = shop.now;
    tellAgain(shop, entry, 'succeeded');
  });
}

function arriveByCard(shop: Shop): void {
  const { random } = shop;
  const declined = random() < 0.1;
  const entry = shop.add(paymentIn(declined ? 'failed' : 'succeeded'), declined ? 'failed' : 'succeeded');
  const fate = random();
  if (fate < 0.02) entry.fate = fate < 0.01 ? 'turns' : 'false';
  shop.after(random() * 2 * SECOND, () => {
    tellAgain(shop, entry, entry.says);
    if (entry.fate === 'false') tellAgain(shop, entry, declined ? 'succeeded' : 'failed');
    if (entry.fate !== 'turns') return;
    const later = declined ? 'succeeded' : 'partiallyRefunded';
    tellAgain(shop, entry, later);
    shop.after(5 * SECOND, () => {
      entry.says = later;
    });
  });
}

function tellAgain(shop: Shop, entry: Entry, claim: NotificationClaim): void {
  shop.tell(entry, claim);
  if (shop.random() > 0.33) return;
  for (const pause of [0, 3 * SECOND, 30 * SECOND])
    shop.after(pause, () => {
      shop.tell(entry, claim);
    });
}

/** So many payments arrive in each second until then. */
function load(shop: Shop, aSecond: number, until: number): void {
  let arrived = 0;
  const from = shop.now;
  shop.run(until, () => {
    for (; arrived < ((shop.now - from) * aSecond) / SECOND; arrived++) arrive(shop);
  });
}

const seconds = (count: number): number => count * SECOND;

describe.each([1, 10, 20, 50])('%i payments a second, each notified, with the default rate', (aSecond) => {
  const shop = new Shop(DEFAULT_RATE);
  const end = madeAt + 2 * MINUTE;
  load(shop, aSecond, end);
  const { mostOverdue, mostDue } = shop;
  shop.run(end + 2 * MINUTE);

  test('one that is known only by its notification is known within seconds', () => {
    expect(shop.waits.length).toBeGreaterThan(20 * aSecond);
    expect(quantile(shop.waits, 0.99)).toBeLessThanOrEqual(seconds(3));
    expect(Math.max(...shop.waits)).toBeLessThanOrEqual(seconds(5));
  });

  test('what was answered and is notified as such, again and again, costs no question', () => {
    const healthy = [...shop.entries.values()].filter(
      ({ payment, fate }) => payment.method === 'card' && fate === 'told',
    );
    expect(healthy.length).toBeGreaterThan(40 * aSecond);
    expect(healthy.filter(({ questions }) => questions > 0)).toEqual([]);
  });

  test('what contradicts is asked about until it is known, what is false five times at most', () => {
    const of = (fate: Fate): Entry[] => [...shop.entries.values()].filter((entry) => entry.fate === fate);
    expect(of('turns').filter(({ payment }) => !hasTurned(payment))).toEqual([]);
    expect(of('turns').length).toBeGreaterThan(0);
    expect(
      Math.max(...[...of('turns'), ...of('false')].map(({ questions }) => questions)),
    ).toBeLessThanOrEqual(5);
  });

  test('nothing is overdue for so long that anybody is paged, and what is due is gone soon after', () => {
    expect(mostOverdue).toBeLessThan(ALERTS_AFTER / 2);
    expect(mostDue.get(WORTH.notified)).toBeLessThanOrEqual(DEFAULT_RATE * 5);
    // They are asked about once in about ten seconds while their payers take their time, as the rate permits.
    expect(mostDue.get(WORTH.waiting)).toBeLessThanOrEqual(20 * aSecond);
    // What the payers who never paid leave is asked about ever more rarely.
    expect(shop.due().length).toBeLessThanOrEqual(DEFAULT_RATE);
  });
});

describe('a gateway that is slow', () => {
  test('does not delay what is known only by notification, at twenty a second, beyond its own time', () => {
    const shop: Shop = new Shop(DEFAULT_RATE, () => 1_500 + shop.random() * seconds(1));
    const end = madeAt + 2 * MINUTE;
    let arrived = 0;
    shop.run(end, () => {
      for (; arrived < ((shop.now - madeAt) * 20) / SECOND; arrived++) arriveByWallet(shop);
    });
    expect(shop.waits.length).toBeGreaterThan(20 * 60);
    // A question that was under way when the notification came is followed by another one.
    expect(quantile(shop.waits, 0.9)).toBeLessThanOrEqual(seconds(5));
    expect(quantile(shop.waits, 0.99)).toBeLessThanOrEqual(seconds(8));
  });
});

describe('false notifications, fifty a second', () => {
  const shop = new Shop(DEFAULT_RATE);
  const paid = Array.from({ length: 400 }, () => shop.add(paymentIn('succeeded'), 'succeeded'));
  const end = madeAt + 2 * MINUTE;
  let sent = 0;
  shop.run(end, () => {
    for (; sent < ((shop.now - madeAt) * 50) / SECOND; sent++) {
      const entry = paid[Math.floor(shop.random() * paid.length)];
      if (entry) shop.tell(entry, 'failed', `failed ${sent}`);
    }
    if ((shop.now - madeAt) % SECOND === 0) arriveByWallet(shop);
  });

  test('delay nothing that is open', () => {
    expect(shop.waits.length).toBeGreaterThan(60);
    expect(Math.max(...shop.waits)).toBeLessThanOrEqual(seconds(5));
  });

  test('are asked about at the rate, a few times each, and then no more', () => {
    expect(shop.mostDue.get(WORTH.notified)).toBeLessThanOrEqual(paid.length);
    shop.run(end + 15 * MINUTE);
    expect(shop.due()).toEqual([]);
    expect(paid.filter(({ payment }) => payment.nextStatusCheckAt !== null)).toEqual([]);
    expect(Math.max(...paid.map(({ questions }) => questions))).toBeLessThanOrEqual(10);
  });
});

describe('eight hundred payments of unknown outcome after an outage', () => {
  test.each<[string, GatewayMeaning | undefined, number, number]>([
    ['in which no query was answered', undefined, 2, DEFAULT_RATE],
    ['in which no query was answered', undefined, 10, DEFAULT_RATE],
    ['in which no answer decided anything', 'undecided', 2, DEFAULT_RATE],
    ['in which no answer decided anything', 'undecided', 10, DEFAULT_RATE],
    ['in which no answer decided anything', 'undecided', 10, 40],
  ])(
    '%s (%s, %i minutes, rate %i) are known within twice the time that the rate needs',
    (_, during, minutes, rate) => {
      const back = madeAt + minutes * MINUTE;
      const shop: Shop = new Shop(
        rate,
        () => (during === undefined && shop.now < back ? seconds(5) : 200),
        ({ says }, now) => (now < back ? during : says),
      );
      let lost = 0;
      shop.run(back, () => {
        for (; lost < 800 && (shop.now - madeAt) * 20 > lost * SECOND; lost++) {
          shop.add(paymentIn('processing'), 'succeeded');
        }
      });
      shop.run(back + (2 * 800 * SECOND) / rate);
      const known = [...shop.entries.values()].filter(({ payment }) => payment.status === 'succeeded');
      expect(known).toHaveLength(800);
    },
  );
});
