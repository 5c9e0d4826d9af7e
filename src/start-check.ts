import type { Config } from './config/config.js';
import type { SecretVariable } from './config/env.js';
import { ConfigError, readConfig, type ConfigReading } from './config/read-config.js';
import { describeRules } from './config/rules.js';
import { credentialsSent, type Credential } from './gateway/credentials/credentials-sent.js';
import { BodySealer } from './gateway/encryption/body-sealer.js';
import { hasNotificationSignature } from './gateway/notifications/notification-profile.js';
import { loadProfile, ProfileError, type Profile } from './gateway/profile/load.js';
import { methodOf } from './methods/methods.js';
import { profileAssumptions } from './methods/profile-assumptions.js';
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
  if (!profile || !config) throw new StartRefused([describeRules(reading.values), ...faults].join('\n'));
  return { config, profile, unconfirmed: unconfirmedOf(reading, profile) };
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
  if (profile) faults.push(...misfits(reading, profile));
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
  const { values, given, problems } = reading;
  const isMalformed = (name: string): boolean =>
    problems.some(({ variable }) => variable === name || variable === `${name}_FILE`);
  const found: string[] = [];
  const report = (name: string, message: string): void => {
    if (!isMalformed(name)) found.push(`${name} ${message}`);
  };
  for (const name of missingCredentials(profile, given)) report(name, CREDENTIAL_NEEDED);
  if (hasNotificationSignature(profile.notification) && !given.has('NOTIFICATION_SECRET'))
    report('NOTIFICATION_SECRET', "is required as the key of the gateway profile's notification signature");
  const key = values.GATEWAY_ENCRYPTION_KEY;
  const keyProblem = new BodySealer(profile.encryption, key ? new Secret(key) : undefined).keyProblem();
  if (keyProblem !== undefined) report('GATEWAY_ENCRYPTION_KEY', keyProblem);
  if (values.DUPLICATE_POLICY === 'void' && !profile.operations['void'])
    report('DUPLICATE_POLICY', 'is void, and the gateway profile says that the gateway has no void');
  for (const method of values.methods)
    for (const lacking of methodOf(method).requires.filter((operation) => !profile.operations[operation]))
      report(
        'PAYMENT_METHODS',
        `has ${method}, which needs the operation ${lacking}: the gateway profile says that the gateway lacks it`,
      );
  // With real money, no assumption may be left unconfirmed.
  if (values.GATEWAY_MODE === 'live' && !isMalformed('PAYMENT_METHODS'))
    for (const name of unconfirmedOf(reading, profile))
      report(
        'GATEWAY_PROFILE',
        `: "${name}" is an assumption that the enabled methods use: check it against the gateway and list it as confirmed`,
      );
  return found;
}

/** Assumptions of the profile that the enabled methods use and that are not confirmed. */
export function unconfirmedOf({ values, given }: ConfigReading, profile: Profile): string[] {
  return profileAssumptions(profile, values.methods, {
    notificationSecretSet: given.has('NOTIFICATION_SECRET'),
  });
}

const VARIABLES = {
  apiKey: 'GATEWAY_API_KEY',
  accessToken: 'GATEWAY_ACCESS_TOKEN',
} as const satisfies Record<Credential, SecretVariable>;

const CREDENTIAL_NEEDED = 'is required, because the gateway profile sends it';

/** The variables of credentials that a profile sends and that were not given. */
function missingCredentials(profile: Profile, given: ReadonlySet<SecretVariable>): SecretVariable[] {
  return [...credentialsSent(profile)]
    .map((credential) => VARIABLES[credential])
    .filter((name) => !given.has(name));
}
