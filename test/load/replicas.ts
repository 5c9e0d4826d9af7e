import { fileURLToPath } from 'node:url';
import { closedLoop, type Answer } from './http-load.ts';
import { SERVERS } from './names.ts';
import { median } from './statistics.ts';
import { createDatabase, preparePayments, startPeer, startService, type Subject } from './subject.ts';

interface Measured {
  perSecond: number;
  cpuMs: number;
}

/** How much more two processes on one database do than one. */
export interface Replicas {
  one: Measured;
  two: Measured;
  /** The same of servers that share nothing: what it costs that two processes are on these cores. */
  others: { name: string; one: Measured; two: Measured }[];
}

export interface Places {
  build: string;
  gatewayPort: number;
  postgresUrl: string;
  say: (line: string) => void;
}

/** For each process: as long as it compiles what it runs, a payment costs more, and the second one has had fewer of them. */
const WARM_UP = 8_000;
const PAYMENTS = 2_000;
const CONCURRENCY = 64;
const ROUNDS = 5;
const OTHERS = [
  [SERVERS.raw, 'peers/raw.ts'],
  [SERVERS.express, 'peers/express-axios.ts'],
] as const;

/**
 * One process against two on one PostgreSQL, in turns. Throughput says how it scales only where each process, the database, the
 * gateway and the load have cores of their own; CPU a payment says it on any machine: what one process does not spend more of when
 * there is another, it has for payments.
 */
export async function measureReplicas({ build, gatewayPort, postgresUrl, say }: Places): Promise<Replicas> {
  const databaseUrl = await createDatabase(postgresUrl, 'replicas');
  const pairs: Pair[] = [];
  try {
    const service = (name: string): Promise<Subject> =>
      startService({ name, build, gatewayPort, databaseUrl });
    pairs.push(await pair(SERVERS.postgres, prepared, service));
    for (const [name, file] of OTHERS) {
      const program = fileURLToPath(new URL(file, import.meta.url));
      pairs.push(await pair(name, byPeer, () => startPeer({ name, program, gatewayPort })));
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const { both, prepare, one, two } of pairs) {
        one.push(await measure(both.slice(0, 1), prepare, PAYMENTS));
        two.push(await measure(both, prepare, PAYMENTS));
      }
    }
    const told = ({ perSecond, cpuMs }: Measured): string =>
      `${perSecond.toFixed(0)}/s at ${cpuMs.toFixed(3)} ms`;
    const [own, ...others] = pairs.map(({ name, one, two }) => {
      const measured = { name, one: medians(one), two: medians(two) };
      say(`${name}: one ${told(measured.one)}, two ${told(measured.two)}`);
      return measured;
    });
    if (!own) throw new Error('nothing was measured');
    return { one: own.one, two: own.two, others };
  } finally {
    for (const { both } of pairs) for (const replica of both) await replica.stop();
  }
}

interface Pair {
  name: string;
  both: readonly Subject[];
  prepare: Prepare;
  one: Measured[];
  two: Measured[];
}

/** Two processes that have compiled what they run. */
async function pair(
  name: string,
  prepare: Prepare,
  start: (name: string) => Promise<Subject>,
): Promise<Pair> {
  const both = [await start(`${name}, first`), await start(`${name}, second`)];
  for (const replica of both) await measure([replica], prepare, WARM_UP);
  return { name, both, prepare, one: [], two: [] };
}

type Prepare = (replicas: readonly Subject[], count: number) => Promise<Buffer[]>;

/** Sessions are made by all replicas in turn, so about every second payer comes to one that has not made the session. */
const prepared: Prepare = (replicas, count) =>
  preparePayments(
    replicas.map(({ port }) => port),
    count,
  );

const byPeer: Prepare = async ([peer], count) => (await peer?.prepare(count)) ?? [];

async function measure(replicas: readonly Subject[], prepare: Prepare, count: number): Promise<Measured> {
  const payments = await prepare(replicas, count);
  const cpu = async (): Promise<number> =>
    (await Promise.all(replicas.map((replica) => replica.usage()))).reduce(
      (sum, { cpuMs }) => sum + cpuMs,
      0,
    );
  const before = await cpu();
  const begun = performance.now();
  let wrong: Answer | undefined;
  const share = Math.ceil(count / replicas.length);
  const runs = await Promise.all(
    replicas.map((replica, index) =>
      closedLoop(
        replica.port,
        payments.slice(index * share, (index + 1) * share),
        CONCURRENCY / replicas.length,
        (answer) => {
          const right = replica.isRight(answer);
          if (!right) wrong ??= answer;
          return right;
        },
      ),
    ),
  );
  const seconds = (performance.now() - begun) / 1000;
  if (runs.some((run) => run.wrong > 0))
    throw new Error(`a replica gave a wrong answer: ${wrong?.status ?? 0} ${wrong?.body ?? 'none'}`);
  return { perSecond: count / seconds, cpuMs: ((await cpu()) - before) / count };
}

function medians(rounds: readonly Measured[]): Measured {
  return {
    perSecond: median(rounds.map((round) => round.perSecond)),
    cpuMs: median(rounds.map((round) => round.cpuMs)),
  };
}
