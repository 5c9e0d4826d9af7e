import { readFileSync, statSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { Env, SECRET_VARIABLES, VARIABLE_NAMES } from './env.js';

/** One thing that is wrong with one variable. The message never shows the value. */
export interface ConfigProblem {
  readonly variable: string;
  readonly message: string;
}

/** The configuration cannot be used. The error names every problem at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly ConfigProblem[]) {
    const lines = problems.map(({ variable, message }) => `  ${variable} ${message}`);
    super(['The configuration has problems:', ...lines].join('\n'));
  }
}

export interface ReadEnv {
  /** A variable that `problems` names is unset here, or has the wrong form. */
  readonly values: Env;
  readonly problems: ConfigProblem[];
  /** The name by which a variable was given: `SECRET_KEY_FILE` if the key came from a file. */
  readonly givenAs: (name: string) => string;
}

/** No secret is longer. A path to something huge must not fill the memory. */
const MAX_FILE_BYTES = 65_536;

/** Reads each variable and checks it on its own. An empty variable counts as unset. */
export function readEnv(env: NodeJS.ProcessEnv): ReadEnv {
  const problems: ConfigProblem[] = [];
  const texts = new Map<string, string>();
  const read = (name: string, text = env[name]): string | undefined => {
    const mistake = text === undefined ? undefined : deploymentMistake(text);
    if (mistake === undefined) return text === '' ? undefined : text;
    problems.push({ variable: name, message: mistake });
    return undefined;
  };
  for (const name of VARIABLE_NAMES) {
    const text = read(name);
    if (text !== undefined) texts.set(name, text);
  }
  for (const name of SECRET_VARIABLES) {
    const variable = `${name}_FILE`;
    const path = read(variable);
    if (path === undefined) continue;
    if (env[name]) problems.push({ variable, message: `and ${name} are both set; set one of them` });
    else
      try {
        const text = read(variable, readSecretFile(path));
        if (text === undefined) problems.push({ variable, message: 'names an empty file' });
        else texts.set(name, text);
      } catch {
        problems.push({ variable, message: 'names a file that cannot be read, or has more than 64 KiB' });
      }
  }
  const givenAs = (name: string): string => (env[name] || !env[`${name}_FILE`] ? name : `${name}_FILE`);
  const values = plainToInstance(Env, Object.fromEntries(texts));
  for (const { property, constraints = {} } of validateSync(values))
    problems.push({ variable: givenAs(property), message: Object.values(constraints).join() });
  return { values, problems, givenAs };
}

/** The content of a secret's file, without the line break that editors and `echo` add. */
export function readSecretFile(path: string): string {
  if (statSync(path).size > MAX_FILE_BYTES) throw new RangeError('The file is too large.');
  return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
}

const PLACEHOLDER =
  /^(?:x{3,}|\*{3,}|\.{3}|…|change-?me\b.*|replace-?me\b.*|your[-_ ].*|todo|<[^>]*>|\$\{?\w+\}?|\{\{.*\}\})$/i;

/** What deployments do wrong with a value of any variable. */
function deploymentMistake(value: string): string | undefined {
  if (/^(["'`]).*\1$/s.test(value))
    return 'is in quotes, which are part of the value here (docker --env-file keeps them): remove them';
  if (/^(?:tcp|udp|sctp):\/\//.test(value))
    return 'was set by Kubernetes for a Service of that name: rename the Service, or set enableServiceLinks: false';
  if (PLACEHOLDER.test(value)) return 'holds a placeholder of the documents: set the real value';
  return undefined;
}
