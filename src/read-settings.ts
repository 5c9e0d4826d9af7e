import { ConfigError, loadConfig, type Config } from './config/config.js';
import { BodySealer } from './gateway/encryption/body-sealer.js';
import { hasNotificationSignature } from './gateway/notification-profile.js';
import { profileAssumptions } from './gateway/profile-assumptions.js';
import { loadProfile, ProfileError, type Profile } from './gateway/profile.js';

/** Everything that keeps the service from starting, one reason a line. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

/** What an operator has said: the variables and the gateway's profile, which go together. */
export interface Settings {
  config: Config;
  profile: Profile;
  /** Assumptions of the profile that the enabled methods use and nobody has confirmed. */
  unconfirmed: readonly string[];
}

/** Reads the variables and the profile. Throws {@link StartRefused} with every fault of both at once. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const faults: string[] = [];
  const config = orFaults(() => loadConfig(env), faults);
  const profile = orFaults(
    () => loadProfile(env['GATEWAY_PROFILE'] === '' ? undefined : env['GATEWAY_PROFILE']),
    faults,
  );
  if (!config || !profile) throw new StartRefused(faults.join('\n'));
  const unconfirmed = unconfirmedOf(config, profile);
  const unfit = misfits(config, profile, unconfirmed);
  if (unfit.length > 0) throw new StartRefused(unfit.join('\n'));
  return { config, profile, unconfirmed };
}

function orFaults<T>(read: () => T, faults: string[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof ProfileError)) throw error;
    faults.push(error.message);
    return undefined;
  }
}

/** What in the variables and the profile does not go together; with real money there may be no assumption. */
function misfits(
  { notificationSecret, gateway }: Config,
  profile: Profile,
  unconfirmed: readonly string[],
): string[] {
  const found: string[] = [];
  if (hasNotificationSignature(profile.notification) && notificationSecret === undefined) {
    found.push(
      'NOTIFICATION_SECRET is needed as the key of the notification signature that the gateway profile names',
    );
  }
  const key = new BodySealer(profile.encryption, gateway.encryptionKey).keyProblem();
  if (key !== undefined) found.push(`GATEWAY_ENCRYPTION_KEY ${key}`);
  if (gateway.mode !== 'live') return found;
  const assumed = unconfirmed.map(
    (name) =>
      `GATEWAY_PROFILE: "${name}" is an assumption that the enabled methods use: check it against the gateway and list it as confirmed`,
  );
  return [...found, ...assumed];
}

function unconfirmedOf({ notificationSecret, payments }: Config, profile: Profile): string[] {
  return profileAssumptions(profile, payments.methods, {
    notificationSecretSet: notificationSecret !== undefined,
  });
}
