import { buildConfig } from './build-config.js';
import { ConfigError, type ConfigProblem } from './config-error.js';
import { VARIABLE_NAMES } from './env.js';
import { provideKeys } from './generated-keys.js';
import { readEnv } from './read-env.js';
import type { Config } from './settings.js';

export { ConfigError } from './config-error.js';
export type { Config, PaymentMethod } from './settings.js';

/**
 * Reads the whole configuration. Nothing is written before everything is found right; then, outside production only, keys that
 * were not given are made (see {@link provideKeys}). Throws {@link ConfigError} with every problem at once.
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const { values, sources, problems } = readEnv(env);
  const draft = buildConfig(values, sources, problems);
  if (problems.length > 0 || draft === undefined) throw new ConfigError(inOrder(problems));
  const { keys, merchantApiKeys } = provideKeys(draft.store.dataDir, sources);
  return { ...draft, keys, merchant: { ...draft.merchant, apiKeys: merchantApiKeys } };
}

/** In the order of the documentation, so that a long list is easy to go through. */
function inOrder(problems: readonly ConfigProblem[]): ConfigProblem[] {
  const place = ({ variable }: ConfigProblem) =>
    Math.max(VARIABLE_NAMES.indexOf(variable), VARIABLE_NAMES.indexOf(variable.replace(/_FILE$/, '')));
  return problems.toSorted((one, other) => place(one) - place(other));
}
