/** A difference beyond this is a jump. What the network takes is below. */
const JUMP_MS = 1_000;

/**
 * The store's time as this process knows it: its own steady clock, and the difference from the database's as last measured. A jump of the
 * process's wall clock changes nothing; one of the database's counts once two measurements in a row show it.
 */
export class StoreClock {
  private offset = 0;
  private suspected: number | undefined;

  now(): number {
    return Math.floor(performance.timeOrigin + performance.now() + this.offset);
  }

  /** @param time the database's, asked for at `from` and received at `to` by `performance.now()` */
  measured(time: number, from: number, to: number): void {
    // Too slow an answer says too little.
    if (to - from > JUMP_MS) return;
    const offset = time - performance.timeOrigin - (from + to) / 2;
    const jumped = Math.abs(offset - this.offset) > JUMP_MS;
    if (jumped && (this.suspected === undefined || Math.abs(offset - this.suspected) > JUMP_MS)) {
      this.suspected = offset;
      return;
    }
    this.suspected = undefined;
    this.offset = offset;
  }

  /** The first measurement. */
  begin(time: number, from: number, to: number): void {
    this.suspected = undefined;
    this.offset = time - performance.timeOrigin - (from + to) / 2;
  }
}
