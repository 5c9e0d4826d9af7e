import type { PaymentMethod, PaymentStatus } from '../kit/types.js';
import type { Delivery, MerchantEvent, TimelineEntry } from './api.js';

const STATUS_WORDS: Record<PaymentStatus, string> = {
  processing: 'Processing',
  requires_action: 'Waiting for payer',
  authorized: 'Authorized',
  succeeded: 'Succeeded',
  failed: 'Failed',
  canceled: 'Canceled',
  expired: 'Expired',
  voided: 'Voided',
};

export const STATUSES = Object.keys(STATUS_WORDS) as PaymentStatus[];

const METHOD_WORDS: Record<PaymentMethod | 'unknown', string> = {
  card: 'Card',
  wallet: 'Wallet',
  transfer: 'Bank transfer',
  ussd: 'USSD',
  unknown: 'Unknown (found at the gateway)',
};

/** Methods that a payer can choose. */
export const METHODS: readonly PaymentMethod[] = ['card', 'wallet', 'transfer', 'ussd'];

const ENTRY_WORDS: Record<TimelineEntry['type'], string> = {
  created: 'Created',
  moved: 'Status changed',
  sent: 'Sent to the gateway',
  confirmed: 'Confirmed by the gateway',
  refused: 'Refused by the gateway',
  unknown: 'Sent to the gateway, no clear answer yet',
  refunded: 'Refunded',
  refund_failed: 'Refund failed',
  refund_reversed: 'Refund came back',
  disputed: 'Charged back by the payer’s bank',
  dispute_won: 'The dispute was won',
  corrected: 'Amount corrected by a person',
  duplicate: 'A second payment of this order',
  attention: 'Needs attention',
  attention_ended: 'No longer needs attention',
  resolved: 'Resolved by a person',
  adopted: 'Found at the gateway',
  approval_asked: 'Waits for approval',
  erased: 'Personal data erased',
};

const DELIVERY_WORDS: Record<Delivery['status'], string> = {
  pending: 'waiting to be sent',
  failed: 'failed, to be sent again',
  delivered: 'delivered',
  given_up: 'given up',
};

/** The state of an event's delivery. */
export function deliveryWords({ delivery }: MerchantEvent): string {
  const { status, lastResult } = delivery;
  const words = DELIVERY_WORDS[status];
  return status === 'failed' && lastResult !== null ? `${words}: ${lastResult.replaceAll('_', ' ')}` : words;
}

export function statusWord(status: PaymentStatus): string {
  return STATUS_WORDS[status];
}

export function methodWord(method: PaymentMethod | 'unknown'): string {
  return METHOD_WORDS[method];
}

/** A timeline entry in a few words. */
export function entryWords(entry: TimelineEntry): string {
  if (entry.to !== undefined) return `${statusWord(entry.to)}${entry.late === true ? ' (late)' : ''}`;
  return ENTRY_WORDS[entry.type];
}

/** The time zone of the books, from the sign-in on: no page shows a time before. */
let zone = 'UTC';

/** Shows all times by the clock of this time zone from now on. */
export function showTimesIn(timeZone: string): void {
  zone = timeZone;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** A format of the time zone, made once. */
function format(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${zone}`;
  const made = formats.get(key) ?? new Intl.DateTimeFormat(undefined, { ...options, timeZone: zone });
  formats.set(key, made);
  return made;
}

export function dateTime(rfc3339: string): string {
  return format('moment', { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(rfc3339));
}

/** A moment by the clock of a time zone: the books'. */
export function momentIn(timeZone: string, rfc3339: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    new Date(rfc3339),
  );
}

/** For lists: the time in this year, the day in years before. */
export function shortTime(rfc3339: string): string {
  const yearOf = (time: string): string => dayIn(zone, time).slice(0, 4);
  const isThisYear = yearOf(rfc3339) === yearOf(new Date().toISOString());
  const shown = isThisYear
    ? format('short', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
    : format('day', { dateStyle: 'medium' });
  return shown.format(new Date(rfc3339));
}

export function timeOnly(rfc3339: string): string {
  return format('clock', { timeStyle: 'medium' }).format(new Date(rfc3339));
}

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** `2031-01-31` as people write it. */
export function dayWords(day: string): string {
  return day === '' ? '' : days.format(new Date(`${day}T00:00:00Z`));
}

const shortDays = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** `2031-01-31` without its year, for an axis. */
export function dayOnly(day: string): string {
  return day === '' ? '' : shortDays.format(new Date(`${day}T00:00:00Z`));
}

const months = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'long', timeZone: 'UTC' });

/** `2031-01` as people write it. */
export function monthWords(month: string): string {
  return months.format(new Date(`${month}-01T00:00:00Z`));
}

/** The day of a moment in a time zone: `2031-01-31`. */
export function dayIn(timeZone: string, rfc3339: string): string {
  // Swedes write dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv', { timeZone }).format(new Date(rfc3339));
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long something has lasted, in its largest whole unit: `3 hours`. */
export function ago(since: string, now: string): string {
  const ms = Date.parse(now) - Date.parse(since);
  for (const [unit, length] of UNITS) {
    const count = Math.floor(ms / length);
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'Just now';
}
