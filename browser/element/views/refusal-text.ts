import type { Refusal } from '../refusal.js';
import type { ViewContext } from './view-context.js';

/** Up to here a time is told in seconds. */
const SECONDS_UP_TO = 90;

/** Why an action failed, for how long, and what else the payer can do. */
export function refusalText({ language: { t, locale } }: ViewContext, { message, seconds }: Refusal): string {
  return t(message, seconds === undefined ? {} : { time: duration(seconds, locale) });
}

/** `45 seconds`, `10 minutes`, in the words of the locale. */
export function duration(seconds: number, locale: string): string {
  const isShort = seconds <= SECONDS_UP_TO;
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: isShort ? 'second' : 'minute',
    unitDisplay: 'long',
  });
  return format.format(Math.ceil(isShort ? seconds : seconds / 60));
}
