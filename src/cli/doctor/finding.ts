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

/** Seconds. A server's Date header is accurate to about a second, and a slow answer adds to the error. */
const SUSPICIOUS = 5;
/** Seconds. Webhook signatures are valid for five minutes, encrypted cards for fifteen. */
const HARMFUL = 60;

/** Compares our clock with another server's. */
export function checkClock(whose: string, aheadSeconds: number): Finding {
  const check = 'clock';
  const off = Math.abs(aheadSeconds);
  const remedy =
    'Keep this machine’s time by NTP (chrony, systemd-timesyncd). Time zones do not matter: everything is UTC.';
  const message = `${whose} is ${off.toFixed(0)} s ${aheadSeconds > 0 ? 'ahead of' : 'behind'} this clock.`;
  if (off <= SUSPICIOUS) return ok(check, `This clock agrees with ${whose}.`);
  return off <= HARMFUL ? warning(check, message, remedy) : problem(check, message, remedy);
}
