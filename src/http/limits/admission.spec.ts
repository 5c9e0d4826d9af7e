import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Admission, type Admitted, type Load } from './admission.js';

/** A service that begins `capacity` payments a second, one after the other, and what came of those who asked. */
class Service {
  readonly admission = new Admission();
  readonly waits: { at: number; waited: number }[] = [];
  readonly refused: Record<Load, number> = { start: 0, step: 0 };
  readonly asked: Record<Load, number> = { start: 0, step: 0 };
  longestLine = 0;
  #line: Admitted[] = [];
  #now = 0;
  #credit = 0;

  constructor(private capacity: number) {}

  /** Lets milliseconds pass in which so many a second ask. The service stands still while `stalled`. */
  run(ms: number, perSecond: { start?: number; step?: number }, { stalled = false } = {}): this {
    const due = { start: 0, step: 0 };
    for (let tick = 0; tick < ms; tick++) {
      this.#now++;
      for (const load of ['start', 'step'] as const) {
        for (due[load] += (perSecond[load] ?? 0) / 1000; due[load] >= 1; due[load]--) this.ask(load);
      }
      if (!stalled) this.#work();
    }
    return this;
  }

  ask(load: Load): boolean {
    this.asked[load]++;
    const admitted = this.admission.admit(load, this.#now);
    if (!admitted) {
      this.refused[load]++;
      return false;
    }
    this.#line.push(admitted);
    this.longestLine = Math.max(this.longestLine, this.#line.length);
    return true;
  }

  becomes(capacity: number): this {
    this.capacity = capacity;
    return this;
  }

  #work(): void {
    for (this.#credit += this.capacity / 1000; this.#credit >= 1; this.#credit--) {
      const next = this.#line.shift();
      if (!next) {
        this.#credit = 0;
        return;
      }
      this.waits.push({ at: next.at, waited: this.#now - next.at });
      this.admission.passed(next, this.#now);
      this.admission.ended(next);
    }
  }
}

describe('at light load nobody is refused', () => {
  test.each([
    [10, 5],
    [100, 90],
    [1_000, 900],
    [5_000, 4_800],
  ])('a service of %i a second, %i asked', (capacity, perSecond) => {
    const service = new Service(capacity).run(60_000, { start: perSecond * 0.8, step: perSecond * 0.2 });
    expect(service.refused).toEqual({ start: 0, step: 0 });
  });

  test('also where the disk now and then stands still for a second', () => {
    const service = new Service(1_000);
    for (let time = 0; time < 30; time++)
      service.run(4_000, { start: 30 }).run(1_000, { start: 30 }, { stalled: true });
    expect(service.refused.start).toBe(0);
  });

  test('also where two hundred come at once', () => {
    const service = new Service(500).run(1_000, { start: 10 });
    for (let each = 0; each < 200; each++) expect(service.ask('start')).toBe(true);
  });
});

describe('above what it can do', () => {
  test.each([
    [50, 100],
    [200, 1_000],
    [400, 600],
    [1_500, 20_000],
  ])('a service of %i a second, %i asked: it does all it can, and in time', (capacity, perSecond) => {
    const service = new Service(capacity).run(60_000, { start: perSecond });
    const settled = service.waits.filter(({ at }) => at > 20_000);
    expect(Math.max(...settled.map(({ waited }) => waited))).toBeLessThan(2_500);
    expect(service.waits.length).toBeGreaterThan(capacity * 60 * 0.9);
    expect(service.refused.start).toBeGreaterThan((perSecond - capacity) * 60 * 0.8);
  });

  test('from the first moment on it takes no more than may wait', () => {
    const service = new Service(100);
    for (let each = 0; each < 10_000; each++) service.ask('start');
    expect(service.longestLine).toBe(256);
  });

  test('nothing more is let in while the line stands still', () => {
    const service = new Service(1_000).run(2_000, { start: 500 });
    service.run(3_000, { start: 100 }, { stalled: true });
    expect(service.refused.start).toBeGreaterThan(0);
    const lineOf = ({ asked, refused }: Service): number => asked.start - refused.start;
    const before = lineOf(service);
    service.run(10_000, { start: 100 }, { stalled: true });
    expect(lineOf(service)).toBe(before);
    // And as soon as it moves again, it takes them.
    service.run(5_000, { start: 100 });
    expect(lineOf(service)).toBeGreaterThan(before + 400);
  });

  test('steps of payments that there are are refused last', () => {
    const service = new Service(300).run(60_000, { start: 2_000, step: 100 });
    expect(service.refused.start).toBeGreaterThan(60_000);
    expect(service.refused.step).toBe(0);
  });

  test('steps alone do not grow without end either', () => {
    const service = new Service(100).run(60_000, { step: 5_000 });
    expect(service.refused.step).toBeGreaterThan(200_000);
    expect(service.longestLine).toBeLessThanOrEqual(4 * 256);
  });

  test('a service that has become slower shortens its line, and one that recovers takes as much as before', () => {
    const service = new Service(2_000).run(10_000, { start: 1_900 });
    expect(service.refused.start).toBe(0);
    service.becomes(100).run(20_000, { start: 1_900 });
    expect(service.admission.limit).toBeLessThan(100);
    service.becomes(2_000).run(30_000, { start: 1_900 });
    const { start: refused } = service.refused;
    expect(service.run(10_000, { start: 1_900 }).refused.start).toBe(refused);
  });
});

test('who waits for the gateway does not wait in line, but is counted among all', () => {
  const admission = new Admission();
  const all: Admitted[] = [];
  for (let each = 0; each < 4_096; each++) {
    const admitted = admission.admit('start', each);
    if (!admitted) throw new Error(`refused after ${each}`);
    admission.passed(admitted, each);
    all.push(admitted);
  }
  expect(admission.waiting).toBe(0);
  expect(admission.admit('start', 5_000)).toBeUndefined();
  expect(admission.admit('step', 5_000)).toBeDefined();
  for (const one of all) admission.ended(one);
  expect(admission.admit('start', 5_001)).toBeDefined();
});

test('whatever happens in whatever order, nothing is counted that is over, and never more than allowed is let in', () => {
  const step = fc.record({
    what: fc.constantFrom('start', 'step', 'pass', 'end'),
    which: fc.nat(50),
    after: fc.integer({ min: 0, max: 3_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const admission = new Admission();
      const open: Admitted[] = [];
      let now = 0;
      for (const { what, which, after } of steps) {
        now += after;
        const one = open[which % Math.max(1, open.length)];
        if (what === 'start' || what === 'step') {
          const admitted = admission.admit(what, now);
          if (admitted) open.push(admitted);
        } else if (what === 'pass' && one) admission.passed(one, now);
        else if (one) {
          admission.ended(one);
          open.splice(open.indexOf(one), 1);
        }
        expect(admission.waiting).toBe(open.filter(({ passed }) => !passed).length);
        expect(admission.limit).toBeGreaterThanOrEqual(64);
        expect(admission.limit).toBeLessThanOrEqual(2_048);
      }
      for (const one of open) admission.ended(one);
      expect(admission.waiting).toBe(0);
      expect(admission.admit('start', now)).toBeDefined();
    }),
  );
});
