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

/** What the checks have found, in the order in which they looked. */
export class Findings {
  readonly all: Finding[] = [];

  ok(check: string, message: string): void {
    this.all.push({ check, level: 'ok', message });
  }

  warning(check: string, message: string, remedy: string): void {
    this.all.push({ check, level: 'warning', message, remedy });
  }

  problem(check: string, message: string, remedy: string): void {
    this.all.push({ check, level: 'problem', message, remedy });
  }

  /** Takes over what was found apart. */
  add({ all }: Findings): void {
    this.all.push(...all);
  }

  /** Looks at something, and says that it is fine if nothing was found. */
  okUnless(look: () => void, check: string, message: string): void {
    const before = this.all.length;
    look();
    if (this.all.length === before) this.ok(check, message);
  }

  /** Compares our clock with another server's, which is `aheadSeconds` ahead. */
  clock(whose: string, aheadSeconds: number): void {
    const off = Math.abs(aheadSeconds);
    if (off <= SUSPICIOUS) {
      this.ok('clock', `This clock agrees with ${whose}.`);
      return;
    }
    this[off <= HARMFUL ? 'warning' : 'problem'](
      'clock',
      `${whose} is ${off.toFixed(0)} s ${aheadSeconds > 0 ? 'ahead of' : 'behind'} this clock.`,
      'Keep this machine’s time by NTP (chrony, systemd-timesyncd). Time zones do not matter: everything is UTC.',
    );
  }
}

/** Seconds. A server's Date header is accurate to about a second, and a slow answer adds to the error. */
const SUSPICIOUS = 5;
/** Seconds. Webhook signatures are valid for five minutes, encrypted cards for fifteen. */
const HARMFUL = 60;

/** A reason that the service gives in the middle of a line, as a sentence. Pure. */
export function sentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1);
  return /[.)]$/.test(text) ? text : `${text}.`;
}
