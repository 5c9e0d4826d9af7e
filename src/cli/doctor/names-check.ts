import { describeMisnamed, misnamedVariables } from '../../misnamed-variables.js';
import { warning, type Finding } from './finding.js';

/** Points out variables whose names are almost one of the service's. It shows no value. */
export function checkNames(env: NodeJS.ProcessEnv): Finding[] {
  return misnamedVariables(env).map((misnamed) =>
    warning(
      'configuration.names',
      `${describeMisnamed(misnamed)}.`,
      `Rename it to ${misnamed.meant}, or remove it. docs/configuration.md lists every variable.`,
    ),
  );
}
