import type { Figures, Row } from './measure.js';

/** The figures of a run as the documentation shows them. */
export function tableOf(measured: readonly (readonly [Row, Figures])[]): string {
  const rows = measured.map(
    ([{ manner, connections }, { answers, memoryMiB, handles, longestMs, givenBackS }]) =>
      [
        manner,
        connections,
        answers,
        memoryMiB.toFixed(0),
        handles,
        longestMs.toFixed(0),
        givenBackS < 1 ? '< 1' : givenBackS.toFixed(0),
      ].join(' | '),
  );
  return [
    '| manner | connections | answers read | memory, MiB more | handles more | longest answer to somebody else, ms | given back after, s |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...rows.map((row) => `| ${row} |`),
    '',
  ].join('\n');
}
