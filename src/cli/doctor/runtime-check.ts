import { ok, problem, type Finding } from './finding.js';

/** The oldest Node.js that can run the service. */
const OLDEST = [24, 9] as const;

/** Checks the version of Node.js that runs this. */
export function checkRuntime(version: string = process.versions.node): Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) {
    return [ok('runtime', `Node.js ${version}.`)];
  }
  return [
    problem(
      'runtime',
      `Node.js ${version} is older than ${OLDEST.join('.')}.`,
      'Run it through npm, which brings the right one, or install a newer Node.js.',
    ),
  ];
}
