import type { Config } from './config/config.js';
import { ConfigError, readConfig, type ConfigReading } from './config/read-config.js';
import { ProfileError } from './gateway/profile/fault.js';
import { loadProfile } from './gateway/profile/load.js';
import type { Profile } from './gateway/profile/schema.js';
import { settingsProblems } from './gateway/settings.js';
import { methodsOf } from './gateway/method-fields.js';
import { unconfirmed } from './gateway/profile/unconfirmed.js';
import { Secret } from './secrets/secret.js';

/** A reason to stop the service. Its message tells the operator everything, so no stack is shown. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

/** The operator's settings: the variables and the gateway's profile, which must fit together. */
export interface StartConfiguration {
  config: Config;
  profile: Profile;
  /** Assumptions of the profile that the enabled methods use and that are not confirmed. */
  unconfirmed: readonly string[];
}

/**
 * Reads the variables and the profile. Throws {@link StartRefused} with all faults of both. Missing keys are generated only
 * if there are no faults.
 */
export function checkStart(env: NodeJS.ProcessEnv): StartConfiguration {
  const { reading, profile, faults } = inspectStart(env);
  const config = faults.length > 0 ? undefined : orFaults(() => reading.complete(), faults);
  if (!profile || !config) throw new StartRefused(faults.join('\n'));
  return { config, profile, unconfirmed: unconfirmed(profile, reading.values.methods) };
}

/** The variables and the profile with every fault of both. Writes nothing. */
export function inspectStart(env: NodeJS.ProcessEnv): {
  reading: ConfigReading;
  profile: Profile | undefined;
  faults: string[];
} {
  const reading = readConfig(env);
  const { values, problems } = reading;
  const faults = problems.length > 0 ? [new ConfigError(problems).message] : [];
  const isProfileReadable = !problems.some(({ variable }) => variable === 'GATEWAY_PROFILE');
  const profile = isProfileReadable ? orFaults(() => loadProfile(values.GATEWAY_PROFILE), faults) : undefined;
  if (profile) {
    values.PAYMENT_METHODS ??= methodsOf(profile).join(',');
    faults.push(...misfits(reading, profile));
  }
  return { reading, profile, faults };
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

/** Contradictions between the variables and the profile. A malformed variable is reported only once. */
function misfits(reading: ConfigReading, profile: Profile): string[] {
  const { values, problems } = reading;
  const isMalformed = (name: string): boolean =>
    problems.some(({ variable }) => variable === name || variable === `${name}_FILE`);
  const found: string[] = [];
  const report = (name: string, message: string): void => {
    if (!isMalformed(name)) found.push(`${name} ${message}`);
  };
  const secret = (text: string | undefined) => (text === undefined ? undefined : new Secret(text));
  const settings = {
    apiKey: secret(values.GATEWAY_API_KEY),
    accessToken: secret(values.GATEWAY_ACCESS_TOKEN),
    encryptionKey: secret(values.GATEWAY_ENCRYPTION_KEY),
  };
  for (const { variable, message } of settingsProblems(profile, settings)) report(variable, message);
  if (profile.notification?.signature && values.NOTIFICATION_SECRET === undefined)
    report('NOTIFICATION_SECRET', "is required as the key of the gateway profile's notification signature");
  if (values.DUPLICATE_POLICY === 'void' && !profile.operations.void)
    report('DUPLICATE_POLICY', 'is void, and the gateway profile has no void');
  const offered = methodsOf(profile);
  if (offered.length === 0) report('GATEWAY_PROFILE', '/operations: has no payment method');
  for (const method of values.methods)
    if (!offered.includes(method))
      report('PAYMENT_METHODS', `has ${method}, which the gateway profile lacks the operations for`);
  // With real money, no assumption may be left unconfirmed.
  if (values.GATEWAY_MODE === 'live' && !isMalformed('PAYMENT_METHODS'))
    for (const name of unconfirmed(profile, values.methods))
      report(
        'GATEWAY_PROFILE',
        `: "${name}" is an assumption that the enabled methods use: check it against the gateway and list it as confirmed`,
      );
  return found;
}
