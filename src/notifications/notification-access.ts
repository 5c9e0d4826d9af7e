import type { IncomingHttpHeaders } from 'node:http';
import { hasNotificationSignature, verifyNotification } from '../gateway/notification-profile.js';
import type { NotificationProfile } from '../gateway/profile-format.js';
import { matchesSecret } from '../secrets/compare.js';

export interface PresentedNotification {
  headers: IncomingHttpHeaders;
  /** The last segment of the address, for a gateway that only takes an address. */
  pathSecret: string | undefined;
  body: Uint8Array;
}

/**
 * Whether a notification may come in: signed, where the profile names a signature; else with the secret as a bearer
 * token, as `x-notification-secret` or as the last segment of the address. Without a secret anybody may: what is said
 * is only a hint.
 */
export function mayNotify(
  profile: NotificationProfile,
  secret: string | undefined,
  { headers, pathSecret, body }: PresentedNotification,
): boolean {
  if (secret === undefined) return !hasNotificationSignature(profile);
  if (hasNotificationSignature(profile)) return verifyNotification(profile, secret, headers, body);
  const [, bearer] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  const header = headers['x-notification-secret'];
  return [bearer, typeof header === 'string' ? header : undefined, pathSecret].some(
    (presented) => presented !== undefined && matchesSecret(presented, secret),
  );
}
