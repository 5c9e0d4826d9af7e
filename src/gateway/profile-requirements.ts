import type { ConfigError } from '../config/config.js';
import type { SecretSource } from '../secrets/secret-source.js';
import { BodySealer } from './encryption/body-sealer.js';
import type { Profile } from './profile-format.js';

type ConfigProblems = ConfigError['problems'];

/** What is wrong with the key that the profile's encryption needs. */
export function encryptionKeyProblems(profile: Profile, key: SecretSource | undefined): ConfigProblems {
  const message = new BodySealer(profile.encryption, key).keyProblem();
  return message === undefined ? [] : [{ variable: 'GATEWAY_ENCRYPTION_KEY', message }];
}

/** What is wrong with the secret that the profile's notification signature needs. */
export function notificationSecretProblems(
  profile: Profile,
  secret: SecretSource | undefined,
): ConfigProblems {
  if (profile.notification.signature.scheme === 'none' || secret?.current() !== undefined) return [];
  const message = 'is missing: the notification signature of the profile needs it';
  return [{ variable: 'NOTIFICATION_SECRET', message }];
}
