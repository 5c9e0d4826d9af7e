/**
 * The time by which leases, graces, pauses, expiries and deliveries are reckoned. A machine's wall clock may jump, and
 * those of replicas differ, so it decides none of them: it serves only what is shown to, or checked against, the world
 * outside.
 */
export interface StoreClock {
  /** Milliseconds since the epoch, a whole number. Before the store is prepared, it is the wall clock's. */
  now(): number;
  /**
   * How far this machine's wall clock is ahead of the database's, in milliseconds, negative where it is behind. Undefined
   * where there is no other clock to compare with: on the embedded store, and before the database has answered.
   */
  wallClockError(): number | undefined;
}

/** A store's clock with its beginning and its end, for the store alone. */
export interface RunningStoreClock extends StoreClock {
  /** Called once, when the schema is up to date. Throws where the store cannot be read. */
  begin(): Promise<void>;
  /** Called when the store is closed. Rejects never. */
  end(): Promise<void>;
}

/** Where a clock gets its time from. Tests give others. */
export interface TimeSources {
  /** Milliseconds since the epoch, as the machine sees it. May jump. */
  wall: () => number;
  /** Milliseconds since some moment. Never jumps, and stands still while the machine sleeps. */
  monotonic: () => number;
}

export const MACHINE: TimeSources = { wall: () => Date.now(), monotonic: () => performance.now() };
