import { fileURLToPath } from 'node:url';
import { closedLoop, type Answer } from './http-load.ts';
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
  /** The same of a server that shares nothing: what it takes that there are two processes on these cores. */
  raw: { one: Measured; two: Measured };
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

/**
 * One process against two on one PostgreSQL, in turns. Throughput says how it scales only where each process, the database, the
 * gateway and the load have cores of their own; CPU a payment says it on any machine: what one process does not spend more of when
 * there is another, it has for payments.
 */
export async function measureReplicas({ build, gatewayPort, postgresUrl, say }: Places): Promise<Replicas> {
  const databaseUrl = await createDatabase(postgresUrl, 'replicas');
  const program = fileURLToPath(new URL('peers/raw.ts', import.meta.url));
  const services: Subject[] = [];
  const raws: Subject[] = [];
  try {
    for (const name of ['first replica', 'second replica']) {
      services.push(await startService({ name, build, gatewayPort, databaseUrl }));
      raws.push(await startPeer({ name, program, gatewayPort }));
    }
    for (const replica of services) await measure([replica], prepared, WARM_UP);
    for (const replica of raws) await measure([replica], byPeer, WARM_UP);
    const rounds: Record<'one' | 'two' | 'rawOne' | 'rawTwo', Measured[]> = {
      one: [],
      two: [],
      rawOne: [],
      rawTwo: [],
    };
    for (let round = 0; round < ROUNDS; round++) {
      rounds.one.push(await measure(services.slice(0, 1), prepared, PAYMENTS));
      rounds.two.push(await measure(services, prepared, PAYMENTS));
      rounds.rawOne.push(await measure(raws.slice(0, 1), byPeer, PAYMENTS));
      rounds.rawTwo.push(await measure(raws, byPeer, PAYMENTS));
    }
    const replicas: Replicas = {
      one: medians(rounds.one),
      two: medians(rounds.two),
      raw: { one: medians(rounds.rawOne), two: medians(rounds.rawTwo) },
    };
    const told = ({ perSecond, cpuMs }: Measured): string =>
      `${perSecond.toFixed(0)}/s at ${cpuMs.toFixed(3)} ms`;
    say(`replicas: one ${told(replicas.one)}, two ${told(replicas.two)}`);
    say(`  raw: one ${told(replicas.raw.one)}, two ${told(replicas.raw.two)}`);
    return replicas;
  } finally {
    for (const replica of [...services, ...raws]) await replica.stop();
  }
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
