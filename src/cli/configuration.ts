import type { ConfigDraft } from '../config/config.js';
import { readConfig } from '../config/read-config.js';

/** The configuration as the service would read it, before any key is made. Throws `ConfigError` with every problem. */
export function inspectConfiguration(env: NodeJS.ProcessEnv): ConfigDraft {
  return readConfig(env).draft();
}
