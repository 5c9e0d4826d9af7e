import type { AllParts, Measured, Parts } from './figures-files.ts';
import { allGoals, WOULD_TAKE, type Goal } from './goals.ts';
import { SERVERS } from './names.ts';
import { figuresOf, type Measurement, type Round } from './scenario.ts';

/** The page with everything that has been measured so far. A part that has not been says by which command it is. */
export function writeReport(parts: AllParts): string {
  const { servers } = parts;
  return [
    '# Performance',
    '',
    'Written by `npm run bench` from the figures in `test/load/figures`: do not edit. Counts carry from one machine to another. Ratios do so only roughly: [decision 0028](decisions/0028-another-machine.md) has those of two machines.',
    '',
    `Machine: ${servers?.machine ?? 'not measured yet'}, shared with the load, the gateway and the databases. Node.js ${servers?.node ?? process.version}. Medians of ${servers?.figures.rounds ?? 0} rounds where nothing else is said.${onOthers(parts)}`,
    '',
    '## Goals',
    '',
    'What a figure must be, what we aim at, and what it is, with all features on: validation, idempotency, the intent and the outcome committed and synced to disk, events, the log at `info`, metrics.',
    '',
    ...goalsTable(allGoals(parts)),
    '',
    ...missed(allGoals(parts)),
    ...(servers
      ? [
          '![CPU time a card payment](images/performance.svg)',
          '',
          ...method,
          ...servers.figures.measurements.flatMap(scenarioTable),
          ...processes(servers.figures),
        ]
      : []),
    ...section(parts.writes, writes),
    ...section(parts.replicas, replicas),
    ...section(parts.growth, growth),
    ...section(parts.unknown, unknown),
    ...section(parts.soak, soak),
  ].join('\n');
}

/** Which parts another machine measured than that of the servers. */
function onOthers(parts: AllParts): string {
  const others = Object.entries(parts).filter(
    ([, { machine }]) => parts.servers && machine !== parts.servers.machine,
  );
  return [...Map.groupBy(others, ([, { machine }]) => machine)]
    .map(([machine, on]) => ` On ${machine}: ${on.map(([part]) => part).join(', ')}.`)
    .join('');
}

const method = [
  '## How it is measured',
  '',
  'All servers run in the same run, in turns, each as it would in production: Tillfront as it is built, its log in a file. PostgreSQL is one that has been running: it has segments of its write-ahead log to use again, and room for more before it must write its tables back (`min_wal_size` 2 GB, `max_wal_size` 4 GB, `fsync` on).',
  '',
  `- **${SERVERS.raw}**, **${SERVERS.express}** and **${SERVERS.nest}** (class-validator, HttpModule) pass the request on. They store nothing and log nothing, and only Nest validates.`,
  `- **${SERVERS.expressPg}** and **${SERVERS.nestTypeorm}** (class-validator, HttpModule) are durable: one row of PostgreSQL, inserted before the gateway is asked and updated after it has answered, a statement and a commit each, over a pool of 20; prepared statements with \`pg\`.`,
  `- The **${SERVERS.durableLimit}** is what Node.js can do at best: raw \`node:http\`, undici, and the same row in \`node:sqlite\` with \`synchronous=FULL\`, where rows that wait at the same time share a commit.`,
  '',
  'No figure of a durable server counts before the bench has seen it store: commits are synced, a row stands while the gateway is still thinking, and after each scenario there are as many paid rows as paid answers.',
  '',
  'Where one core is taken, a Node.js process of the same priority works all the time on half of the cores (bound to it with `taskset` on Linux; elsewhere the system places it). The tables give the p99 of the rounds from the lowest to the highest. A payment that is refused early with 503 is counted as refused, and its time is not counted.',
  '',
];

/** The rows that have been measured, for the terminal. */
export function goalLines(goals: readonly Goal[]): string[] {
  return goals
    .filter(({ verdict }) => verdict !== '–')
    .map(
      ({ figure, must, aim, measured, verdict }) =>
        `${measured.padStart(10)}  (${must}, aim ${aim})  ${verdict.replaceAll('*', '').padEnd(12)}  ${figure}`,
    );
}

function goalsTable(goals: readonly Goal[]): string[] {
  return table(
    ['figure', 'must', 'aim', 'measured', ''],
    goals.map(({ figure, must, aim, measured, verdict }) => [figure, must, aim, measured, verdict]),
  );
}

/** What is said of the goals that are missed now, and of no other. */
function missed(goals: readonly Goal[]): string[] {
  const said = WOULD_TAKE.flatMap(([begins, takes]) => {
    const figures = goals.filter(
      ({ figure, verdict }) => verdict === '**missed**' && begins.some((begin) => figure.startsWith(begin)),
    );
    return figures.length === 0
      ? []
      : [`- ${figures.map(({ figure }) => `*${figure}*`).join('; ')}: ${takes}`];
  });
  return said.length === 0 ? [] : ['### What the missed ones would take', '', ...said, ''];
}

function scenarioTable({ scenario, servers }: Measurement): string[] {
  const of = (name: string): readonly Round[] | undefined => servers.find((one) => one.name === name)?.rounds;
  const [first, base] = of(SERVERS.raw)
    ? ['raw', of(SERVERS.raw)]
    : [SERVERS.expressPg, of(SERVERS.expressPg)];
  const against = base && figuresOf(base);
  const stalled = servers.some(({ rounds }) => rounds.some(({ stalls }) => stalls));
  const counted = servers.some(({ rounds }) => rounds.some(({ allocatedKb }) => allocatedKb !== undefined));
  const refused = servers.some(({ rounds }) => rounds.some((round) => round.refused > 0));
  const rows = servers.map(({ name, rounds }) => {
    const figures = figuresOf(rounds);
    const { perSecond, p50, p99, p99Low, p99High, cpuMs, stalls } = figures;
    return [
      name,
      perSecond.toFixed(0),
      ratio(perSecond, against?.perSecond),
      p50.toFixed(1),
      p99.toFixed(1),
      `${p99Low.toFixed(1)}–${p99High.toFixed(1)}`,
      cpuMs.toFixed(3),
      ratio(cpuMs, against?.cpuMs),
      ...(counted ? [figures.allocatedKb?.toFixed(0) ?? ''] : []),
      ...(stalled ? [stalls ? `${stalls.p99.toFixed(0)} / ${stalls.max.toFixed(0)}` : ''] : []),
      ...(refused ? [`${(figures.refused * 100).toFixed(1)} %`] : []),
    ];
  });
  const head = [
    ...['server', 'payments a second', `× ${first}`, 'p50 ms', 'p99 ms', 'lowest–highest'],
    ...['CPU ms a payment', `× ${first}`],
    ...(counted ? ['KB of objects a payment'] : []),
    ...(stalled ? ['event loop late, p99 / max ms'] : []),
    ...(refused ? ['refused'] : []),
  ];
  const rounds = servers[0]?.rounds.length ?? 0;
  const title = `${scenario.name.charAt(0).toUpperCase()}${scenario.name.slice(1)}`;
  return [
    `## ${title}`,
    '',
    `${rounds} rounds of ${scenario.payments} payments.`,
    '',
    ...table(head, rows),
    '',
  ];
}

function processes({ processes: started }: Parts['servers']): string[] {
  const rows = started.map(({ name, startMs, rssMb }) => [name, startMs.toFixed(0), rssMb.toFixed(0)]);
  const head = ['server', 'start to first answer, ms (median of 3)', 'resident memory after the load, MB'];
  return ['## Start and memory', '', ...table(head, rows), ''];
}

function writes({ postgres, embedded }: Parts['writes']): string[] {
  const row = (name: string, way: 'oneByOne' | 'together'): string[] => [
    name,
    postgres[way].rows.toFixed(1),
    (postgres[way].logBytes / 1024).toFixed(1),
    embedded[way].frames.toFixed(1),
  ];
  return [
    '## What a card payment writes',
    '',
    'Counted by the stores themselves, over payments that are paid at once: rows added, changed and removed and bytes of write-ahead log in PostgreSQL (without the whole pages that the first change after a checkpoint writes), pages in the write-ahead log of SQLite. `test/load/writes-guard.spec.ts` holds them below the bounds in `test/load/bounds.ts`.',
    '',
    ...table(
      ['payments', 'PostgreSQL, rows', 'PostgreSQL, KB of log', 'SQLite, pages'],
      [row('one after the other', 'oneByOne'), row('32 at once', 'together')],
    ),
    '',
  ];
}

function replicas({ one, two, others }: Parts['replicas']): string[] {
  return [
    '## Two replicas on one PostgreSQL',
    '',
    ...table(
      [
        'server',
        'payments a second, 1 process',
        '2 processes',
        'CPU ms a payment, 1 process',
        '2 processes',
        'ratio',
      ],
      [{ name: SERVERS.postgres, one, two }, ...others].map((measured) => [
        measured.name,
        measured.one.perSecond.toFixed(0),
        measured.two.perSecond.toFixed(0),
        measured.one.cpuMs.toFixed(3),
        measured.two.cpuMs.toFixed(3),
        (measured.two.cpuMs / measured.one.cpuMs).toFixed(2),
      ]),
    ),
    '',
    'Where database, gateway, load and replicas share the cores, throughput says little about scaling. CPU a payment says it: what a replica does not spend more of because there is another, it has for payments. The other servers share nothing, so what two of them cost more comes from two processes on the same cores.',
    '',
  ];
}

function growth({ stored, embedded, postgres }: Parts['growth']): string[] {
  const row = (name: string, { empty, grown }: { empty: number; grown: number }): string[] => [
    name,
    empty.toFixed(3),
    grown.toFixed(3),
    ratio(grown, empty),
  ];
  return [
    '## As the store grows',
    '',
    ...table(
      ['store', 'CPU ms a payment, empty', `with ${stored.toLocaleString('en')} payments`, 'ratio'],
      [row('embedded', embedded), row('PostgreSQL', postgres)],
    ),
    '',
  ];
}

function unknown({ open, waited }: Parts['unknown']): string[] {
  return [
    '## Asking about a fresh unknown payment',
    '',
    `Beside ${open.toLocaleString('en')} open payments, ${waited.length} payments whose answer was lost, one after the other, embedded store: the gateway was asked about each after ${waited.map((one) => one.toFixed(1)).join(', ')} s.`,
    '',
  ];
}

function soak(one: Parts['soak']): string[] {
  return [
    '## Memory over time',
    '',
    `${one.minutes} minutes at half load (${one.perSecond} payments a second, ${one.paid.toLocaleString('en')} in all, ${one.refused} refused before they had begun, embedded store, started as the container image starts it): ${one.secondQuarterMb.toFixed(0)} MB in the second quarter of the time, ${one.lastQuarterMb.toFixed(0)} MB in the last, at most ${one.mostMb.toFixed(0)} MB.`,
    '',
  ];
}

function section<T>(measured: Measured<T> | undefined, write: (figures: T) => string[]): string[] {
  return measured ? write(measured.figures) : [];
}

function ratio(value: number, of: number | undefined): string {
  return of === undefined ? '?' : (value / of).toFixed(2);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}
