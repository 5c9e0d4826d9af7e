import { relative } from 'node:path';

const SHOWN = 10;

/** The parts of jest's results that the table needs. */
interface Results {
  startTime: number;
  testResults: readonly { testFilePath: string; perfStats: { start: number; end: number } }[];
}

/** Prints the slowest files at the end of a run of many files, so that a file is noticed when it becomes slow. */
export default class SlowestFiles {
  onRunComplete(_contexts: unknown, { testResults, startTime }: Results): void {
    if (testResults.length <= SHOWN) return;
    const files = testResults
      .map(({ testFilePath, perfStats }) => ({
        path: relative(process.cwd(), testFilePath),
        seconds: (perfStats.end - perfStats.start) / 1000,
      }))
      .toSorted((one, other) => other.seconds - one.seconds);
    const sum = files.reduce((total, { seconds }) => total + seconds, 0);
    const rows = files
      .slice(0, SHOWN)
      .map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`);
    process.stderr.write(
      `\nThe slowest ${SHOWN} of ${files.length} test files, which took ${sum.toFixed(0)} s side by side in ` +
        `${((Date.now() - startTime) / 1000).toFixed(0)} s:\n${rows.join('\n')}\n`,
    );
  }
}
