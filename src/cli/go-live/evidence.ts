import type { TimelineEntryDto } from '../../payments/views/payment.dto.js';
import type { Scenario } from './scenarios.js';

/** The result of a scenario. */
export interface Tried {
  scenario: Scenario;
  result: 'passed' | 'failed' | 'not-run';
  /** Why it failed or was not run, or which answers were misunderstood. */
  remark?: string;
  paymentId?: string;
  gatewayReference?: string;
  timeline: readonly TimelineEntryDto[];
  seconds: number;
}

/** How many notifications arrived from the gateway while the scenarios ran. */
export interface NotificationsSeen {
  /** They named one of our payments. */
  received: number;
  /** They named no payment of ours, or no reference was found in them. */
  unmatched: number;
  /** They lacked the secret or the signature. */
  refused: number;
}

export interface Conclusion {
  /** Assumptions that the profile may list as `confirmed`. */
  confirmed: string[];
  /** Assumptions that it may not list yet, and why. */
  unconfirmed: { assumption: string; why: string }[];
}

/** Timeline entries about an answer that was not understood. */
const MISUNDERSTOOD = new Set([
  'outcome_unknown',
  'inconclusive',
  'mismatch',
  'needs_attention',
  'not_known',
  'owner_lost',
]);

/** The answers that were not understood before the payment ended. Empty where there were none. */
export function misunderstood(timeline: readonly TimelineEntryDto[]): string[] {
  return [...new Set(timeline.filter(({ type }) => MISUNDERSTOOD.has(type)).map(({ type }) => type))];
}

/**
 * Draws conclusions from the scenarios. An assumption is confirmed only by a scenario that used it, reached the expected
 * end, and had no misunderstood answer on the way. If a status query rescued the payment, that confirms the query, not the
 * answer before it.
 */
export function conclude(
  used: readonly string[],
  tried: readonly Tried[],
  notifications: NotificationsSeen | undefined,
): Conclusion {
  const conclusion: Conclusion = { confirmed: [], unconfirmed: [] };
  for (const assumption of used) {
    const why =
      assumption === 'outcome'
        ? whyNotOutcome(tried)
        : assumption === 'notification'
          ? whyNotNotification(notifications)
          : whyNot(assumption, tried);
    if (why === undefined) conclusion.confirmed.push(assumption);
    else conclusion.unconfirmed.push({ assumption, why });
  }
  return conclusion;
}

const isClean = ({ result, timeline }: Tried): boolean =>
  result === 'passed' && misunderstood(timeline).length === 0;

function whyNot(assumption: string, tried: readonly Tried[]): string | undefined {
  const about = tried.filter(({ scenario }) => scenario.confirms.includes(assumption));
  if (about.some(isClean)) return undefined;
  if (about.length === 0) return 'no scenario of the enabled methods uses it';
  return about.map(saidOf).join('; ');
}

function saidOf(one: Tried): string {
  const { scenario, result, remark, timeline } = one;
  if (result === 'passed')
    return `${scenario.name} passed, but on the way: ${misunderstood(timeline).join(', ')}`;
  return `${scenario.name} ${result === 'failed' ? 'failed' : 'was not run'}: ${remark ?? ''}`;
}

function whyNotOutcome(tried: readonly Tried[]): string | undefined {
  const unclear = tried.filter((one) => one.result === 'passed' && !isClean(one));
  if (unclear.length > 0) return unclear.map(saidOf).join('; ');
  const failed = tried.filter(({ result }) => result === 'failed');
  if (failed.length > 0) return failed.map(saidOf).join('; ');
  const clean = (shows: string): boolean => tried.some((one) => isClean(one) && one.scenario.shows === shows);
  if (!clean('paid')) return 'no payment was seen to succeed';
  return clean('not-paid') ? undefined : 'no payment was seen to be declined';
}

function whyNotNotification(seen: NotificationsSeen | undefined): string | undefined {
  if (!seen) return "the service's metrics could not be read, so nobody knows whether notifications came";
  const { received, unmatched, refused } = seen;
  if (refused > 0) return `${refused} came without the right secret or signature and were refused`;
  if (received > 0) return undefined;
  return unmatched > 0
    ? `${unmatched} came, but no payment's reference was found where the profile looks for it`
    : 'none came: does the gateway know the address?';
}
