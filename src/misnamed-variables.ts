import { VARIABLE_NAMES } from './config/env.js';
import { SECRET_VARIABLES } from './config/secret-variables.js';
import { nearest } from './gateway/profile/nearest.js';

/** A variable that nothing reads, and the one that was probably meant. */
export interface MisnamedVariable {
  given: string;
  meant: string;
}

/** More differences would be another name, which somebody else may need. */
const MOST_DIFFERENCES = 2;

/** Node.js and OpenTelemetry read variables of their own under these prefixes. */
const PREFIXES_OF_OTHERS = ['NODE_', 'OTEL_'];

const secretFiles = Object.keys(SECRET_VARIABLES).map((name) => `${name}_FILE`);
/** `TILLFRONT_URL` is read by the commands alone. */
const known = new Set([...VARIABLE_NAMES, ...secretFiles, 'TILLFRONT_URL']);
const prefixes = new Set(
  [...known].filter((name) => name.includes('_')).map((name) => name.slice(0, name.indexOf('_') + 1)),
);

/** The variables of the environment whose names are almost one of the service's. Looks at names only. */
export function misnamedVariables(env: NodeJS.ProcessEnv): MisnamedVariable[] {
  return Object.keys(env).flatMap((given) => {
    const prefix = given.slice(0, given.indexOf('_') + 1).toUpperCase();
    if (known.has(given) || !prefixes.has(prefix) || PREFIXES_OF_OTHERS.includes(prefix)) return [];
    const meant = meantBy(given);
    return meant === undefined ? [] : [{ given, meant }];
  });
}

/** Only secrets may be given as a file. The same suffix on another variable is a mistake, too. */
function meantBy(given: string): string | undefined {
  const withoutFile = given.replace(/_FILE$/, '');
  return known.has(withoutFile) ? withoutFile : nearest(given, known, MOST_DIFFERENCES);
}

/** One line for the operator. */
export function describeMisnamed({ given, meant }: MisnamedVariable): string {
  return `${given} is not a variable of Tillfront and is ignored; perhaps ${meant} is meant`;
}
