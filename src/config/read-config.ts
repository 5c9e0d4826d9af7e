import { configDraft, type Config, type ConfigDraft } from './config.js';
import { VARIABLE_NAMES, type Env } from './env.js';
import { provideKeys } from './generated-keys.js';
import { ConfigError, readEnv, type ConfigProblem } from './read-env.js';
import { crossCheck } from './rules.js';

export { ConfigError } from './read-env.js';

/** The variables as they were read, before a configuration is built from them. */
export interface ConfigReading {
  /** Every problem, in the order of the documentation. */
  readonly problems: readonly ConfigProblem[];
  /** The value of a variable that `problems` names is missing or has the wrong form. */
  readonly values: Env;
  /** The configuration without any key being made. Throws {@link ConfigError} with every problem. */
  draft(): ConfigDraft;
  /** The same; outside of production's rules, keys that were not given are made and stored now. */
  complete(): Config;
}

/** Reads and checks every variable. Writes nothing. */
export function readConfig(env: NodeJS.ProcessEnv): ConfigReading {
  const read = readEnv(env);
  const { values } = read;
  crossCheck(read);
  const place = ({ variable }: ConfigProblem): number =>
    VARIABLE_NAMES.findIndex((name) => name === variable || `${name}_FILE` === variable);
  const problems = read.problems.toSorted((one, other) => place(one) - place(other));
  const draft = (): ConfigDraft => {
    if (problems.length > 0) throw new ConfigError(problems);
    return configDraft(values, env['DATABASE_URL'] ? undefined : env['DATABASE_URL_FILE']);
  };
  return {
    problems,
    values,
    draft,
    complete: () => provideKeys(draft(), values),
  };
}
