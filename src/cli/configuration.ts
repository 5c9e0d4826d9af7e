import { buildConfig, type ConfigDraft } from '../config/config.js';
import { ConfigError } from '../config/config-error.js';
import { readEnv } from '../config/read-env.js';

/** The configuration as the service would read it, before any key is made. Throws `ConfigError` with every problem. */
export function inspectConfiguration(env: NodeJS.ProcessEnv): ConfigDraft {
  const { values, sources, problems } = readEnv(env);
  const draft = buildConfig(values, sources, problems);
  if (!draft) throw new ConfigError(problems);
  return draft;
}
