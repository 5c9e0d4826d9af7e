import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  QuestionSchedule,
  STATUS_QUERIES,
  type DueKind,
  type Question,
  type StatusQuery,
} from './question-schedule.js';
import { WORTH, WORTHS, type Worth } from './worth.js';

/**
 * The schedule with a virtual clock, a store of payments that are due, and a gateway that behaves as the test says.
 */

const SECOND = 1_000;
const BATCH = 32;

/** What the gateway does with a question about a payment that arrives at `now`: how long it takes, and what comes of it. */
type Gateway = (
  now: number,
  operation: StatusQuery,
  paymentId: string,
) => { after: number; result: 'answered' | 'failed' | { retryAfter: number | undefined } };

const quick: Gateway = () => ({ after: 20, result: 'answered' });

interface Ended {
  at: number;
  question: Question;
  result: ReturnType<Gateway>['result'];
}

class Simulation {
  readonly schedule: QuestionSchedule;
  now = 0;
  readonly sent: { at: number; question: Question; paused: boolean }[] = [];
  readonly answered: { at: number; question: Question }[] = [];
  /** What is due, by worth and operation, the longest due first. */
  private readonly due = new Map<string, Question[]>();
  private running: Ended[] = [];

  constructor(
    limit: number,
    public gateway: Gateway = quick,
    /** A question that was not answered is due again after this. */
    private readonly again = 30 * SECOND,
  ) {
    this.schedule = new QuestionSchedule(limit);
  }

  add(count: number, worth: Worth, operation: StatusQuery = 'transactionStatus', name = 'old'): void {
    const list = this.listOf(worth, operation);
    for (let index = 0; index < count; index++) {
      const paymentId = `${name}-${worth}-${operation}-${this.now}-${index}`;
      list.push({ paymentId, operation, worth, dueAt: this.now });
    }
  }

  fresh(paymentId: string, operation: StatusQuery = 'transactionStatus', first = true): void {
    this.schedule.addFresh({ paymentId, operation, worth: WORTH.unknown, dueAt: this.now + SECOND, first });
  }

  /** Somebody waits for this one. */
  await(paymentId: string): void {
    this.one('awaited', paymentId);
  }

  /** A payment of this kind is due now. */
  one(kind: DueKind | 'fresh', paymentId: string): void {
    if (kind === 'fresh') {
      this.schedule.addFresh({ ...this.question(paymentId, WORTH.unknown), first: true });
      return;
    }
    const worth = kind === 'awaited' ? WORTH.notified : kind;
    this.listOf(kind, 'transactionStatus').push(this.question(paymentId, worth));
  }

  private question(paymentId: string, worth: Worth): Question {
    return { paymentId, operation: 'transactionStatus', worth, dueAt: this.now };
  }

  /** Runs until this time, in steps of 20 ms. */
  run(until: number, each: (now: number) => void = () => undefined): void {
    while (this.now < until) {
      each(this.now);
      this.fetch();
      this.end();
      this.ask();
      this.now += 20;
    }
  }

  /** When questions about this kind of payment were sent. */
  timesOf(like: (question: Question) => boolean): number[] {
    return this.sent.filter(({ question }) => like(question)).map(({ at }) => at);
  }

  /** The most questions in any second. */
  mostInAnySecond(): number {
    const times = this.sent.map(({ at }) => at);
    let first = 0;
    return times.reduce((most, at, index) => {
      while ((times[first] ?? at) <= at - SECOND) first += 1;
      return Math.max(most, index - first + 1);
    }, 0);
  }

  private listOf(kind: DueKind, operation: StatusQuery): Question[] {
    const key = `${kind} ${operation}`;
    const list = this.due.get(key) ?? [];
    this.due.set(key, list);
    return list;
  }

  /** The lists in which a payment is, or was when it was asked about. */
  private readonly listed = new Map<string, Question[]>();

  private fetch(): void {
    for (const kind of [...WORTHS, 'awaited'] as const) {
      for (const operation of STATUS_QUERIES) {
        if (this.schedule.waiting(kind, operation) >= 8) continue;
        const list = this.listOf(kind, operation)
          .filter(({ dueAt }) => dueAt <= this.now)
          .sort((one, other) => one.dueAt - other.dueAt);
        this.schedule.supply(kind, operation, list.slice(0, BATCH + this.schedule.askedInVain));
      }
    }
  }

  private ask(): void {
    for (;;) {
      const next = this.schedule.next(this.now);
      if (!('ask' in next)) return;
      const question = next.ask;
      for (const list of this.due.values()) {
        const index = list.findIndex(({ paymentId }) => paymentId === question.paymentId);
        if (index < 0) continue;
        list.splice(index, 1);
        this.listed.set(question.paymentId, list);
      }
      this.schedule.sent(question.paymentId, this.now);
      this.sent.push({ at: this.now, question, paused: this.now < this.schedule.rate.pausedUntil });
      const { after, result } = this.gateway(this.now, question.operation, question.paymentId);
      this.running.push({ at: this.now + after, question, result });
    }
  }

  private end(): void {
    const ended = this.running.filter(({ at }) => at <= this.now);
    this.running = this.running.filter(({ at }) => at > this.now);
    for (const { question, result } of ended) {
      if (typeof result === 'object') this.schedule.rate.busy(this.now, result.retryAfter);
      else this.schedule.result(question.operation, result, this.now, question.paymentId);
      this.schedule.end(question.paymentId);
      if (result === 'answered') this.answered.push({ at: this.now, question });
      else {
        const list = this.listed.get(question.paymentId) ?? this.listOf(question.worth, question.operation);
        list.push({ ...question, dueAt: this.now + this.again });
      }
    }
  }
}

const rates = fc.integer({ min: 1, max: 50 });
const worths = fc.constantFrom(...WORTHS);

describe('the rate', () => {
  test('is never exceeded in any second, whatever comes and however the gateway behaves', () => {
    const wave = fc.record({
      at: fc.integer({ min: 0, max: 20 * SECOND }),
      count: fc.integer({ min: 1, max: 300 }),
      worth: worths,
      operation: fc.constantFrom(...STATUS_QUERIES),
    });
    fc.assert(
      fc.property(
        rates,
        fc.array(wave, { maxLength: 12 }),
        fc.integer({ min: 1, max: 9_000 }),
        fc.constantFrom<'answered' | 'failed'>('answered', 'failed'),
        (rate, waves, after, result) => {
          const world = new Simulation(rate, () => ({ after, result }));
          world.run(30 * SECOND, (now) => {
            for (const { at, count, worth, operation } of waves) {
              if (Math.floor(at / 20) * 20 === now) world.add(count, worth, operation);
            }
          });
          expect(world.mostInAnySecond()).toBeLessThanOrEqual(rate);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('is used whole while there is something to ask, whatever it is', () => {
    fc.assert(
      fc.property(rates, worths, (rate, worth) => {
        const world = new Simulation(rate);
        world.add(rate * 20, worth);
        world.run(10 * SECOND);
        expect(world.sent.length).toBeGreaterThanOrEqual(Math.floor((rate * 10) / 1.13) - 1);
      }),
      { numRuns: 12 },
    );
  });

  test('0 is no limit', () => {
    const world = new Simulation(0);
    world.add(1_000, WORTH.waiting);
    world.run(3 * SECOND);
    expect(world.answered).toHaveLength(1_000);
  });

  test('of the questions that nobody waits for loses nothing to those that somebody waits for', () => {
    const world = new Simulation(20);
    world.add(5_000, WORTH.waiting);
    world.run(20 * SECOND, (now) => {
      for (let each = 0; each < 5; each++) world.schedule.rate.place(now)?.sent(now);
    });
    // A window is a little longer than a second.
    expect(world.sent.length).toBeGreaterThanOrEqual(20 * 17);
    expect(world.mostInAnySecond()).toBeLessThanOrEqual(20);
  });

  test('of what somebody waits for is ten times as high, for payers and the schedule together', () => {
    const world = new Simulation(5);
    const payers: number[] = [];
    for (let each = 0; each < 1_000; each++) world.await(`awaited-${each}`);
    world.add(500, WORTH.notified);
    world.run(10 * SECOND, (now) => {
      const place = now % 100 === 0 ? world.schedule.rate.place(now) : undefined;
      place?.sent(now);
      if (place) payers.push(now);
    });
    const awaited = world.timesOf(({ paymentId }) => paymentId.startsWith('awaited'));
    const most = [...awaited, ...payers].sort((one, other) => one - other);
    for (const from of most)
      expect(most.filter((at) => at >= from && at < from + SECOND).length).toBeLessThanOrEqual(50);
    expect(awaited.length).toBeGreaterThanOrEqual(8 * 35);
    // And the others have their own rate.
    expect(world.sent.length - awaited.length).toBeGreaterThanOrEqual(5 * 8);
    expect(world.sent.length - awaited.length).toBeLessThanOrEqual(5 * 11);
  });

  test('a place that is not used goes to another question', () => {
    const schedule = new QuestionSchedule(1);
    const question = (paymentId: string): Question => ({
      paymentId,
      operation: 'transactionStatus',
      worth: WORTH.waiting,
      dueAt: 0,
    });
    schedule.supply(WORTH.waiting, 'transactionStatus', [question('one'), question('two')]);
    expect(schedule.next(0)).toEqual({ ask: question('one') });
    // It counts until it is known to be sent or not.
    expect(schedule.next(60_000)).toEqual({ at: Infinity });
    schedule.end('one');
    expect(schedule.next(60_000)).toEqual({ ask: question('two') });
  });
});

describe('ten thousand open payments that are due', () => {
  const crowd = (rate: number, worth: Worth): Simulation => {
    const world = new Simulation(rate);
    world.add(5_000, worth);
    world.add(5_000, worth, 'transferUssdStatus');
    return world;
  };

  test('a fresh unknown one is asked about within 5 s, at any rate, whatever the others are worth', () => {
    fc.assert(
      fc.property(rates, worths, fc.integer({ min: 0, max: 200 }), (rate, worth, step) => {
        const world = crowd(rate, worth);
        const at = 5 * SECOND + step * 20;
        world.run(at + 6 * SECOND, (now) => {
          if (now === at) world.fresh('fresh');
        });
        const [asked = Infinity] = world.timesOf(({ paymentId }) => paymentId === 'fresh');
        expect(asked - at).toBeLessThanOrEqual(5 * SECOND);
        expect(asked - at).toBeGreaterThanOrEqual(SECOND);
      }),
      { numRuns: 20 },
    );
  });

  test('a fresh one of either operation, even if all ten thousand of every worth are due', () => {
    const world = new Simulation(1);
    for (const worth of WORTHS) {
      world.add(2_500, worth);
      world.add(2_500, worth, 'transferUssdStatus');
    }
    world.run(26 * SECOND, (now) => {
      if (now === 20 * SECOND) world.fresh('fresh', 'transferUssdStatus');
    });
    const [asked = Infinity] = world.timesOf(({ paymentId }) => paymentId === 'fresh');
    expect(asked - 20 * SECOND).toBeLessThanOrEqual(5 * SECOND);
  });

  test('a crowd that is asked again and again keeps no fresh one waiting', () => {
    fc.assert(
      fc.property(rates, (rate) => {
        const world = crowd(rate, WORTH.unknown);
        let seen = 0;
        world.run(26 * SECOND, (now) => {
          // Whatever was asked without success is fresh again, but not asked for the first time.
          for (; seen < world.sent.length; seen++) {
            const id = world.sent[seen]?.question.paymentId ?? '';
            if (id !== 'fresh') world.fresh(id, 'transactionStatus', false);
          }
          if (now === 20 * SECOND) world.fresh('fresh');
        });
        const [asked = Infinity] = world.timesOf(({ paymentId }) => paymentId === 'fresh');
        expect(asked - 20 * SECOND).toBeLessThanOrEqual(5 * SECOND);
      }),
      { numRuns: 10 },
    );
  });

  test('after an outage has left many fresh ones the newest is asked about first', () => {
    const world = crowd(2, WORTH.unknown);
    for (let left = 0; left < 500; left++) world.fresh(`left-${left}`);
    world.run(10 * SECOND);
    world.fresh('fresh');
    world.run(14 * SECOND);
    const [asked = Infinity] = world.timesOf(({ paymentId }) => paymentId === 'fresh');
    expect(asked - 10 * SECOND).toBeLessThanOrEqual(4 * SECOND);
  });
});

describe('shares', () => {
  test('no kind starves while all others are flooded; the most urgent gets the most', () => {
    fc.assert(
      fc.property(rates, (rate) => {
        const world = new Simulation(rate);
        for (const worth of WORTHS) for (const operation of STATUS_QUERIES) world.add(200, worth, operation);
        const seconds = Math.ceil(200 / rate);
        world.run(seconds * SECOND);
        const counts = WORTHS.map((worth) => world.timesOf((question) => question.worth === worth).length);
        const total = counts.reduce((sum, count) => sum + count, 0);
        const [unknown = 0, notified = 0, waiting = 0, followUp = 0] = counts;
        expect(unknown).toBeGreaterThanOrEqual(waiting);
        expect(notified).toBeGreaterThanOrEqual(waiting);
        expect(waiting).toBeGreaterThanOrEqual(followUp);
        // A follow-up has one part of sixteen.
        expect(followUp).toBeGreaterThanOrEqual(Math.floor(total / 16) - 2);
        for (const worth of WORTHS) {
          const times = world.timesOf((question) => question.worth === worth);
          const waits = times.map((at, index) => at - (times[index - 1] ?? 0));
          // Between two of its questions every other one has its share of the rate, for each operation.
          expect(Math.max(...waits)).toBeLessThanOrEqual(2_000 + (34 * 1_130) / rate);
        }
      }),
      { numRuns: 8 },
    );
  });

  test('a kind that was idle does not make up for it', () => {
    const world = new Simulation(10);
    world.add(5_000, WORTH.waiting);
    world.run(60 * SECOND);
    world.add(5_000, WORTH.unknown);
    world.run(70 * SECOND);
    const waiting = world.timesOf(({ worth, dueAt }) => worth === WORTH.waiting && dueAt === 0);
    expect(waiting.filter((at) => at >= 60 * SECOND).length).toBeGreaterThanOrEqual(25);
  });

  test('fifty notifications, and a flood of a thousand, keep nobody waiting but each other', () => {
    const world = new Simulation(10);
    world.add(1_000, WORTH.notified);
    world.run(SECOND);
    world.add(1, WORTH.unknown, 'transactionStatus', 'one');
    world.add(1, WORTH.waiting, 'transactionStatus', 'one');
    world.add(1, WORTH.followUp, 'transactionStatus', 'one');
    world.run(5 * SECOND);
    expect(world.timesOf(({ paymentId }) => paymentId.startsWith('one'))).toHaveLength(3);
  });
});

describe('an operation that hangs or fails', () => {
  const hanging =
    (operation: StatusQuery, until: number): Gateway =>
    (now, asked, id) =>
      asked === operation && now < until ? { after: 30 * SECOND, result: 'failed' } : quick(now, asked, id);

  test('delays no question of the other, and occupies few slots', () => {
    fc.assert(
      fc.property(rates, fc.constantFrom(...STATUS_QUERIES), worths, (rate, hangs, worth) => {
        const other = STATUS_QUERIES.find((each) => each !== hangs) ?? hangs;
        const world = new Simulation(rate, hanging(hangs, Infinity));
        world.add(5_000, worth, hangs);
        world.run(5 * SECOND);
        world.add(rate * 20, worth, other);
        world.run(15 * SECOND);
        const times = world.timesOf(({ operation }) => operation === other);
        expect((times[0] ?? Infinity) - 5 * SECOND).toBeLessThanOrEqual((3 * 1_110) / rate + 1_100);
        // The whole rate is theirs, apart from the probes.
        expect(times.length).toBeGreaterThanOrEqual(Math.floor(8 * rate) - 12);
        const probes = world.timesOf(({ operation, dueAt }) => operation === hangs && dueAt === 0);
        expect(probes.length).toBeLessThanOrEqual(20);
      }),
      { numRuns: 12 },
    );
  });

  test('is only probed while it fails, and recovers without a burst', () => {
    const outage = 300 * SECOND;
    fc.assert(
      fc.property(rates, (rate) => {
        const world = new Simulation(rate, (now) => ({
          after: 20,
          result: now < outage ? 'failed' : 'answered',
        }));
        world.add(500, WORTH.unknown);
        world.add(500, WORTH.waiting, 'transferUssdStatus');
        world.run(outage);
        // Two operations, a probe every five seconds each, and a few before that was found out.
        expect(world.sent.length).toBeLessThanOrEqual(2 * (300 / 5) + 40);
        const before = world.answered.length;
        world.run(outage + 8 * SECOND);
        expect(world.answered.length - before).toBeGreaterThan(0);
        world.run(outage + 30 * SECOND);
        expect(world.mostInAnySecond()).toBeLessThanOrEqual(rate);
        expect(world.schedule.circuitState('transactionStatus')).toBe('closed');
        expect(world.schedule.circuitState('transferUssdStatus')).toBe('closed');
        expect(world.answered.length).toBeGreaterThanOrEqual(Math.min(1_000, rate * 20));
      }),
      { numRuns: 4 },
    );
  });

  test('for fifty payments alone keeps nobody else waiting, neither of their kind nor of another', () => {
    const kinds = [...WORTHS, 'awaited'] as const;
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom(...kinds),
        fc.constantFrom<DueKind | 'fresh'>(...kinds, 'fresh'),
        fc.constantFrom(20, 400, 30 * SECOND),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 100 }),
        (rate, count, ofThem, ofIt, after, again, later) => {
          // So many that hang take all slots of a kind that nobody waits for, until they end.
          fc.pre(after < 30 * SECOND || ofThem === 'awaited' || ofThem !== ofIt);
          const poor = /^poor/;
          const world = new Simulation(
            rate,
            (_, __, id) => (poor.test(id) ? { after, result: 'failed' } : { after: 20, result: 'answered' }),
            again * SECOND,
          );
          for (let each = 0; each < count; each++) world.one(ofThem, `poor-${each}`);
          const tried = (): number => new Set(world.sent.map(({ question }) => question.paymentId)).size;
          while (ofThem === ofIt && tried() < count) world.run(world.now + SECOND);
          world.run(world.now + later * 200);
          const came = world.now;
          world.one(ofIt, 'other');
          world.run(came + 10 * SECOND);
          const [asked = Infinity] = world.timesOf(({ paymentId }) => paymentId === 'other');
          expect(asked - came).toBeLessThanOrEqual(5 * SECOND);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('for fifty payments alone, while others are answered, keeps these not even for a probe’s time', () => {
    const world = new Simulation(
      20,
      (_, __, id) => ({ after: 20, result: id.startsWith('poor') ? 'failed' : 'answered' }),
      2 * SECOND,
    );
    for (let each = 0; each < 50; each++) world.one('awaited', `poor-${each}`);
    world.run(5 * SECOND);
    const came: number[] = [];
    world.run(60 * SECOND, (now) => {
      if (now % SECOND !== 0) return;
      world.one(now % 2_000 === 0 ? 'awaited' : WORTH.notified, `other-${now}`);
      came.push(now);
    });
    const asked = came.map(
      (at) => world.timesOf(({ paymentId }) => paymentId === `other-${at}`)[0] ?? Infinity,
    );
    // The first one shows that the operation works. From then on nobody waits.
    const waits = asked.map((at, index) => at - (came[index] ?? 0));
    expect(Math.max(...waits)).toBeLessThanOrEqual(5 * SECOND);
    expect(Math.max(...waits.slice(10))).toBeLessThanOrEqual(SECOND / 10);
  });

  test('an answer to a payer closes the circuit', () => {
    const schedule = new QuestionSchedule(10);
    for (let failure = 0; failure < 5; failure++)
      schedule.result('transactionStatus', 'failed', 0, `pay_${failure}`);
    expect(schedule.circuitState('transactionStatus')).toBe('open');
    expect(schedule.circuitState('transferUssdStatus')).toBe('closed');
    schedule.result('transactionStatus', 'answered', 100, 'another');
    expect(schedule.circuitState('transactionStatus')).toBe('closed');
  });

  test('failures with answers between them open nothing', () => {
    const schedule = new QuestionSchedule(10);
    for (let failure = 0; failure < 50; failure++) {
      schedule.result('transactionStatus', 'failed', failure, `pay_${failure}`);
      if (failure % 4 === 3) schedule.result('transactionStatus', 'answered', failure, 'another');
    }
    expect(schedule.circuitState('transactionStatus')).toBe('closed');
  });
});

describe('a gateway that answers 429', () => {
  test('is asked nothing until the time that it names, and then at one a second, doubling', () => {
    const world = new Simulation(50, (now) =>
      now < SECOND ? { after: 20, result: { retryAfter: 30 } } : { after: 20, result: 'answered' },
    );
    world.add(2_000, WORTH.waiting);
    world.run(45 * SECOND);
    const times = world.sent.map(({ at }) => at);
    const first = times.filter((at) => at < SECOND);
    expect(first.length).toBeLessThanOrEqual(10);
    const after = times.filter((at) => at >= SECOND);
    expect(Math.min(...after)).toBeGreaterThanOrEqual(30 * SECOND);
    expect(Math.min(...after)).toBeLessThanOrEqual(31 * SECOND + 100);
    const resumed = Math.min(...after);
    const within = (seconds: number): number => after.filter((at) => at < resumed + seconds * SECOND).length;
    expect(within(1)).toBeLessThanOrEqual(2);
    expect(within(3)).toBeLessThanOrEqual(8);
    expect(within(12)).toBeGreaterThan(100);
  });

  test('again and again, and without a time, is asked ever more rarely', () => {
    const world = new Simulation(50, () => ({ after: 20, result: { retryAfter: undefined } }), SECOND);
    world.add(2_000, WORTH.waiting);
    world.run(1_200 * SECOND);
    // After 5, 10, 20 … 300 s, a few each time.
    expect(world.sent.length).toBeLessThanOrEqual(40);
  });

  test('is asked nothing that the schedule has for those who wait either, and one question a second for payers', () => {
    const world = new Simulation(50);
    for (let each = 0; each < 1_000; each++) world.await(`awaited-${each}`);
    world.schedule.rate.busy(0, 30);
    const payers: number[] = [];
    world.run(29 * SECOND, (now) => {
      const place = world.schedule.rate.place(now);
      place?.sent(now);
      if (place) payers.push(now);
    });
    expect(world.sent).toEqual([]);
    expect(payers.length).toBeGreaterThanOrEqual(20);
    expect(payers.length).toBeLessThanOrEqual(29);
    // Only what no stored state can answer is asked anyhow, as a cancellation.
    expect(world.schedule.rate.place(29 * SECOND)).toBeUndefined();
    expect(world.schedule.rate.place(29 * SECOND, { anyhow: true })).toBeDefined();
  });

  test('for longer than an hour is asked after an hour', () => {
    const { rate } = new QuestionSchedule(10);
    rate.busy(0, 86_400);
    expect(rate.pausedUntil).toBe(3_600 * SECOND);
    rate.busy(10, 1);
    expect(rate.pausedUntil).toBe(3_600 * SECOND);
  });

  test('a storm of 429 with all sorts of times: nothing is asked in any pause, and all is asked in the end', () => {
    const times = fc.option(fc.integer({ min: 0, max: 10 }), { nil: undefined });
    fc.assert(
      fc.property(rates, fc.array(times, { maxLength: 5 }), (rate, storm) => {
        const pauses = [...storm];
        const gateway: Gateway = () => ({
          after: 10,
          result: pauses.length > 0 ? { retryAfter: pauses.shift() } : 'answered',
        });
        const world = new Simulation(rate, gateway, SECOND);
        world.add(100, WORTH.unknown);
        while (world.answered.length < 100 && world.now < 300 * SECOND) world.run(world.now + SECOND);
        expect(world.answered).toHaveLength(100);
        expect(world.sent.filter(({ paused }) => paused)).toEqual([]);
        expect(world.mostInAnySecond()).toBeLessThanOrEqual(rate);
      }),
      { numRuns: 10 },
    );
  });
});
