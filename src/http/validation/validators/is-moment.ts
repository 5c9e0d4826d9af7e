import type { ValidationOptions } from 'class-validator';
import { textRule } from './text-rule.js';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;
const DAY_MS = 24 * 3_600_000;

/** The beginning of a stretch of time: a time (RFC 3339), or the beginning of a date, in UTC. Undefined for anything else. */
export function beginningOf(text: string): number | undefined {
  if (!DATE.test(text) && !TIME.test(text)) return undefined;
  const at = Date.parse(text);
  // A day that its month does not have becomes one of the next month.
  const isReal = !Number.isNaN(at) && (!DATE.test(text) || new Date(at).toISOString().startsWith(text));
  return isReal ? at : undefined;
}

/** The end of a stretch, which is no longer in it: a time, or the end of a date, which is in it as a whole. */
export function endOf(text: string): number | undefined {
  const at = beginningOf(text);
  return at === undefined || !DATE.test(text) ? at : at + DAY_MS;
}

/** A date (`2031-01-31`, in UTC) or a time (`2031-01-31T10:00:00Z`, RFC 3339). */
export const IsMoment = (options?: ValidationOptions): PropertyDecorator =>
  textRule(
    'isMoment',
    'must be a date such as 2031-01-31, or a time such as 2031-01-31T10:00:00Z',
    (text) => beginningOf(text) !== undefined,
    options,
  );
