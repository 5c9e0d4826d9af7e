import type { IncomingHttpHeaders } from 'node:http';
import {
  hasNotificationSignature,
  verifyNotification,
} from '../gateway/notifications/notification-profile.js';
import type { NotificationProfile } from '../gateway/profile/format.js';
import { matchesSecret } from '../secrets/compare.js';

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
  secret: string | undefined;
  needed: boolean;
}

/**
 * Whether a notification is accepted: signed, where the profile defines a signature; otherwise with the secret as a
 * bearer token, as `x-notification-secret` or as the last segment of the URL. Where no secret is needed, anonymous ones
 * are accepted too.
 */
export function accessOf(
  profile: NotificationProfile,
  { secret, needed }: NotificationKey,
  { headers, pathSecret, body }: PresentedNotification,
): NotificationAccess {
  const signed = hasNotificationSignature(profile);
  if (secret === undefined) return signed || needed ? 'refused' : 'anonymous';
  if (signed) return verifyNotification(profile, secret, headers, body) ? 'authenticated' : 'refused';
  const [, bearer] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  const header = headers['x-notification-secret'];
  const matches = [bearer, typeof header === 'string' ? header : undefined, pathSecret].some(
    (presented) => presented !== undefined && matchesSecret(presented, secret),
  );
  return matches ? 'authenticated' : 'refused';
}
