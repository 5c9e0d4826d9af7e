/** What can be changed while the sandbox runs (`POST /sandbox/config`). */
export interface Settings {
  /** Keep full request bodies, card data included, in memory (never on disk). Off unless a test needs it. */
  recordBodies: boolean;
  /** How many received requests are kept. */
  keepRequests: number;
  /**
   * What a repeated `client_ref` on an initiating call does: charged again, refused, or answered with the first one's
   * state.
   */
  duplicateClientRef: 'charge' | 'refuse' | 'same';
  /** What happens to card numbers that pass the Luhn check but are not in the table. */
  unknownCards: 'decline' | 'approve';
  /** Milliseconds until a waiting wallet, transfer or USSD transaction expires (30 min). */
  expiresAfterMs: number;
  /** Milliseconds until "processing, then …" moves by itself. */
  settleAfterMs: number;
  /** Milliseconds that the slow card takes to answer. */
  slowMs: number;
  /** Wrong one-time codes until the payment is declined. */
  otpAttempts: number;
  /** How long a fetched token lives, in seconds (third dialect). */
  tokenSeconds: number;
  /** Where the cashier page sends the browser afterwards; `{client_ref}` is filled in. Empty: nowhere. */
  returnUrl: string;
  /** The address for Transaction Notifications. Empty: none are sent. */
  notifyUrl: string;
  /** Sent with, or signing, each notification. Empty: neither. */
  notifySecret: string;
  /** First pause before a failed notification is tried again; doubled each time up to one hour, for 72 h. */
  notifyRetryMs: number;
}

export const DEFAULT_SETTINGS: Settings = {
  recordBodies: false,
  keepRequests: 20_000,
  duplicateClientRef: 'charge',
  unknownCards: 'decline',
  expiresAfterMs: 30 * 60_000,
  settleAfterMs: 3_000,
  slowMs: 3_000,
  otpAttempts: 3,
  tokenSeconds: 300,
  returnUrl: '',
  notifyUrl: '',
  notifySecret: '',
  notifyRetryMs: 1_000,
};

const CHOICES: Partial<Record<keyof Settings, readonly string[]>> = {
  duplicateClientRef: ['charge', 'refuse', 'same'],
  unknownCards: ['decline', 'approve'],
};

/** Changes settings from untrusted JSON. If anything is wrong with it, returns that and changes nothing. */
export function changeSettings(settings: Settings, change: Record<string, unknown>): string[] {
  const problems = Object.entries(change).flatMap(([name, value]) => {
    if (!Object.hasOwn(DEFAULT_SETTINGS, name)) return [`${name}: no such setting`];
    const key = name as keyof Settings;
    if (typeof value !== typeof DEFAULT_SETTINGS[key])
      return [`${name}: must be a ${typeof DEFAULT_SETTINGS[key]}`];
    if (typeof value === 'number' && !(Number.isSafeInteger(value) && value >= 0))
      return [`${name}: must be a whole number from 0`];
    const choices = CHOICES[key];
    if (choices && !choices.includes(String(value))) return [`${name}: must be one of ${choices.join(', ')}`];
    if (name.endsWith('Url') && value !== '' && !/^https?:$/.test(URL.parse(String(value))?.protocol ?? ''))
      return [`${name}: must be an http or https address`];
    return [];
  });
  if (problems.length === 0) Object.assign(settings, change);
  return problems;
}
