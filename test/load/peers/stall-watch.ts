import { writeFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';

/** What one kind of work on the main thread came to. Times are in milliseconds. */
export interface WorkFigures {
  count: number;
  /** All of them together. */
  wall: number;
  /** What the thread itself worked meanwhile; the rest of `wall` it waited, for a disk or for a core. */
  cpu: number;
  p99: number;
  max: number;
}

/** A stretch in which the event loop did not turn. */
export interface Stall {
  ms: number;
  cpuMs: number;
  /** Milliseconds by kind of work, as far as it is watched. */
  work: Record<string, number>;
}

/** What was seen, as it is written into the file. */
export interface StallFigures {
  seconds: number;
  work: Record<string, WorkFigures>;
  stalls: Stall[];
}

/** How often the loop says that it lives, and from which delay on it stood still. */
const BEAT_MS = 2;
const STALLED_MS = 8;

interface Span {
  at: number;
  wall: number;
  cpu: number;
}

const spans = new Map<string, Span[]>();
const stalls: Stall[] = [];
let begunAt = 0;
let beat: NodeJS.Timeout | undefined;
let garbage: PerformanceObserver | undefined;

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function note(kind: string, span: Span): void {
  const known = spans.get(kind);
  if (known) known.push(span);
  else spans.set(kind, [span]);
}

/** Replaces a method by one that notes how long each call took. */
function watch<O extends object>(object: O, name: keyof O & string, kind: (first: unknown) => string): void {
  const original = object[name] as (...values: unknown[]) => unknown;
  const watched = function (this: unknown, ...values: unknown[]): unknown {
    const cpu = threadMs();
    const at = performance.now();
    try {
      return original.apply(this, values);
    } finally {
      note(kind(values[0]), { at, wall: performance.now() - at, cpu: threadMs() - cpu });
    }
  };
  Object.defineProperty(object, name, { value: watched, configurable: true, writable: true });
}

/**
 * Watches the main thread of this process from now on: the statements and commits of SQLite, JSON, garbage collection, and how late the event
 * loop is. Watching costs a little itself, so it is for looking, not for figures.
 */
export async function beginWatch(): Promise<void> {
  const { DatabaseSync, StatementSync } = await import('node:sqlite');
  const database = DatabaseSync.prototype;
  const statement = StatementSync.prototype;
  watch(database, 'exec', (text) => `sqlite ${String(text).split(' ')[0] ?? ''}`);
  for (const name of ['run', 'get', 'all'] as const) watch(statement, name, () => 'sqlite statement');
  watch(JSON, 'parse', () => 'json');
  watch(JSON, 'stringify', () => 'json');
  garbage = new PerformanceObserver((list) => {
    for (const { startTime, duration, detail } of list.getEntries() as (PerformanceEntry & {
      detail: unknown;
    })[]) {
      const { kind } = detail as { kind: number };
      note(kind === 1 ? 'gc, young' : 'gc, old', { at: startTime, wall: duration, cpu: duration });
    }
  });
  garbage.observe({ entryTypes: ['gc'] });
  begunAt = performance.now();
  let last = begunAt;
  let lastCpu = threadMs();
  beat = setInterval(() => {
    const now = performance.now();
    const cpu = threadMs();
    if (now - last > BEAT_MS + STALLED_MS)
      stalls.push({ ms: now - last, cpuMs: cpu - lastCpu, work: { from: last } });
    last = now;
    lastCpu = cpu;
  }, BEAT_MS);
}

/** Writes what was seen since. */
export function endWatch(file: string): void {
  clearInterval(beat);
  garbage?.disconnect();
  const work = Object.fromEntries([...spans].map(([kind, all]) => [kind, figures(all)]));
  const figured: StallFigures = {
    seconds: (performance.now() - begunAt) / 1000,
    work,
    stalls: stalls.map((stall) => ({ ...stall, work: workWithin(stall.work['from'] ?? 0, stall.ms) })),
  };
  writeFileSync(file, JSON.stringify(figured));
}

function figures(all: readonly Span[]): WorkFigures {
  const walls = all.map(({ wall }) => wall).sort((a, b) => a - b);
  const sum = (of: (span: Span) => number): number => all.reduce((total, span) => total + of(span), 0);
  return {
    count: all.length,
    wall: sum(({ wall }) => wall),
    cpu: sum(({ cpu }) => cpu),
    p99: walls[Math.floor(walls.length * 0.99)] ?? 0,
    max: walls.at(-1) ?? 0,
  };
}

function workWithin(from: number, ms: number): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [kind, all] of spans) {
    const within = all.filter(({ at }) => at >= from && at < from + ms);
    const total = within.reduce((sum, { wall }) => sum + wall, 0);
    if (total >= 0.5) found[kind] = total;
  }
  return found;
}
