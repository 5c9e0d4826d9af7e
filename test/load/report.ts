import type { Growth } from './growth.ts';
import type { Install } from './install.ts';
import type { Replicas } from './replicas.ts';
import type { Figures, Results, Scenario } from './scenario.ts';

export interface Measured {
  machine: string;
  node: string;
  rounds: number;
  results: Results;
  processes: readonly { name: string; startMs: number; rssMb: number }[];
  replicas: Replicas;
  growth: Growth;
  install: Install;
}

/** What stands between these is written by the soak and kept by the bench. */
const SOAK_BEGIN = '<!-- soak -->';
const SOAK_END = '<!-- /soak -->';

/** The page with all figures. `before` is the page as it was: what the soak has written into it is kept. */
export function writeReport(measured: Measured, before: string): string {
  const soak = before.includes(SOAK_BEGIN)
    ? before.slice(before.indexOf(SOAK_BEGIN), before.indexOf(SOAK_END) + SOAK_END.length)
    : `${SOAK_BEGIN}\nNot measured yet: \`npm run soak\`.\n${SOAK_END}`;
  return [
    '# Performance',
    '',
    'Written by `npm run bench`: do not edit. Every server runs in the same run, in turns, each as it would in production: the service as it is built, with validation, idempotency, the intent and the outcome committed and synced to disk, events, the log at `info` into a file, and metrics. PostgreSQL is one that has been running: it has segments of its write-ahead log to use again, and room for more before it must write its tables back (`min_wal_size` 2 GB, `max_wal_size` 4 GB). The others only pass the request on: they store nothing and log nothing, and only Nest validates. Only ratios and CPU time a payment carry from one machine to another.',
    '',
    `Machine: ${measured.machine}. Node.js ${measured.node}. Medians of ${measured.rounds} rounds.`,
    '',
    '![CPU time a card payment](images/performance.svg)',
    '',
    ...goals(measured, soakedMb(soak)),
    ...[...measured.results].flatMap(([scenario, figures]) => scenarioTable(scenario, figures)),
    ...processes(measured),
    ...replicas(measured.replicas),
    ...growth(measured.growth),
    '## Memory over time',
    '',
    soak,
    '',
  ].join('\n');
}

/** How much memory the soak has found in the last quarter of its time, in MB; NaN where there was none. */
function soakedMb(soak: string): number {
  return Number(/(\d+) MB in the last/.exec(soak)?.[1] ?? NaN);
}

/** Puts the soak's own words into the page. */
export function withSoak(page: string, text: string): string {
  const written = `${SOAK_BEGIN}\n${text}\n${SOAK_END}`;
  if (!page.includes(SOAK_BEGIN)) return `${page}\n## Memory over time\n\n${written}\n`;
  return (
    page.slice(0, page.indexOf(SOAK_BEGIN)) + written + page.slice(page.indexOf(SOAK_END) + SOAK_END.length)
  );
}

/** A goal, what was measured, and whether that reaches it. */
function goal(figure: string, measured: number, most: number, unit: string, digits = 2): string[] {
  return [figure, `≤ ${most} ${unit}`, `${measured.toFixed(digits)} ${unit}`, reached(measured <= most)];
}

function atLeast(figure: string, measured: number, least: number): string[] {
  return [figure, `≥ ${least} ×`, `${measured.toFixed(2)} ×`, reached(measured >= least)];
}

function reached(yes: boolean): string {
  return yes ? 'reached' : '**missed**';
}

function goals(
  { results, processes: started, growth: grown, replicas: scaled, install }: Measured,
  soaked: number,
): string[] {
  const figures = (name: string, server: string): Figures => {
    const found = [...results].find(([scenario]) => scenario.name === name)?.[1].get(server);
    if (!found) throw new Error(`"${name}" was not measured with ${server}`);
    return found;
  };
  const busy = (server: string): Figures => figures('concurrency 32', server);
  const stored = grown.stored.toLocaleString('en');
  const rows = ['Tillfront, embedded store', 'Tillfront, PostgreSQL'].flatMap((server) => [
    goal(
      `CPU a payment against raw \`node:http\`, ${server}`,
      busy(server).cpuMs / busy('raw node:http').cpuMs,
      2.5,
      '×',
    ),
    atLeast(
      `throughput at concurrency 32 against Express + axios, ${server}`,
      busy(server).perSecond / busy('Express + axios').perSecond,
      1.5,
    ),
    goal(
      `p99 added to a 50 ms gateway at 300/s, ${server}`,
      figures('300 a second, gateway 50 ms', server).p99 - 50,
      15,
      'ms',
      1,
    ),
  ]);
  rows.push(
    atLeast(
      'throughput of two replicas on PostgreSQL against one, all on these cores',
      scaled.two.perSecond / scaled.one.perSecond,
      1.6,
    ),
  );
  for (const [store, { empty, grown: full }] of [
    ['embedded', grown.embedded],
    ['PostgreSQL', grown.postgres],
  ] as const) {
    rows.push(
      goal(`CPU a payment with ${stored} stored against an empty store, ${store}`, full / empty, 1.2, '×'),
    );
  }
  const embedded = started.find(({ name }) => name === 'Tillfront, embedded store');
  rows.push(
    goal('start to ready, embedded store', embedded?.startMs ?? NaN, 1_500, 'ms', 0),
    goal(
      'memory at the end of half an hour at half load, embedded store, as the container starts it',
      soaked,
      250,
      'MB',
      0,
    ),
    goal(
      `production install (${install.blocksMb.toFixed(0)} MB in blocks of a file system)`,
      install.filesMb,
      120,
      'MB',
      0,
    ),
  );
  return ['## Goals', '', ...table(['figure', 'goal', 'measured', ''], rows), ''];
}

function scenarioTable({ name }: Scenario, figures: Map<string, Figures>): string[] {
  const raw = figures.get('raw node:http');
  const rows = [...figures].map(([server, { perSecond, p50, p99, cpuMs }]) => [
    server,
    perSecond.toFixed(0),
    ratio(perSecond, raw?.perSecond),
    p50.toFixed(1),
    p99.toFixed(1),
    cpuMs.toFixed(3),
    ratio(cpuMs, raw?.cpuMs),
  ]);
  const head = ['server', 'payments a second', '× raw', 'p50 ms', 'p99 ms', 'CPU ms a payment', '× raw'];
  return [`## ${name.charAt(0).toUpperCase()}${name.slice(1)}`, '', ...table(head, rows), ''];
}

function processes({ processes: started }: Measured): string[] {
  const rows = started.map(({ name, startMs, rssMb }) => [name, startMs.toFixed(0), rssMb.toFixed(0)]);
  return [
    '## Start and memory',
    '',
    ...table(
      ['server', 'start to first answer, ms (median of 3)', 'resident memory after the load, MB'],
      rows,
    ),
    '',
  ];
}

function replicas({ one, two }: Replicas): string[] {
  return [
    '## Two replicas on one PostgreSQL',
    '',
    ...table(
      ['processes', 'payments a second', 'CPU ms a payment'],
      [
        ['1', one.perSecond.toFixed(0), one.cpuMs.toFixed(3)],
        ['2', two.perSecond.toFixed(0), two.cpuMs.toFixed(3)],
      ],
    ),
    '',
    'Where database, gateway, load and replicas share the cores, throughput says little about scaling. CPU a payment says it: what a replica does not spend more of because there is another, it has for payments.',
    '',
  ];
}

function growth({ stored, embedded, postgres }: Growth): string[] {
  return [
    '## As the store grows',
    '',
    ...table(
      ['store', 'CPU ms a payment, empty', `with ${stored.toLocaleString('en')} payments`, 'ratio'],
      [
        [
          'embedded',
          embedded.empty.toFixed(3),
          embedded.grown.toFixed(3),
          ratio(embedded.grown, embedded.empty),
        ],
        [
          'PostgreSQL',
          postgres.empty.toFixed(3),
          postgres.grown.toFixed(3),
          ratio(postgres.grown, postgres.empty),
        ],
      ],
    ),
    '',
  ];
}

function ratio(value: number | undefined, of: number | undefined): string {
  return value === undefined || of === undefined ? '?' : (value / of).toFixed(2);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}
