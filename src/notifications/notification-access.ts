import type { IncomingHttpHeaders } from 'node:http';
import {
  hasNotificationSignature,
  verifyNotification,
} from '../gateway/notifications/notification-profile.js';
import type { NotificationProfile } from '../gateway/profile/format.js';
import { indexOfMatch } from '../secrets/compare.js';
import type { Secret } from '../secrets/secret.js';

export interface PresentedNotification {
  headers: IncomingHttpHeaders;
  /** The last segment of the URL, for a gateway that can only be given a URL. */
  pathSecret: string | undefined;
  body: Uint8Array;
}

/** `anonymous`: anybody may have sent it, so its content is only a hint. */
export type NotificationAccess = 'authenticated' | 'anonymous' | 'refused';

/** What a notification must carry. `needed`: without it none is accepted, as in live mode. */
export interface NotificationKey {
  secrets: Secret<readonly string[]> | undefined;
  needed: boolean;
}

/**
 * Whether a notification is accepted: signed, where the profile defines a signature; otherwise with the secret as a
 * bearer token, as `x-notification-secret` or as the last segment of the URL. Where no secret is needed, anonymous ones
 * are accepted too.
 */
export function accessOf(
  profile: NotificationProfile,
  { secrets, needed }: NotificationKey,
  { headers, pathSecret, body }: PresentedNotification,
): NotificationAccess {
  const signed = hasNotificationSignature(profile);
  if (secrets === undefined) return signed || needed ? 'refused' : 'anonymous';
  if (signed) {
    const isGenuine = secrets.unwrap().some((secret) => verifyNotification(profile, secret, headers, body));
    return isGenuine ? 'authenticated' : 'refused';
  }
  const [, bearer] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  const header = headers['x-notification-secret'];
  const matches = [bearer, typeof header === 'string' ? header : undefined, pathSecret].some(
    (presented) => presented !== undefined && indexOfMatch(presented, secrets) >= 0,
  );
  return matches ? 'authenticated' : 'refused';
}
