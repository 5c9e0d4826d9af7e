import type { AllParts, Parts, Servers } from './figures-files.ts';
import { figuresOf, type Figures } from './scenario.ts';
import { median } from './statistics.ts';
import { SCENARIOS, SERVERS } from './names.ts';

/** A figure that was promised: what it must be, what it should be, and what it is. */
export interface Goal {
  figure: string;
  must: string;
  aim: string;
  /** In words. */
  measured: string;
  verdict: 'aim reached' | 'must reached' | '**missed**' | '–';
}

/** What it would take to reach goals that are missed: the beginnings of their figures' names, and why they are missed. */
export const WOULD_TAKE: readonly (readonly [begins: readonly string[], takes: string])[] = [
  [
    ['throughput, concurrency', 'the same at concurrency', 'CPU a payment, concurrency'],
    'The peers write one row twice and keep none of the promises. A payment here has eight rows in two commits, a fingerprint, an event, an entry in the ledger and a line of the log, and no step of it takes more than 4 % (decision 0021). With every statement left out, which only a measurement may do, the same build still costs 3.4 × raw (decision 0008). It would take fewer promises, or a second process: what is left is the number of steps.',
  ],
  [
    ['p50 added', 'p99 added to a 50 ms gateway'],
    'A payment waits for two commits, and each for the batch before it. The first payment of a session that another process has made, and each later one, also asks before it is begun: two round trips. Batches side by side save a part of the waiting and cost processor time (decisions 0021 and 0025).',
  ],
  [
    ['objects made on the main thread'],
    'The durable peer, which checks nothing and makes no event, comes to more than the goal by the same count (see the tables). Half of what is made here is made by node:http, Fastify, Nest, undici, pino and the driver. It would take another server beneath.',
  ],
  [
    ['p99 added with one of two cores taken'],
    'Tails of single rounds differ by a factor of three, those of the peer too. What is left is the wait for a core, twice for each commit: the store has threads or processes of its own.',
  ],
  [
    ['event loop held up'],
    'No commit is made on the main thread; what is left there are reads (decision 0018). The time of a call includes the wait for a core.',
  ],
  [
    ['simulated payments'],
    'A payment with its faults, reports and questions takes some 200 timers and 180 queries of the replicas, and no place stands out (docs/reliability.md). It would take replicas that are woken instead of looking each second, and a store of plain objects instead of SQLite.',
  ],
  [
    ['write-ahead log'],
    'A paid payment has an entry in the ledger since 0.3.0: a row with its key and two indexes, 1.1 KB. It would take a ledger that is written apart from the payment, which could then lack what the payment says.',
  ],
  [
    ['CPU a payment of two replicas'],
    'Half of what a second replica costs is wake-ups of twice as many connections (decision 0016). It would take fewer of them: the two could share what they listen to.',
  ],
  [
    ['start to ready'],
    'A quarter of a start compiles modules; the rest resolves, reads and runs them. Compiled code that is kept spares next to nothing (decision 0028). It would take one file made of all modules. On the machine of the run before it was 0.97 s.',
  ],
  [
    ['memory after'],
    'The young generation of 16 MB is what costs most. With 8 MB it was 248 MB after a minute, for 15 % more processor time a payment, and with `--optimize-for-size` 230 MB. Who has less memory than time starts the image with one of them.',
  ],
  [
    ['`npm test`'],
    'What is left are processes that are started, killed and asked again, on two stores. It would take proofs in virtual time of what these processes do with sockets and disks.',
  ],
];

const GATEWAY_MS = 50;
interface Bounds {
  must: number;
  aim: number;
  unit: string;
  digits?: number;
}

/** A number with its thousands apart, and with just so many digits behind the point where they are said. */
function inWords(value: number, digits?: number): string {
  const fraction =
    digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString('en', fraction);
}

/** Where more is better. */
function atLeast(figure: string, measured: number | string, { must, aim, unit, digits = 2 }: Bounds): Goal {
  return judged(figure, measured, {
    ...{ must: `≥ ${inWords(must)} ${unit}`, aim: `≥ ${inWords(aim)} ${unit}`, unit, digits },
    reaches: (value) => ({ must: value >= must, aim: value >= aim }),
  });
}

/** Where less is better. */
function atMost(figure: string, measured: number | string, { must, aim, unit, digits = 2 }: Bounds): Goal {
  return judged(figure, measured, {
    ...{ must: `≤ ${inWords(must)} ${unit}`, aim: `≤ ${inWords(aim)} ${unit}`, unit, digits },
    reaches: (value) => ({ must: value <= must, aim: value <= aim }),
  });
}

/** `measured` in words says why there is no figure. */
function judged(
  figure: string,
  measured: number | string,
  bound: {
    must: string;
    aim: string;
    unit: string;
    digits: number;
    reaches: (value: number) => { must: boolean; aim: boolean };
  },
): Goal {
  const { must, aim } = bound;
  if (typeof measured === 'string') return { figure, must, aim, measured, verdict: '–' };
  const reached = bound.reaches(measured);
  return {
    ...{ figure, must, aim },
    measured: `${inWords(measured, bound.digits)} ${bound.unit}`,
    verdict: reached.aim ? 'aim reached' : reached.must ? 'must reached' : '**missed**',
  };
}

/** The goals that a run of the servers alone can judge; `--quick` prints those whose scenarios it ran. */
export function serverGoals(servers: Servers | undefined): Goal[] {
  const notMeasured = 'not measured yet';
  const figures = (scenario: string, server: string): Figures | undefined => {
    const found = servers?.measurements.find((one) => one.scenario.name === scenario);
    const rounds = found?.servers.find(({ name }) => name === server)?.rounds;
    return rounds && figuresOf(rounds);
  };
  const ratio = (
    scenario: string,
    ours: string,
    theirs: string,
    of: (figures: Figures) => number,
  ): number | string => {
    const [a, b] = [figures(scenario, ours), figures(scenario, theirs)];
    return a && b ? of(a) / of(b) : notMeasured;
  };
  const perSecond = (one: Figures): number => one.perSecond;
  const cpuMs = (one: Figures): number => one.cpuMs;
  const added = (one: Figures): number => one.p99 - GATEWAY_MS;
  const { concurrency32, concurrency256, quiet300 } = SCENARIOS;
  const { embedded, postgres, express, expressPg, nestTypeorm, durableLimit } = SERVERS;
  const quiet = figures(quiet300, postgres);
  return [
    atLeast(
      `throughput, ${concurrency32}, PostgreSQL, against ${expressPg} (durable)`,
      ratio(concurrency32, postgres, expressPg, perSecond),
      { must: 1.3, aim: 2, unit: '×' },
    ),
    atLeast(`the same at ${concurrency256}`, ratio(concurrency256, postgres, expressPg, perSecond), {
      must: 1.5,
      aim: 2,
      unit: '×',
    }),
    atLeast(
      `throughput, ${concurrency32}, PostgreSQL, against ${nestTypeorm} (durable)`,
      ratio(concurrency32, postgres, nestTypeorm, perSecond),
      { must: 2, aim: 3, unit: '×' },
    ),
    atMost(
      `CPU a payment, ${concurrency32}, PostgreSQL, against ${expressPg} (durable)`,
      ratio(concurrency32, postgres, expressPg, cpuMs),
      { must: 0.7, aim: 0.5, unit: '×' },
    ),
    atLeast(
      `throughput, ${concurrency32}, embedded, against ${express} (nothing stored)`,
      ratio(concurrency32, embedded, express, perSecond),
      { must: 1, aim: 1.5, unit: '×' },
    ),
    atMost(
      `CPU a payment, ${concurrency32}, embedded, against the durable limit`,
      ratio(concurrency32, embedded, durableLimit, cpuMs),
      { must: 3, aim: 2, unit: '×' },
    ),
    ...[postgres, embedded].flatMap((server) => {
      const store = server.replace('Tillfront, ', '');
      const [quietly, busy] = [figures(quiet300, server), figures(concurrency32, server)];
      return [
        atMost(
          `p50 added to a 50 ms gateway at 300/s, ${store}`,
          quietly ? quietly.p50 - GATEWAY_MS : notMeasured,
          { must: 4, aim: 2, unit: 'ms', digits: 1 },
        ),
        atMost(
          `objects made on the main thread for a card payment, by V8's own count, ${store}`,
          busy?.allocatedKb ?? notMeasured,
          { must: 100, aim: 60, unit: 'KB', digits: 0 },
        ),
      ];
    }),
    atMost('p99 added to a 50 ms gateway at 300/s, PostgreSQL, quiet', quiet ? added(quiet) : notMeasured, {
      must: 15,
      aim: 8,
      unit: 'ms',
      digits: 1,
    }),
    ...[SCENARIOS.taken300, SCENARIOS.taken150].flatMap((scenario) =>
      [postgres, embedded].map((server) => {
        const ours = figures(scenario, server);
        const refused = ours && ours.refused > 0 ? `; ${(ours.refused * 100).toFixed(1)} % refused` : '';
        return atMost(
          `p99 added with one of two cores taken, ${scenario.slice(0, 3)}/s, ${server.replace('Tillfront, ', '')}, against ${expressPg} (durable)${refused}`,
          ratio(scenario, server, expressPg, added),
          { must: 0.5, aim: 0.25, unit: '×' },
        );
      }),
    ),
  ];
}

/** Every goal, in the order in which they were set. */
export function allGoals(parts: AllParts): Goal[] {
  const by = <P extends keyof Parts>(
    part: P,
    value: (figures: Parts[P]) => number,
    otherwise: string,
  ): number | string => {
    const measured = parts[part];
    return measured ? value(measured.figures) : otherwise;
  };
  const bench = (part: string): string => `not measured yet (\`npm run bench -- ${part}\`)`;
  const stored = parts.growth?.figures.stored.toLocaleString('en') ?? '10,000,000';
  const open = parts.unknown?.figures.open.toLocaleString('en') ?? '10,000';
  const worse = ({ oneByOne, together }: Parts['writes']['postgres'], what: 'rows' | 'logBytes'): number =>
    Math.max(oneByOne[what], together[what]);
  const soak = parts.soak?.figures;
  const blocks = parts.install
    ? ` (${parts.install.figures.blocksMb.toFixed(0)} MB in blocks of a file system)`
    : '';
  const grown = ['embedded', 'postgres'] as const;
  return [
    ...serverGoals(parts.servers?.figures),
    atMost(
      'event loop held up by the embedded store at 300/s, the longest of three rounds',
      by('holds', ({ longestMs }) => Math.max(...longestMs), bench('holds')),
      { must: 5, aim: 2, unit: 'ms', digits: 1 },
    ),
    atLeast(
      'simulated payments a minute of one core, with faults, crashes and replicas',
      by('simulation', ({ perMinute }) => perMinute, bench('simulation')),
      { must: 50_000, aim: 200_000, unit: 'payments', digits: 0 },
    ),
    atMost(
      'row operations a card payment (paid at once), PostgreSQL',
      by('writes', ({ postgres }) => worse(postgres, 'rows'), bench('writes')),
      { must: 12, aim: 8, unit: 'rows', digits: 1 },
    ),
    atMost(
      'write-ahead log a card payment, PostgreSQL, between checkpoints',
      by('writes', ({ postgres }) => worse(postgres, 'logBytes') / 1024, bench('writes')),
      { must: 7, aim: 5, unit: 'KB', digits: 1 },
    ),
    atMost(
      'CPU a payment of two replicas against one',
      by('replicas', ({ one, two }) => two.cpuMs / one.cpuMs, bench('replicas')),
      { must: 1.25, aim: 1.1, unit: '×' },
    ),
    ...grown.map((store) =>
      atMost(
        `CPU a payment at ${stored} stored against an empty store, ${store === 'postgres' ? 'PostgreSQL' : store}`,
        by('growth', (growth) => growth[store].grown / growth[store].empty, bench('growth')),
        { must: 1.2, aim: 1.05, unit: '×' },
      ),
    ),
    atMost(
      `a fresh unknown payment asked about beside ${open} open ones (the longest wait of ${parts.unknown?.figures.waited.length ?? 10})`,
      by('unknown', ({ waited }) => Math.max(...waited), bench('unknown')),
      { must: 5, aim: 2, unit: 's', digits: 1 },
    ),
    atMost(
      'start to ready, built, embedded',
      by('servers', ({ processes }) => started(processes) / 1000, bench('servers')),
      { must: 1.5, aim: 0.8, unit: 's' },
    ),
    atMost(
      `memory after ${soak?.minutes ?? 30} min at half load, embedded, as the container starts it`,
      by('soak', ({ lastQuarterMb }) => lastQuarterMb, 'not measured yet (`npm run soak -- --write`)'),
      { must: 250, aim: 180, unit: 'MB', digits: 0 },
    ),
    atMost(
      'its growth from the second quarter of that time to the last (flat)',
      by(
        'soak',
        (one) => one.lastQuarterMb - one.secondQuarterMb,
        'not measured yet (`npm run soak -- --write`)',
      ),
      { must: 25, aim: 10, unit: 'MB', digits: 0 },
    ),
    atMost(
      `production install${blocks}`,
      by('install', ({ filesMb }) => filesMb, bench('install')),
      { must: 120, aim: 80, unit: 'MB', digits: 0 },
    ),
    atMost(
      '`npm test`, on two cores; `npm run test:more` is apart',
      by('tests', ({ all }) => all / 60, bench('tests')),
      {
        ...{ must: 8, aim: 5, unit: 'min', digits: 1 },
      },
    ),
    atMost(
      '`npm run test:quick`',
      by('tests', ({ quick }) => quick, bench('tests')),
      {
        ...{ must: 90, aim: 45, unit: 's', digits: 0 },
      },
    ),
  ];
}

function started(processes: readonly { name: string; startMs: number }[]): number {
  return median(processes.filter(({ name }) => name === SERVERS.embedded).map(({ startMs }) => startMs));
}
