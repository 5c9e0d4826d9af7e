/** The result of one check. */
export interface Finding {
  readonly check: 'configuration' | 'store' | 'gateway' | 'webhook' | 'readiness';
  readonly level: 'ok' | 'warning' | 'problem';
  /** What was found. Never a secret's value. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** The findings of one check. */
export class Findings {
  readonly all: Finding[] = [];

  constructor(private readonly check: Finding['check']) {}

  ok(message: string): void {
    this.all.push({ check: this.check, level: 'ok', message });
  }

  warning(message: string, remedy: string): void {
    this.all.push({ check: this.check, level: 'warning', message, remedy });
  }

  problem(message: string, remedy: string): void {
    this.all.push({ check: this.check, level: 'problem', message, remedy });
  }
}
