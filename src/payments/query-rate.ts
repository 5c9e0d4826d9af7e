/** How many background queries may be made: `perSecond` a second, with a second's burst. 0: no limit. */
export class QueryRate {
  private tokens: number;
  private at: number;
  private pausedUntil = 0;

  constructor(private readonly perSecond: number) {
    this.tokens = perSecond;
    this.at = performance.now();
  }

  /** Takes up to `wanted` turns. */
  take(wanted: number): number {
    const now = performance.now();
    if (now < this.pausedUntil) return 0;
    if (this.perSecond === 0) return wanted;
    this.tokens = Math.min(this.perSecond, this.tokens + ((now - this.at) / 1_000) * this.perSecond);
    this.at = now;
    const taken = Math.min(wanted, Math.floor(this.tokens));
    this.tokens -= taken;
    return taken;
  }

  giveBack(turns: number): void {
    if (this.perSecond > 0) this.tokens = Math.min(this.perSecond, this.tokens + turns);
  }

  /** The gateway said that it is busy. */
  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, performance.now() + Math.min(ms, 300_000));
  }
}
