import { closedLoop, type Answer } from './http-load.ts';
import { median } from './statistics.ts';
import { createDatabase, preparePayments, startService, type Subject } from './subject.ts';

/** How much more two processes on one database do than one. */
export interface Replicas {
  one: { perSecond: number; cpuMs: number };
  two: { perSecond: number; cpuMs: number };
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
const ROUNDS = 3;

/**
 * One process against two on one PostgreSQL, in turns. Throughput says how it scales only where each process, the database, the
 * gateway and the load have cores of their own; CPU a payment says it on any machine: what one process does not spend more of when
 * there is another, it has for payments.
 */
export async function measureReplicas({ build, gatewayPort, postgresUrl, say }: Places): Promise<Replicas> {
  const databaseUrl = await createDatabase(postgresUrl, 'replicas');
  const both: Subject[] = [];
  for (const name of ['first replica', 'second replica']) {
    both.push(await startService({ name, build, gatewayPort, databaseUrl }));
  }
  try {
    for (const replica of both) await measure([replica], WARM_UP);
    const one: Replicas['one'][] = [];
    const two: Replicas['two'][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      one.push(await measure(both.slice(0, 1), PAYMENTS));
      two.push(await measure(both, PAYMENTS));
    }
    const replicas = { one: medians(one), two: medians(two) };
    say(
      `replicas: one ${replicas.one.perSecond.toFixed(0)}/s at ${replicas.one.cpuMs.toFixed(3)} ms, two ${replicas.two.perSecond.toFixed(0)}/s at ${replicas.two.cpuMs.toFixed(3)} ms`,
    );
    return replicas;
  } finally {
    for (const replica of both) await replica.stop();
  }
}

async function measure(replicas: readonly Subject[], count: number): Promise<Replicas['one']> {
  const ports = replicas.map(({ port }) => port);
  const payments = await preparePayments(ports, count);
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

function medians(rounds: readonly Replicas['one'][]): Replicas['one'] {
  return {
    perSecond: median(rounds.map((round) => round.perSecond)),
    cpuMs: median(rounds.map((round) => round.cpuMs)),
  };
}
