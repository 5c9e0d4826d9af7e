import type { Figures, Row } from './measure.js';

/** The figures of a run as the documentation shows them. */
export function tableOf(measured: readonly (readonly [Row, Figures])[]): string {
  return [
    '| manner | connections | answers read | memory, MiB more | handles more | longest answer to somebody else, ms | given back after, s |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...measured.map(([row, figures]) => lineOf(row, figures)),
    '',
  ].join('\n');
}

export function lineOf({ manner, connections }: Row, figures: Figures): string {
  const { answers, memoryMiB, handles, longestMs, givenBackS } = figures;
  const cells = [
    manner,
    connections,
    answers,
    memoryMiB.toFixed(0),
    handles,
    longestMs.toFixed(0),
    givenBackS < 1 ? '< 1' : givenBackS.toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}
