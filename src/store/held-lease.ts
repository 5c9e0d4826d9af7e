import type { Store } from './store.js';

/** Within ten seconds of a movement differences are looked for, also where the process that did so is dead. */
const LEASE_MS = 7_000;
const RENEW_MS = 2_000;

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

  /** So that another process need not wait for its end. Never rejects: it ends all the same. */
  async giveBack(): Promise<void> {
    this.takenAt = -Infinity;
    const text = 'delete from leases where name = ? and owner = ?';
    await this.store.run({ text, values: [this.name, this.store.process] }).catch(() => undefined);
  }
}
