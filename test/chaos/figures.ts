import type { TrialResult } from './trial.ts';

const COUNTED = [
  'crashes',
  'stops',
  'clockSteps',
  'faults',
  'payments',
  'charges',
  'notifications',
  'events',
] as const;

/** What a run has done and found, to be written down. */
export class Figures {
  trials = 0;
  crashes = 0;
  stops = 0;
  clockSteps = 0;
  faults = 0;
  payments = 0;
  charges = 0;
  notifications = 0;
  events = 0;
  failed = 0;
  readonly #struck = new Map<string, number>();

  add(result: TrialResult): void {
    this.trials += 1;
    for (const name of COUNTED) {
      this[name] += result[name];
    }
    if (result.violations.length > 0) this.failed += 1;
    for (const order of result.struck) this.#struck.set(order, (this.#struck.get(order) ?? 0) + 1);
  }

  /** How many different boundaries a process was ended or stopped at. */
  get boundaries(): number {
    return this.#struck.size;
  }

  summary(): Record<string, number> {
    const counted = Object.fromEntries(COUNTED.map((name) => [name, this[name]]));
    return { trials: this.trials, ...counted, boundaries: this.boundaries, failed: this.failed };
  }

  text(): string {
    return Object.entries(this.summary())
      .map(([name, value]) => `${name} ${value}`)
      .join(', ');
  }
}
