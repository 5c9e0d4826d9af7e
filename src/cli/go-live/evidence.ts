import type { TimelineEntryDto } from '../../payments/views/payment.dto.js';
import type { Scenario } from './scenarios.js';

/** What became of a scenario. */
export interface Tried {
  scenario: Scenario;
  result: 'passed' | 'failed' | 'not-run';
  /** Why it failed or was not run; what was misunderstood on the way. */
  remark?: string;
  paymentId?: string;
  gatewayReference?: string;
  timeline: readonly TimelineEntryDto[];
  seconds: number;
}

/** How many of the gateway's notifications came while the scenarios ran. */
export interface NotificationsSeen {
  /** That named one of our payments. */
  received: number;
  /** That named none of ours, or none could be found in them. */
  unmatched: number;
  /** That lacked the secret or the signature. */
  refused: number;
}

export interface Conclusion {
  /** What the profile may list as `confirmed`. */
  confirmed: string[];
  /** What it may not, and why. */
  unconfirmed: { assumption: string; why: string }[];
}

/** Entries of a timeline that tell of an answer that was not understood. */
const MISUNDERSTOOD = new Set([
  'outcome_unknown',
  'inconclusive',
  'mismatch',
  'needs_attention',
  'not_known',
  'owner_lost',
]);

/** What was not understood on the way to a payment's end; empty where every answer was. */
export function misunderstood(timeline: readonly TimelineEntryDto[]): string[] {
  return [...new Set(timeline.filter(({ type }) => MISUNDERSTOOD.has(type)).map(({ type }) => type))];
}

/**
 * Concludes from what was tried. An assumption is confirmed only by a scenario that used it, came to the wanted end, and in which
 * no answer of the gateway was misunderstood: a status query that saves the day proves the query, not the answer before it.
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
