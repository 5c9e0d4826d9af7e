import type { SecretSources } from './config/read-env.js';
import { credentialsSent, type Credential } from './gateway/credentials/credentials-sent.js';
import type { Profile } from './gateway/profile/format.js';

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
