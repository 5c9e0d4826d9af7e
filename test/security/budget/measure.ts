import type { Call } from './described-calls.js';
import { Tally } from './hostile-client.js';
import { pause } from './manners.js';
import type { Setting, Subject } from './subject.js';
import { heldBy, kindsOfHandles } from './watch.js';

/** Does something to the service and sees what it cost, under a name. */
export type Cell = (name: string, act: () => Promise<unknown>) => Promise<void>;

export interface Row {
  readonly manner: string;
  readonly connections: number;
  readonly setting: Setting;
  /** Its cells are whole groups of calls: on failure they are halved until the call is found. */
  readonly mixed?: boolean;
  readonly run: Attack;
  /**
   * The same on many calls at once, which costs at least as much as on one of them. Where that breaks a bound, {@link run} says whether
   * one of them does.
   */
  readonly together?: Together;
}

export interface Together {
  readonly attack: Attack;
  /** Of all these calls. */
  readonly connections: number;
}

export type Attack = (subject: Subject, calls: readonly Call[], tally: Tally, cell: Cell) => Promise<void>;

/** What one connection or fifty may cost. */
export const BOUNDS = { memoryMiB: 100, handles: 200, longestMs: 500, givenBackS: 60 } as const;

const MEBIBYTE = 1024 * 1024;
/** Connections to the gateway that are kept for the next call, and files that a store opens when it needs them. */
const HANDLES_KEPT = 25;
const LOOK_EVERY_MS = 100;

export interface Cost {
  readonly memoryMiB: number;
  readonly handles: number;
  readonly longestMs: number;
}

export interface Figures extends Cost {
  readonly answers: number;
  readonly givenBackS: number;
  /** What was broken, and by what; nothing where all is well. */
  readonly faults: readonly string[];
}

/** Whether the service holds no more than before the attack. */
export function givenBack({ scene, before }: Subject): boolean {
  const { memory, handles } = heldBy(scene.tillfront.pid);
  return handles <= before.handles + HANDLES_KEPT && memory <= before.memory + BOUNDS.memoryMiB * MEBIBYTE;
}

/** How long clients that have left may be taken for present, before the next ones come. */
const NOTICED_MS = 10_000;
/** Connections to the gateway among them. */
const NOTICED_HANDLES = 10;

/** Waits until the service has come to what was sent, and has noticed that those who sent it are gone. */
async function comeTo(subject: Subject, handles: number): Promise<void> {
  const { scene, watch } = subject;
  const deadline = performance.now() + NOTICED_MS;
  const noticed = (): boolean =>
    subject.ended() !== undefined ||
    performance.now() > deadline ||
    heldBy(scene.tillfront.pid).handles <= handles + NOTICED_HANDLES;
  await Promise.race([watch.answersAgain(noticed), scene.tillfront.exited]);
}

/** What a cell cost, and by how much more than what was already held when it began. */
interface CellCost {
  readonly name: string;
  readonly cost: Cost;
  readonly rise: Cost;
}

const MEASURES = ['memoryMiB', 'handles', 'longestMs'] as const;
/** So many cells are named that cost most. */
const NAMED = 3;
/** A row that is broken already is not followed for longer. */
const BROKEN_ROW_MS = 60_000;

/** Runs a row, and says what it cost at most, and which cells did. */
export async function measure(
  row: Row,
  subject: Subject,
  { attack, connections }: Together = { attack: row.run, connections: row.connections },
  calls: readonly Call[] = subject.meant,
): Promise<Figures> {
  const { scene, before, watch } = subject;
  const { pid } = scene.tillfront;
  const tally = new Tally();
  const cells: CellCost[] = [];
  const faults = new Map<string, string>();
  const costOf = (memory: number, handles: number, longest: number): Cost => ({
    memoryMiB: Math.max(0, (memory - before.memory) / MEBIBYTE),
    handles: Math.max(0, handles - before.handles - connections),
    longestMs: longest,
  });
  const run = async (name: string, act: () => Promise<unknown>): Promise<void> => {
    const held = heldBy(pid);
    const begun = costOf(held.memory, held.handles, 0);
    try {
      await act();
      await comeTo(subject, held.handles);
    } catch (error) {
      faults.set('manner', `${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    const { memory, handles, longest, lost } = await watch.take();
    const cost = costOf(memory, handles, longest);
    const rise = {
      memoryMiB: cost.memoryMiB - begun.memoryMiB,
      handles: cost.handles - begun.handles,
      longestMs: cost.longestMs,
    };
    cells.push({ name, cost, rise });
    if (lost.length > 0) faults.set('lost', `somebody else was not answered (${lost.join(', ')}): ${name}`);
    const complaints = subject.complaints();
    if (complaints !== '') faults.set('log', `logged: ${name}: ${complaints.slice(0, 1_000)}`);
    const end = subject.ended();
    if (end !== undefined && !faults.has('end')) faults.set('end', `the process ended (${end}): ${name}`);
  };
  await watch.take();
  const began = performance.now();
  await attack(subject, calls, tally, async (name, act) => {
    const broken = faults.size > 0 || cells.some(({ cost }) => MEASURES.some((of) => cost[of] > BOUNDS[of]));
    if (!broken || performance.now() - began < BROKEN_ROW_MS) await run(name, act);
  });
  const left = performance.now();
  const passed = (): number => (performance.now() - left) / 1_000;
  await run('afterwards', async () => {
    while (subject.ended() === undefined && !givenBack(subject) && passed() < BOUNDS.givenBackS)
      await pause(LOOK_EVERY_MS);
  });
  const givenBackS = passed();
  const most = (of: keyof Cost): number => Math.max(...cells.map(({ cost }) => cost[of]));
  for (const of of MEASURES) {
    if (most(of) <= BOUNDS[of]) continue;
    const first = cells.toSorted((one, other) => other.rise[of] - one.rise[of]).slice(0, NAMED);
    const named = first.map(({ name, rise }) => `${name} (${rise[of].toFixed(0)})`);
    faults.set(of, `${WORDS[of](most(of))}; most by ${named.join(', ')}`);
  }
  if (subject.ended() === undefined && !givenBack(subject)) {
    const { memory, handles } = heldBy(pid);
    faults.set(
      'back',
      `after a minute it still held ${((memory - before.memory) / MEBIBYTE).toFixed(0)} MiB and ${handles - before.handles} handles more (${kindsOfHandles(pid, Object.values(subject.ports))})`,
    );
  }
  if (tally.failures.length > 0) faults.set('500', `answered 500: ${tally.failures.join('\n')}`);
  return {
    memoryMiB: most('memoryMiB'),
    handles: most('handles'),
    longestMs: most('longestMs'),
    answers: tally.answers,
    givenBackS,
    faults: [...faults.values()],
  };
}

const WORDS: Readonly<Record<keyof Cost, (value: number) => string>> = {
  memoryMiB: (value) => `${value.toFixed(0)} MiB more`,
  handles: (value) => `${value} handles more`,
  longestMs: (value) => `somebody else waited ${value.toFixed(0)} ms`,
};

/** The fewest calls of a mixed row that still break a bound: halves it until one is left, or neither half does. */
export async function narrowed(row: Row, subject: Subject): Promise<readonly Call[]> {
  let calls = subject.meant;
  while (calls.length > 1 && subject.ended() === undefined) {
    const half = Math.ceil(calls.length / 2);
    const halves = [calls.slice(0, half), calls.slice(half)];
    let broken: readonly Call[] | undefined;
    for (const part of halves) {
      if ((await measure(row, subject, undefined, part)).faults.length === 0) continue;
      broken = part;
      break;
    }
    if (broken === undefined) return calls;
    calls = broken;
  }
  return calls;
}
