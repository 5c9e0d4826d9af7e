import { ConfigError, readConfig, type Config, type ConfigReading } from './config/read-config.js';
import { describeRules, type RulesInForce } from './config/production-rules.js';
import { BodySealer } from './gateway/encryption/body-sealer.js';
import { hasNotificationSignature } from './gateway/notifications/notification-profile.js';
import { methodOf } from './methods/methods.js';
import { profileAssumptions } from './methods/profile-assumptions.js';
import { describeMisnamed, misnamedVariables, type MisnamedVariable } from './misnamed-variables.js';
import { SecretFile } from './secrets/secret-file.js';
import { loadProfile, ProfileError, type Profile } from './gateway/profile/load.js';
import type { SecretSources } from './config/read-env.js';
import { credentialsSent, type Credential } from './gateway/credentials/credentials-sent.js';

/** Everything that prevents the start, one reason for each line, below the rules that apply. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';

  constructor(rules: RulesInForce, faults: readonly string[]) {
    super([describeRules(rules), ...faults].join('\n'));
  }
}

/** The operator's settings: the variables and the gateway's profile, which must fit together. */
export interface StartConfiguration {
  config: Config;
  profile: Profile;
  rules: RulesInForce;
  /** Assumptions of the profile that the enabled methods use and that are not confirmed. */
  unconfirmed: readonly string[];
  /** Variables that nothing reads and whose names are almost one of the service's. */
  misnamed: readonly MisnamedVariable[];
  /** The secrets that were given as files, which may change while the service runs. */
  secretFiles: readonly SecretFile[];
}

/**
 * Reads the variables and the profile. Throws {@link StartRefused} with all faults of both. Missing keys are generated only
 * if there are no faults.
 */
export function readStartConfiguration(env: NodeJS.ProcessEnv): StartConfiguration {
  const { reading, profile, faults, misnamed } = inspectStart(env);
  // A wrong name often explains what is missing, so it is shown with the faults.
  const refusal = (): StartRefused =>
    new StartRefused(reading.rules, [...faults, ...misnamed.map(describeMisnamed)]);
  if (!profile || faults.length > 0) throw refusal();
  const config = orFaults(() => reading.complete(), faults);
  if (!config) throw refusal();
  return {
    ...{ config, profile, rules: reading.rules, unconfirmed: unconfirmedOf(reading, profile), misnamed },
    secretFiles: Object.values(reading.sources).filter((source) => source instanceof SecretFile),
  };
}

/** The variables and the profile with every fault of both. Writes nothing. */
export function inspectStart(env: NodeJS.ProcessEnv): {
  reading: ConfigReading;
  profile: Profile | undefined;
  faults: string[];
  misnamed: readonly MisnamedVariable[];
} {
  const reading = readConfig(env);
  const faults = reading.problems.length > 0 ? [new ConfigError(reading.problems).message] : [];
  const profile = orFaults(
    () => loadProfile(env['GATEWAY_PROFILE'] === '' ? undefined : env['GATEWAY_PROFILE']),
    faults,
  );
  if (profile) faults.push(...misfits(reading, profile));
  return { reading, profile, faults, misnamed: misnamedVariables(env) };
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

/**
 * Contradictions between the variables and the profile. With real money, no assumption may be left unconfirmed. A malformed
 * variable is reported only once, because faults that follow from it would confuse.
 */
function misfits(reading: ConfigReading, profile: Profile): string[] {
  const { sources, values, problems } = reading;
  const isMalformed = (name: string): boolean =>
    problems.some(({ variable }) => variable === name || variable === `${name}_FILE`);
  const found: string[] = missingCredentials(profile, sources)
    .filter((name) => !isMalformed(name))
    .map((name) => `${name} ${CREDENTIAL_NEEDED}`);
  if (
    hasNotificationSignature(profile.notification) &&
    !sources.NOTIFICATION_SECRET &&
    !isMalformed('NOTIFICATION_SECRET')
  ) {
    found.push(
      'NOTIFICATION_SECRET is needed as the key of the notification signature that the gateway profile names',
    );
  }
  const key = new BodySealer(profile.encryption, sources.GATEWAY_ENCRYPTION_KEY).keyProblem();
  if (key !== undefined && !isMalformed('GATEWAY_ENCRYPTION_KEY'))
    found.push(`GATEWAY_ENCRYPTION_KEY ${key}`);
  found.push(...lacking(reading, profile));
  if (values.GATEWAY_MODE !== 'live' || isMalformed('PAYMENT_METHODS')) return found;
  const assumed = unconfirmedOf(reading, profile).map(
    (name) =>
      `GATEWAY_PROFILE: "${name}" is an assumption that the enabled methods use: check it against the gateway and list it as confirmed`,
  );
  return [...found, ...assumed];
}

/** What is asked for and the gateway lacks, as the profile says with a `null`. */
function lacking({ methods, values }: ConfigReading, profile: Profile): string[] {
  const found = methods.flatMap((method) =>
    methodOf(method)
      .requires.filter((key) => !profile.operations[key])
      .map(
        (key) =>
          `PAYMENT_METHODS has ${method}, which needs the operation ${key}: the gateway profile says that the gateway lacks it`,
      ),
  );
  if (values.DUPLICATE_POLICY === 'void' && !profile.operations['void']) {
    found.push('DUPLICATE_POLICY is void, and the gateway profile says that the gateway has no void');
  }
  return found;
}

/** Assumptions of the profile that the enabled methods use and that are not confirmed. */
export function unconfirmedOf({ sources, methods }: ConfigReading, profile: Profile): string[] {
  return profileAssumptions(profile, methods, {
    notificationSecretSet: sources.NOTIFICATION_SECRET !== undefined,
  });
}

const VARIABLES = {
  apiKey: 'GATEWAY_API_KEY',
  accessToken: 'GATEWAY_ACCESS_TOKEN',
} as const satisfies Record<Credential, keyof SecretSources>;

/** What is missing, as the start and the doctor say it after the variable's name. */
export const CREDENTIAL_NEEDED = 'is required, because the gateway profile sends it';

/** The variables of credentials that a profile sends and that were not given. */
export function missingCredentials(profile: Profile, sources: SecretSources): (keyof SecretSources)[] {
  return [...credentialsSent(profile)]
    .map((credential) => VARIABLES[credential])
    .filter((name) => sources[name] === undefined);
}
