import { closedLoop, openLoop } from './http-load.ts';
import { median, quantile } from './statistics.ts';
import type { Subject } from './subject.ts';

/** One way of loading a server. */
export interface Scenario {
  readonly name: string;
  /** Of the gateway's answer, in milliseconds. */
  readonly delayMs: number;
  readonly load: { readonly concurrency: number } | { readonly perSecond: number };
  /** Payments a round. */
  readonly payments: number;
}

/** What one server did in one scenario: medians over the rounds. */
export interface Figures {
  perSecond: number;
  p50: number;
  p99: number;
  cpuMs: number;
}

export type Results = Map<Scenario, Map<string, Figures>>;

type Round = Figures;

/**
 * Runs each scenario in rounds, every server once a round and one after the other, so that whatever else the machine does
 * strikes all alike. The first round only warms up.
 */
export async function runScenarios(
  subjects: readonly Subject[],
  scenarios: readonly Scenario[],
  rounds: number,
  setDelay: (ms: number) => Promise<void>,
  say: (line: string) => void,
): Promise<Results> {
  const results: Results = new Map();
  for (const scenario of scenarios) {
    await setDelay(scenario.delayMs);
    const measured = new Map<string, Round[]>(subjects.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const subject of subjects) measured.get(subject.name)?.push(await runOnce(subject, scenario));
    }
    const figures = new Map([...measured].map(([name, all]) => [name, medians(all)] as const));
    results.set(scenario, figures);
    for (const [name, { perSecond, p50, p99, cpuMs }] of figures) {
      say(
        `${scenario.name.padEnd(34)} ${name.padEnd(28)} ${perSecond.toFixed(0).padStart(6)}/s  p50 ${p50.toFixed(1)}  p99 ${p99.toFixed(1)}  CPU ${cpuMs.toFixed(3)} ms`,
      );
    }
  }
  return results;
}

/** Makes every server hot: the first ten thousand requests also pay for compiling what they run. */
export async function warmUp(subjects: readonly Subject[], payments: number): Promise<void> {
  for (const subject of subjects) {
    await closedLoop(subject.port, await subject.prepare(payments), 32, (answer) => subject.isRight(answer));
  }
}

/** One round of one server. Throws where an answer was not the right one: such a figure would be worth nothing. */
export async function runOnce(subject: Subject, { load, payments, name }: Scenario): Promise<Round> {
  const requests = await subject.prepare(payments);
  const isRight = subject.isRight.bind(subject);
  const before = await subject.usage();
  const result =
    'concurrency' in load
      ? await closedLoop(subject.port, requests, load.concurrency, isRight)
      : await openLoop(subject.port, requests, load.perSecond, isRight);
  const after = await subject.usage();
  if (result.wrong > 0) {
    throw new Error(`${subject.name}: ${result.wrong} of ${payments} answers were wrong in "${name}"`);
  }
  return {
    perSecond: result.requests / result.seconds,
    p50: quantile(result.times, 0.5),
    p99: quantile(result.times, 0.99),
    cpuMs: (after.cpuMs - before.cpuMs) / result.requests,
  };
}

function medians(rounds: readonly Round[]): Figures {
  return {
    perSecond: median(rounds.map((round) => round.perSecond)),
    p50: median(rounds.map((round) => round.p50)),
    p99: median(rounds.map((round) => round.p99)),
    cpuMs: median(rounds.map((round) => round.cpuMs)),
  };
}
