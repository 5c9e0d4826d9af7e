/** What one look at one thing has found. */
export interface Finding {
  /** What was looked at: a stable, dotted name. */
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'problem';
  /** What is the case. Never a secret's value. */
  readonly message: string;
  /** What to do about it; there unless all is well. */
  readonly remedy?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, level: 'ok', message });

export const warning = (check: string, message: string, remedy: string): Finding => ({
  check,
  level: 'warning',
  message,
  remedy,
});

export const problem = (check: string, message: string, remedy: string): Finding => ({
  check,
  level: 'problem',
  message,
  remedy,
});
