import type { Store } from './store.js';

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;

/** A lease of this process, renewed while it is asked for. */
export class HeldLease {
  private takenAt = -Infinity;

  constructor(
    private readonly store: Store,
    private readonly name: string,
  ) {}

  /** Whether no other process can have had it since it was last taken. */
  get isWhole(): boolean {
    return performance.now() - this.takenAt < LEASE_MS;
  }

  /** Takes or renews it. False: another process has it. */
  async take(): Promise<boolean> {
    const now = performance.now();
    if (now - this.takenAt < RENEW_MS) return true;
    const isTaken = await this.store.lease(this.name, LEASE_MS);
    this.takenAt = isTaken ? now : -Infinity;
    return isTaken;
  }

  async giveBack(): Promise<void> {
    this.takenAt = -Infinity;
    await this.store.run({
      text: 'delete from leases where name = ? and owner = ?',
      values: [this.name, this.store.process],
    });
  }
}
