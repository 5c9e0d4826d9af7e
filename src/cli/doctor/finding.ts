/** The result of one check. */
export interface Finding {
  /** What was checked: a stable, dotted name. */
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'problem';
  /** What was found. Never a secret's value. */
  readonly message: string;
  /** What to do about it. Present unless everything is fine. */
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

/** A reason that the service gives in the middle of a line, as a sentence. Pure. */
export function sentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1);
  return /[.)]$/.test(text) ? text : `${text}.`;
}
