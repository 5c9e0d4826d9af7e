import { createRequire, syncBuiltinESMExports } from 'node:module';

/**
 * A clock of its own for one process: faster than the real one, so that leases, backoffs and grace periods of a trial
 * take a fraction of a second, and movable. Everything that tells or measures time follows it: the order in which
 * things become due stays as it is.
 */
export interface ClockSettings {
  /** The real moment from which on the clock runs at `speed`, in milliseconds since the epoch. */
  since: number;
  speed: number;
  /** How far this machine's clock is off, in milliseconds. */
  offset: number;
}

type Timers = typeof import('node:timers');
type TimerPromises = typeof import('node:timers/promises');

/** Installs it; returns what steps the wall clock (and the wall clock alone) by some milliseconds. */
export function installClock(settings: ClockSettings): (milliseconds: number) => void {
  const { since, speed } = settings;
  let { offset } = settings;
  const RealDate = Date;
  const now = (): number => Math.floor(since + (RealDate.now() - since) * speed + offset);
  class MovedDate extends RealDate {
    constructor(...values: []) {
      if (values.length === 0) super(now());
      else super(...values);
    }
    static override now(): number {
      return now();
    }
  }
  globalThis.Date = MovedDate as DateConstructor;
  if (speed !== 1) quicken(speed);
  return (milliseconds) => {
    offset += milliseconds;
  };
}

function quicken(speed: number): void {
  const require = createRequire(import.meta.url);
  const timers = require('node:timers') as Timers;
  const promises = require('node:timers/promises') as TimerPromises;
  const real = {
    performanceNow: performance.now.bind(performance),
    setTimeout: globalThis.setTimeout,
    setInterval: globalThis.setInterval,
    sleep: promises.setTimeout,
    signal: AbortSignal.timeout.bind(AbortSignal),
  };
  const shorter = (milliseconds: unknown): number => Number(milliseconds ?? 0) / speed;
  performance.now = () => real.performanceNow() * speed;
  const copy = <F extends object>(to: F, from: F): F =>
    Object.defineProperties(to, Object.getOwnPropertyDescriptors(from));
  const setTimeoutSooner = ((callback: () => void, delay?: number, ...rest: []) =>
    real.setTimeout(callback, shorter(delay), ...rest)) as typeof setTimeout;
  const setIntervalSooner = ((callback: () => void, delay?: number, ...rest: []) =>
    real.setInterval(callback, shorter(delay), ...rest)) as typeof setInterval;
  globalThis.setTimeout = timers.setTimeout = copy(setTimeoutSooner, real.setTimeout);
  globalThis.setInterval = timers.setInterval = copy(setIntervalSooner, real.setInterval);
  promises.setTimeout = (delay?: number, ...rest: []) => real.sleep(shorter(delay), ...rest);
  AbortSignal.timeout = (delay) => real.signal(Math.max(1, Math.round(shorter(delay))));
  syncBuiltinESMExports();
}
