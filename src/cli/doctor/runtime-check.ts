import { oldNodeRemedy } from '../../node-version.js';
import { ok, problem, type Finding } from './finding.js';

/** Checks the version of Node.js that runs this. */
export function checkRuntime(version: string = process.versions.node): Finding[] {
  const old = oldNodeRemedy(version);
  return [old ? problem('runtime', old.fault, old.remedy) : ok('runtime', `Node.js ${version}.`)];
}
