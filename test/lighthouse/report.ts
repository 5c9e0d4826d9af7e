import { CATEGORIES, type Category, type Device, type Result } from './lighthouse.ts';

/** What was measured of one page on one device. */
export interface Figure {
  page: string;
  device: Device;
  result: Result;
}

/** What every page is held to, out of 100. */
export const GOALS: Readonly<Record<Category, number>> = {
  performance: 90,
  accessibility: 100,
  'best-practices': 100,
};

/** Out of 100; undefined where it was not measured. */
export function scoreOf({ result }: Figure, category: Category): number | undefined {
  const score = result.categories[category]?.score;
  return typeof score === 'number' ? Math.round(score * 100) : undefined;
}

/** What costs points, worst first. */
export function faultsOf({ result }: Figure, category: Category): string[] {
  return (result.categories[category]?.auditRefs ?? [])
    .filter(({ weight }) => weight > 0)
    .map(({ id }) => result.audits[id])
    .filter((audit) => audit !== undefined && audit.score !== null && audit.score < 0.9)
    .sort((one, other) => (one?.score ?? 0) - (other?.score ?? 0))
    .map((audit) => `${audit?.title}${audit?.displayValue ? ` (${audit.displayValue})` : ''}`);
}

export function missedGoals(figures: readonly Figure[]): string[] {
  return figures.flatMap((figure) =>
    CATEGORIES.filter((category) => (scoreOf(figure, category) ?? 100) < GOALS[category]).map(
      (category) =>
        `${figure.page}, ${figure.device}: ${category} ${scoreOf(figure, category)}, and the goal is ${GOALS[category]}`,
    ),
  );
}

/** The page of the documentation. */
export function markdown(figures: readonly Figure[], chromium: string, runs: number): string {
  const version = figures[0]?.result.lighthouseVersion ?? '';
  const goals = CATEGORIES.map((category) => `${category} ${GOALS[category]}`).join(', ');
  const below = figures.flatMap((figure) =>
    CATEGORIES.filter((category) => (scoreOf(figure, category) ?? 100) < 100).flatMap((category) =>
      faultsOf(figure, category).map(
        (title) => `| ${figure.page} | ${figure.device} | ${category} | ${plain(title)} |`,
      ),
    ),
  );
  return [
    '# Lighthouse',
    '',
    'Written by `npm run lighthouse`: do not edit. It measures the pages that payers and merchants see, served by the built service.',
    '',
    `Lighthouse ${version}, ${chromium}, the median of ${runs} visits with an empty cache. Lighthouse reckons the times for a slow phone on a slow network (mobile)`,
    'and for a usual computer (desktop); sizes are what crosses the network. Scores are out of 100.',
    `The goals are ${goals}. The command fails where one is missed.`,
    '',
    'A payment link opens the checkout without the payer’s details, so it asks for more. Somebody must sign in to see the overview, so its',
    'time is not measured. SEO is not measured: these pages ask search engines to leave them out.',
    '',
    '| page | device | performance | accessibility | best practices | largest paint | blocked | layout shift | size |',
    '|---|---|---|---|---|---|---|---|---|',
    ...figures.map(row),
    '',
    ...(below.length === 0
      ? []
      : [
          '## What costs points',
          '',
          '| page | device | category | finding |',
          '|---|---|---|---|',
          ...below,
          '',
        ]),
  ].join('\n');
}

function row(figure: Figure): string {
  const { audits } = figure.result;
  const value = (id: string, write: (value: number) => string): string => {
    const numeric = audits[id]?.numericValue;
    return numeric === undefined ? '–' : write(numeric);
  };
  const cells = [
    figure.page,
    figure.device,
    ...CATEGORIES.map((category) => String(scoreOf(figure, category) ?? '–')),
    value('largest-contentful-paint', (ms) => `${(ms / 1000).toFixed(1)} s`),
    value('total-blocking-time', (ms) => `${Math.round(ms)} ms`),
    value('cumulative-layout-shift', (shift) => shift.toFixed(2)),
    value('total-byte-weight', (bytes) => `${Math.round(bytes / 1024)} KB`),
  ];
  return `| ${cells.join(' | ')} |`;
}

function plain(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\u00a0', ' ');
}
