import { buildConfig, type ConfigDraft } from '../config/config.js';
import { ConfigError } from '../config/config-error.js';
import { rulesInForce, type RulesInForce } from '../config/production-rules.js';
import { readEnv, type ReadEnv } from '../config/read-env.js';

/** The configuration as the service would read it, but without making any key. Throws `ConfigError` with every problem. */
export function inspectConfiguration(
  env: NodeJS.ProcessEnv,
): ConfigDraft & Pick<ReadEnv, 'sources' | 'values'> & { rules: RulesInForce } {
  const { values, sources, problems } = readEnv(env);
  const draft = buildConfig(values, sources, problems);
  if (!draft) throw new ConfigError(problems);
  return { ...draft, sources, values, rules: rulesInForce(values) };
}
