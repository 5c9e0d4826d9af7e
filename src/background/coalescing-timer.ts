/** Timers are not exact beyond this. Running the task once more in between does no harm. */
const LONGEST_WAIT_MS = 24 * 3_600_000;

/**
 * Runs a task whenever it is due, one run at a time, with a single timer. The task returns after how many milliseconds
 * it is due again, or undefined to wait until it is woken. It must not throw.
 */
export class CoalescingTimer {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  /** When the task is due, by `performance.now()`; infinite: not at all. */
  private dueAt = Infinity;
  private stopped = false;

  constructor(private readonly task: () => Promise<number | undefined>) {}

  /**
   * Makes the task run within `milliseconds`, or sooner if it is due sooner. If it is running now, it runs once more.
   */
  wake(milliseconds: number): void {
    const at = performance.now() + Math.min(milliseconds, LONGEST_WAIT_MS);
    if (this.stopped || at >= this.dueAt) return;
    this.dueAt = at;
    if (!this.running) this.arm();
  }

  /** Stops the timer. Resolves when a run that is under way has ended. */
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
