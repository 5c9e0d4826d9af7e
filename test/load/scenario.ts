import { closedLoop, openLoop } from './http-load.ts';
import { median, quantile } from './statistics.ts';
import type { Stalls, Subject } from './subject.ts';
import { takeCores } from './taken-cores.ts';

/** One way of loading a server. */
export interface Scenario {
  readonly name: string;
  /** Of the gateway's answer, in milliseconds. */
  readonly delayMs: number;
  readonly load: { readonly concurrency: number } | { readonly perSecond: number };
  /** Payments a round. */
  readonly payments: number;
  /** Half of the cores work for somebody else meanwhile. Then a server may refuse some payments with 503 and say when to come again. */
  readonly coreTaken?: boolean;
  /** Where the usual number of rounds says too little: tails need many. */
  readonly rounds?: number;
  /** The only servers that it is about, if not all. */
  readonly only?: readonly string[];
}

/** What one server did in one round of a scenario. Times are in milliseconds. */
export interface Round {
  perSecond: number;
  p50: number;
  p99: number;
  cpuMs: number;
  /** What a payment makes of objects on the main thread, in KB. Figures that were kept before it was measured have none. */
  allocatedKb?: number;
  /** The share of payments that were refused with 503, 0 to 1. The times are those of the others. */
  refused: number;
  stalls?: Stalls;
}

/** All rounds of one scenario, by server. */
export interface Measurement {
  scenario: Scenario;
  servers: { name: string; rounds: Round[] }[];
}

/** Medians over the rounds. */
export interface Figures extends Omit<Round, 'stalls'> {
  /** The lowest and the highest p99 of a round. */
  p99Low: number;
  p99High: number;
  stalls: Stalls | undefined;
}

export interface Run {
  rounds: number;
  setDelay: (ms: number) => Promise<void>;
  say: (line: string) => void;
}

/**
 * Runs each scenario in rounds, every server once a round and one after the other, so that whatever else the machine does
 * strikes all alike.
 */
export async function runScenarios(
  subjects: readonly Subject[],
  scenarios: readonly Scenario[],
  run: Run,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const scenario of scenarios) measurements.push(await runScenario(subjects, scenario, run));
  return measurements;
}

async function runScenario(
  all: readonly Subject[],
  scenario: Scenario,
  { rounds, setDelay, say }: Run,
): Promise<Measurement> {
  const subjects = all.filter(({ name }) => scenario.only?.includes(name) ?? true);
  const servers = subjects.map((subject) => ({ subject, rounds: [] as Round[] }));
  await setDelay(scenario.delayMs);
  for (let round = 0; round < (scenario.rounds ?? rounds); round++) {
    for (const server of servers) server.rounds.push(await runOnce(server.subject, scenario));
  }
  for (const { subject, rounds: measured } of servers) {
    const { perSecond, p50, p99, p99Low, p99High, cpuMs, refused, stalls } = figuresOf(measured);
    say(
      [
        `${scenario.name.padEnd(42)} ${subject.name.padEnd(26)} ${perSecond.toFixed(0).padStart(6)}/s`,
        `p50 ${p50.toFixed(1)}  p99 ${p99.toFixed(1)} (${p99Low.toFixed(1)}–${p99High.toFixed(1)})  CPU ${cpuMs.toFixed(3)} ms`,
        refused > 0 ? `refused ${(refused * 100).toFixed(1)} %` : '',
        stalls ? `loop p99 ${stalls.p99.toFixed(0)}, max ${stalls.max.toFixed(0)}` : '',
      ].join('  '),
    );
    await subject.proof?.check();
  }
  return {
    scenario,
    servers: servers.map(({ subject, rounds: done }) => ({ name: subject.name, rounds: done })),
  };
}

/** Makes every server hot: the first ten thousand requests also pay for compiling what they run. */
export async function warmUp(subjects: readonly Subject[], payments: number): Promise<void> {
  for (const subject of subjects) {
    await closedLoop(subject.port, await subject.prepare(payments), 32, (answer) => subject.isRight(answer));
  }
}

/** What is done right before and right after the load of a round. */
export interface Watch {
  begin(): Promise<void>;
  end(): Promise<void>;
}

/** One round of one server. Throws where an answer was not the right one: such a figure would be worth nothing. */
export async function runOnce(subject: Subject, scenario: Scenario, watch?: Watch): Promise<Round> {
  const { load, payments, name, coreTaken = false } = scenario;
  const requests = await subject.prepare(payments);
  let refused = 0;
  const isRight = ({ status, body }: { status: number; body: string }): boolean | undefined => {
    if (coreTaken && status === 503) {
      refused++;
      return undefined;
    }
    return subject.isRight({ status, body });
  };
  const giveBack = coreTaken ? await takeCores() : undefined;
  try {
    await watch?.begin();
    await subject.stalls?.();
    const before = await subject.usage();
    const result =
      'concurrency' in load
        ? await closedLoop(subject.port, requests, load.concurrency, isRight)
        : await openLoop(subject.port, requests, load.perSecond, isRight);
    const after = await subject.usage();
    const stalls = await subject.stalls?.();
    await watch?.end();
    if (result.wrong > 0) {
      throw new Error(`${subject.name}: ${result.wrong} of ${payments} answers were wrong in "${name}"`);
    }
    return {
      perSecond: (result.requests - refused) / result.seconds,
      p50: quantile(result.times, 0.5),
      p99: quantile(result.times, 0.99),
      cpuMs: (after.cpuMs - before.cpuMs) / result.requests,
      allocatedKb: (after.allocatedKb - before.allocatedKb) / result.requests,
      refused: refused / result.requests,
      ...(stalls && { stalls }),
    };
  } finally {
    await giveBack?.();
  }
}

export function figuresOf(rounds: readonly Round[]): Figures {
  const of = (figure: (round: Round) => number): number => median(rounds.map(figure));
  const tails = rounds.map(({ p99 }) => p99);
  const stalls = rounds.flatMap((round) => round.stalls ?? []);
  const allocated = rounds.flatMap(({ allocatedKb }) => allocatedKb ?? []);
  return {
    ...(allocated.length > 0 && { allocatedKb: median(allocated) }),
    perSecond: of((round) => round.perSecond),
    p50: of((round) => round.p50),
    p99: of((round) => round.p99),
    p99Low: Math.min(...tails),
    p99High: Math.max(...tails),
    cpuMs: of((round) => round.cpuMs),
    refused: of((round) => round.refused),
    stalls:
      stalls.length === 0
        ? undefined
        : { p99: median(stalls.map(({ p99 }) => p99)), max: median(stalls.map(({ max }) => max)) },
  };
}
