/** Longer than this, timers do not keep time; running once more in between does no harm. */
const LONGEST_WAIT_MS = 24 * 3_600_000;

/**
 * Runs a task whenever it is due, one run at a time, with a single timer. The task says after how many milliseconds it wants to run
 * again by itself, or undefined: not before it is woken. It must not throw.
 */
export class CoalescingTimer {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  /** By `performance.now()`; infinite: not at all. */
  private dueAt = Infinity;
  private stopped = false;

  constructor(private readonly task: () => Promise<number | undefined>) {}

  /** Has the task run within `milliseconds`: sooner where it is due sooner, and once more where it runs now. */
  wake(milliseconds: number): void {
    const at = performance.now() + Math.min(milliseconds, LONGEST_WAIT_MS);
    if (this.stopped || at >= this.dueAt) return;
    this.dueAt = at;
    if (!this.running) this.arm();
  }

  /** Ends it; resolves when the run that is under way, if any, is over. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private arm(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => {
        this.running = this.run();
      },
      Math.max(0, this.dueAt - performance.now()),
    );
  }

  private async run(): Promise<void> {
    this.dueAt = Infinity;
    const again = await this.task();
    this.running = undefined;
    if (again !== undefined) this.wake(again);
    if (this.dueAt !== Infinity && !this.stopped) this.arm();
  }
}
