import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { SecretFile, SecretFileError } from '../secrets/secret-file.js';
import { FixedSecret, type SecretSource } from '../secrets/secret-source.js';
import type { ConfigProblem } from './config-error.js';
import { Env, VARIABLE_NAMES } from './env.js';
import { rulesInForce } from './production-rules.js';
import { weaknessOf } from './secret-strength.js';
import { SECRET_VARIABLES, type Check, type SecretVariable } from './secret-variables.js';

/** Every secret variable that was given, directly or by file. */
export type SecretSources = Partial<Record<SecretVariable, SecretSource>>;

export interface ReadEnv {
  /** The value of a malformed variable has the wrong form here. Read it only if `problems` does not name it. */
  readonly values: Env;
  readonly sources: SecretSources;
  readonly problems: ConfigProblem[];
}

const secretNames = Object.keys(SECRET_VARIABLES) as SecretVariable[];

/** Reads each variable and checks it on its own. An empty variable counts as unset. */
export function readEnv(env: NodeJS.ProcessEnv): ReadEnv {
  const problems: ConfigProblem[] = [];
  const sources: SecretSources = {};
  for (const name of secretNames) {
    const source = readSecret(name, env, problems);
    if (source) sources[name] = source;
  }
  const texts = VARIABLE_NAMES.map((name) => [
    name,
    sources[name as SecretVariable]?.current() ?? textOf(env, name),
  ]);
  const values = plainToInstance(Env, Object.fromEntries(texts.filter(([, text]) => text !== undefined)));
  for (const error of validateSync(values, {
    stopAtFirstError: true,
    validationError: { target: false, value: false },
  })) {
    const message = Object.values(error.constraints ?? {})[0] ?? 'is malformed';
    problems.push({ variable: givenAs(error.property, env), message });
  }
  return { values, sources, problems };
}

function textOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name] === '' ? undefined : env[name];
}

/** The name that the operator used: `SECRET_KEY_FILE` if the key came from a file. */
function givenAs(name: string, env: NodeJS.ProcessEnv): string {
  return textOf(env, name) === undefined && textOf(env, `${name}_FILE`) !== undefined ? `${name}_FILE` : name;
}

function readSecret(
  name: SecretVariable,
  env: NodeJS.ProcessEnv,
  problems: ConfigProblem[],
): SecretSource | undefined {
  const variable = `${name}_FILE`;
  const text = textOf(env, name);
  const path = textOf(env, variable);
  if (text !== undefined && path !== undefined) {
    problems.push({ variable, message: `and ${name} are both set; set one of them` });
    return undefined;
  }
  if (text !== undefined) return new FixedSecret(text);
  if (path === undefined) return undefined;
  try {
    return new SecretFile(path, { variable, check: checkOfNewValue(name, env) });
  } catch (error) {
    if (!(error instanceof SecretFileError)) throw error;
    problems.push({ variable, message: error.message });
    return undefined;
  }
}

/** A secret that is replaced while the service runs must be as strong as the one at the start. */
function checkOfNewValue(name: SecretVariable, env: NodeJS.ProcessEnv): Check {
  const { production } = rulesInForce(env);
  return (value) => SECRET_VARIABLES[name](value) ?? (production ? weaknessOf(name, value) : undefined);
}
