import { readKept, foldCase, readText } from '../answers/answer-values.js';
import type { KeptValues } from '../gateway-input.js';
import { planKeep } from '../plan/operation-plan.js';
import {
  MEANING_NAMES,
  type MeaningName,
  type NotificationProfile,
  type OutcomeProfile,
  type Profile,
} from '../profile/format.js';
import { compileJson } from '../templates/template.js';
import { NotificationContent } from './notification-content.js';

export { hasNotificationSignature, verifyNotification } from './notification-signature.js';

/** No reference that this service creates is longer. */
const MAX_REFERENCE = 255;

/**
 * The payment reference that a notification names. It is found by the profile's pointers into a JSON body, or by its
 * field names in a form (a pointer with one step also counts as a field name). Undefined where there is none. The
 * reference is a hint and never proof.
 *
 * @param body the raw body; of a GET the raw query.
 */
export function notificationReference(profile: NotificationProfile, body: Uint8Array): string | undefined {
  const content = new NotificationContent(body);
  if (!content.isReadable) return undefined;
  for (const name of profile.reference) {
    const reference = readText(content.named(name));
    if (reference !== undefined && reference.length <= MAX_REFERENCE) return reference;
  }
  return undefined;
}

/**
 * What a notification claims of its payment, by the profile's meanings: where answers have their status or, if nothing
 * is there, where the profile says that notifications have it. Undefined where it cannot be read or contradicts itself. A
 * claim moves nothing: it only tells whether there is something to ask, and whether the gateway's answers agree with it yet.
 */
export function notificationClaim(
  { outcome, notification }: Pick<Profile, 'outcome' | 'notification'>,
  body: Uint8Array,
): MeaningName | undefined {
  const content = new NotificationContent(body);
  if (!content.isReadable) return undefined;
  const wordsAt = (names: readonly string[]): string[] =>
    names.flatMap((name) => readText(content.named(name)) ?? []);
  const own = wordsAt(outcome.status);
  const words = own.length > 0 ? own : wordsAt(notification.status ?? []);
  const claims = words.flatMap((word) => meaningOf(outcome, word) ?? []);
  return new Set(claims).size > 1 ? undefined : claims[0];
}

function meaningOf({ meanings }: OutcomeProfile, text: string): MeaningName | undefined {
  const folded = foldCase(text);
  return MEANING_NAMES.find((name) => meanings[name].some((word) => foldCase(word) === folded));
}

/** The values that the profile keeps of a notification. */
export function notificationKept(profile: NotificationProfile, body: Uint8Array): KeptValues {
  const keep = planKeep(profile.keep);
  if (keep.length === 0) return {};
  const content = new NotificationContent(body);
  return readKept(keep, { at: (pointer) => content.at(pointer) });
}

/** What the gateway is answered, where the profile says so. */
export interface NotificationAnswer {
  readonly status: number;
  /** Undefined: the service's own. */
  readonly body: unknown;
}

/** The answer to a notification that was taken. */
export function notificationAnswer(
  { answer }: NotificationProfile,
  body: Uint8Array,
): NotificationAnswer | undefined {
  if (!answer) return undefined;
  const { status = 200 } = answer;
  if (answer.body === undefined) return { status, body: undefined };
  const content = new NotificationContent(body);
  const filled = compileJson(answer.body).fill({
    word: () => undefined,
    pointer: (pointer) => readText(content.at(pointer)),
  });
  return { status, body: filled };
}
