/** The oldest Node.js that can run the service. */
const OLDEST = [24, 9] as const;

/** What to do about the Node.js that runs this, or undefined where it is new enough. */
export function oldNodeRemedy(
  version: string = process.versions.node,
): { fault: string; remedy: string } | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined;
  return {
    fault: `Node.js ${version} is older than ${OLDEST.join('.')}.`,
    remedy: 'Run it through npm, which brings the right one, or install a newer Node.js.',
  };
}
