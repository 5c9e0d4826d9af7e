import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { SecretFile, SecretFileError } from '../secrets/secret-file.js';
import { FixedSecret, type SecretSource } from '../secrets/secret-source.js';
import type { ConfigProblem } from './config-error.js';
import { Env } from './env.js';
import { SECRET_VARIABLES, type SecretVariable } from './secret-variables.js';

/** Every secret variable that was given, by text or by file. */
export type SecretSources = Partial<Record<SecretVariable, SecretSource>>;

export interface ReadEnv {
  /** Where a variable is malformed, its value here has the wrong form: look at it only if `problems` does not name it. */
  readonly values: Env;
  readonly sources: SecretSources;
  readonly problems: ConfigProblem[];
}

const secretNames = Object.keys(SECRET_VARIABLES) as SecretVariable[];

/** Reads and checks each variable by itself. An empty variable counts as unset. */
export function readEnv(env: NodeJS.ProcessEnv): ReadEnv {
  const problems: ConfigProblem[] = [];
  const texts = new Map(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const sources: SecretSources = {};
  for (const name of secretNames) {
    const source = readSecret(name, texts, problems);
    if (!source) continue;
    sources[name] = source;
    texts.set(name, source.current());
  }
  const values = plainToInstance(Env, Object.fromEntries(texts));
  for (const error of validateSync(values, {
    stopAtFirstError: true,
    validationError: { target: false, value: false },
  })) {
    const message = Object.values(error.constraints ?? {})[0] ?? 'is malformed';
    problems.push({ variable: error.property, message });
  }
  return { values, sources, problems };
}

function readSecret(
  name: SecretVariable,
  texts: ReadonlyMap<string, string | undefined>,
  problems: ConfigProblem[],
): SecretSource | undefined {
  const variable = `${name}_FILE`;
  const text = texts.get(name);
  const path = texts.get(variable);
  if (text !== undefined && path !== undefined) {
    problems.push({ variable, message: `and ${name} are both set; set one of them` });
    return undefined;
  }
  if (text !== undefined) return new FixedSecret(text);
  if (path === undefined) return undefined;
  try {
    return new SecretFile(path, { variable, check: SECRET_VARIABLES[name] });
  } catch (error) {
    if (!(error instanceof SecretFileError)) throw error;
    problems.push({ variable, message: error.message });
    return undefined;
  }
}
