import { buildConfig, enabledMethods, type Config } from './config.js';
import { ConfigError, type ConfigProblem } from './config-error.js';
import { VARIABLE_NAMES, type Env } from './env.js';
import { provideKeys } from './generated-keys.js';
import { rulesInForce, type RulesInForce } from './production-rules.js';
import { readEnv, type SecretSources } from './read-env.js';

export { ConfigError } from './config-error.js';
export type { Config } from './config.js';
export type { PaymentMethod } from './payment-method.js';

/** The variables as they were read, before a configuration is built from them. */
export interface ConfigReading {
  /** Every problem, in the order of the documentation. */
  readonly problems: readonly ConfigProblem[];
  /** Values by variable. The value of a variable that `problems` names has the wrong form. */
  readonly values: Env;
  readonly sources: SecretSources;
  readonly rules: RulesInForce;
  /** Present where `problems` does not name `PAYMENT_METHODS`. */
  readonly methods: Config['payments']['methods'];
  /**
   * Builds the configuration. Outside production's rules, missing keys are generated and stored now (see {@link
   * provideKeys}). Throws {@link ConfigError} with every problem, or where keys cannot be stored.
   */
  complete(): Config;
}

/** Reads and checks every variable. Writes nothing. */
export function readConfig(env: NodeJS.ProcessEnv): ConfigReading {
  const { values, sources, problems: found } = readEnv(env);
  const draft = buildConfig(values, sources, found);
  const problems = inOrder(found);
  return {
    problems,
    values,
    sources,
    rules: rulesInForce(values),
    methods: enabledMethods(values),
    complete() {
      if (draft === undefined) throw new ConfigError(problems);
      const { keys, merchantApiKeys } = provideKeys(draft.store.dataDir, sources);
      return { ...draft, keys, merchant: { ...draft.merchant, apiKeys: merchantApiKeys } };
    },
  };
}

/** Sorted like the documentation, so that a long list is easy to work through. */
function inOrder(problems: readonly ConfigProblem[]): ConfigProblem[] {
  const place = ({ variable }: ConfigProblem) =>
    Math.max(VARIABLE_NAMES.indexOf(variable), VARIABLE_NAMES.indexOf(variable.replace(/_FILE$/, '')));
  return problems.toSorted((one, other) => place(one) - place(other));
}
