import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreHolds } from './figures-files.ts';
import type { Stall, StallFigures } from './peers/stall-watch.ts';
import { runOnce, warmUp, type Round, type Run, type Scenario } from './scenario.ts';
import type { Subject } from './subject.ts';

const WARM_UP = 8_000;
const LONGEST = 12;
const HOLD_ROUNDS = 3;

/** Says what a warm server's main thread was doing while its event loop stood still, by kind of work. */
export async function watchStalls(
  subject: Subject,
  scenario: Scenario,
  run: Run,
  scale: number,
): Promise<void> {
  const { round, seen } = await watchOnce(subject, scenario, run, scale);
  const { p50, p99, cpuMs, refused } = round;
  run.say(
    `${subject.name}, ${scenario.name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, CPU ${cpuMs.toFixed(3)} ms a payment, refused ${(refused * 100).toFixed(1)} % (with the watch's own cost)`,
  );
  for (const line of summary(seen)) run.say(line);
}

/**
 * How long the main thread is held by SQLite in one go while the server is under a scenario's load, the longest of each round, in
 * milliseconds. Each round has a server of its own, since a watch cannot be taken off again.
 */
export async function measureStoreHolds(
  start: () => Promise<Subject>,
  scenario: Scenario,
  run: Run,
  scale: number,
): Promise<StoreHolds> {
  const longestMs: number[] = [];
  for (let round = 0; round < HOLD_ROUNDS; round++) {
    const subject = await start();
    try {
      const { work } = (await watchOnce(subject, scenario, run, scale)).seen;
      const sqlite = Object.entries(work).filter(([kind]) => kind.startsWith('sqlite'));
      longestMs.push(Math.max(0, ...sqlite.map(([, { max }]) => max)));
      run.say(`held by SQLite for ${longestMs.at(-1)?.toFixed(2)} ms at the longest`);
    } finally {
      await subject.stop();
    }
  }
  return { longestMs };
}

async function watchOnce(
  subject: Subject,
  scenario: Scenario,
  run: Run,
  scale: number,
): Promise<{ round: Round; seen: StallFigures }> {
  const folder = mkdtempSync(join(tmpdir(), 'tillfront-stalls-'));
  const file = join(folder, 'stalls.json');
  try {
    await warmUp([subject], WARM_UP * scale);
    await run.setDelay(scenario.delayMs);
    const round = await runOnce(subject, scenario, {
      begin: () => subject.beginWatch(),
      end: () => subject.endWatch(file),
    });
    return { round, seen: JSON.parse(readFileSync(file, 'utf8')) as StallFigures };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function summary({ seconds, work, stalls }: StallFigures): string[] {
  const kinds = Object.entries(work).sort(([, a], [, b]) => b.wall - a.wall);
  const sum = (of: (stall: Stall) => number): number => stalls.reduce((total, stall) => total + of(stall), 0);
  const explained = new Map<string, number>();
  for (const stall of stalls)
    for (const [kind, ms] of Object.entries(stall.work)) explained.set(kind, (explained.get(kind) ?? 0) + ms);
  const total = sum(({ ms }) => ms);
  const share = (ms: number): string => `${((100 * ms) / Math.max(1, total)).toFixed(1)} %`;
  return [
    `\nwork on the main thread in ${seconds.toFixed(1)} s: all, of which computing; p99; longest (ms)`,
    ...kinds.map(
      ([kind, one]) =>
        `${kind.padEnd(20)} ${String(one.count).padStart(8)} ×  ${one.wall.toFixed(0).padStart(7)}  ${one.cpu.toFixed(0).padStart(7)}  ${one.p99.toFixed(2).padStart(7)}  ${one.max.toFixed(1).padStart(7)}`,
    ),
    `\nthe loop stood still ${stalls.length} times, ${total.toFixed(0)} ms in all; computing ${share(sum(({ cpuMs }) => cpuMs))}, waiting for a core or a disk the rest`,
    ...[...explained].sort(([, a], [, b]) => b - a).map(([kind, ms]) => `${share(ms).padStart(8)}  ${kind}`),
    '\nthe longest of them: ms, of which computing, and what was watched',
    ...[...stalls]
      .sort((a, b) => b.ms - a.ms)
      .slice(0, LONGEST)
      .map(
        ({ ms, cpuMs, work: during }) =>
          `${ms.toFixed(0).padStart(6)}  ${cpuMs.toFixed(0).padStart(5)}  ${Object.entries(during)
            .map(([kind, each]) => `${kind} ${each.toFixed(1)}`)
            .join(', ')}`,
      ),
  ];
}
