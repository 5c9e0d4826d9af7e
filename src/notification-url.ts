import type { Config } from './config/config.js';
import { hasNotificationSignature } from './gateway/notifications/notification-profile.js';
import type { Profile } from './gateway/profile/format.js';

/**
 * Where the gateway is told to send its notifications. It is given the secret as the last segment, unless it signs them:
 * a gateway that only takes an address can send it in no other way.
 */
export function notificationUrl(config: Config, { notification }: Profile): string {
  const address = `${config.http.publicBaseUrl}/v1/gateway/notifications`;
  const secret = hasNotificationSignature(notification) ? undefined : config.notificationSecret?.current();
  return secret === undefined ? address : `${address}/${encodeURIComponent(secret)}`;
}
