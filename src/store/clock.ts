/** A difference beyond this is a jump. What the network takes is below. */
const JUMP_MS = 1_000;

/**
 * The store's time as this process knows it: its own steady clock, and the difference from the database's as last measured. A jump of the
 * process's wall clock changes nothing; one of the database's counts once two measurements in a row show it.
 */
export class StoreClock {
  private offset: number | undefined;
  private suspected: number | undefined;

  now(): number {
    return Math.floor(performance.timeOrigin + performance.now() + (this.offset ?? 0));
  }

  /** @param time the database's, asked for at `from` and received at `to` by `performance.now()` */
  measured(time: number, from: number, to: number): void {
    const offset = time - performance.timeOrigin - (from + to) / 2;
    const known = [this.offset, this.suspected].filter((one) => one !== undefined);
    const isExpected = known.length === 0 || known.some((one) => Math.abs(offset - one) <= JUMP_MS);
    // Too slow an answer says too little, unless it is the first.
    if (this.offset !== undefined && to - from > JUMP_MS) return;
    this.suspected = isExpected ? undefined : offset;
    if (isExpected) this.offset = offset;
  }
}
