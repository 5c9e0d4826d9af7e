import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ProfileOf } from './peers/report-usage.ts';
import { runOnce, warmUp, type Round, type Run, type Scenario } from './scenario.ts';
import type { Subject } from './subject.ts';

/** A `.cpuprofile` as far as it is read here. */
interface CpuProfile {
  nodes: CpuNode[];
  samples: number[];
  /** In microseconds, one for each sample. */
  timeDeltas: number[];
}

interface CpuNode {
  id: number;
  callFrame: CallFrame;
  children?: number[];
}

/** A `.heapprofile` as far as it is read here. */
interface HeapProfile {
  head: HeapNode;
}

interface HeapNode {
  callFrame: CallFrame;
  /** Bytes that were allocated here. */
  selfSize: number;
  children: HeapNode[];
}

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
}

/** What stands at one place of the code: milliseconds, or KB. */
interface Own {
  file: string;
  name: string;
  value: number;
}

const LINES = 30;
const WARM_UP = 8_000;
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Takes a profile of a warm server under load, writes it into a new folder, and prints where its own time goes. */
export async function profile(subject: Subject, scenario: Scenario, run: Run, scale: number): Promise<void> {
  const { file } = await sample('time', subject, scenario, run, scale);
  const text = readFileSync(file, 'utf8');
  for (const line of summary(ownTimes(JSON.parse(text) as CpuProfile), 'ms')) run.say(line);
  run.say(`\n${file}`);
}

/** The same, drawn: a page that a browser opens from the disk, without a server and without the network. */
export async function flame(subject: Subject, scenario: Scenario, run: Run, scale: number): Promise<void> {
  const { file } = await sample('time', subject, scenario, run, scale);
  const folder = dirname(file);
  cpSync(join(root, 'node_modules/speedscope/dist/release'), folder, { recursive: true });
  const content = JSON.stringify(readFileSync(file, 'base64'));
  const script = join(folder, 'profile.js');
  writeFileSync(script, `speedscope.loadFileFromBase64(${JSON.stringify(basename(file))}, ${content})`);
  run.say(`\nOpen ${pathToFileURL(join(folder, 'index.html')).href}#localProfilePath=${script}`);
}

/** The same for the objects that a payment makes: where they are made, in KB a payment. */
export async function profileAllocations(
  subject: Subject,
  scenario: Scenario,
  run: Run,
  scale: number,
): Promise<void> {
  const { file, round } = await sample('allocations', subject, scenario, run, scale);
  const { head } = JSON.parse(readFileSync(file, 'utf8')) as HeapProfile;
  const own = ownSizes(head);
  const sampled = own.reduce((sum, { value }) => sum + value, 0);
  const perSampled = (round.allocatedKb ?? 0) / sampled;
  for (const line of summary(
    own.map((one) => ({ ...one, value: one.value * perSampled })),
    'KB',
  ))
    run.say(line);
  run.say(`\n${file}`);
}

async function sample(
  of: ProfileOf,
  subject: Subject,
  scenario: Scenario,
  run: Run,
  scale: number,
): Promise<{ file: string; round: Round }> {
  const ending = of === 'time' ? 'cpuprofile' : 'heapprofile';
  const file = join(mkdtempSync(join(tmpdir(), 'tillfront-profile-')), `server.${ending}`);
  await warmUp([subject], WARM_UP * scale);
  await run.setDelay(scenario.delayMs);
  const round = await runOnce(subject, scenario, {
    begin: () => subject.beginProfile(of),
    end: () => subject.endProfile(of, file),
  });
  const { p50, p99, cpuMs, allocatedKb = NaN, stalls } = round;
  run.say(
    `${subject.name}, ${scenario.name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, CPU ${cpuMs.toFixed(3)} ms and ${allocatedKb.toFixed(1)} KB of objects a payment${
      stalls ? `, event loop p99 ${stalls.p99.toFixed(0)} ms, max ${stalls.max.toFixed(0)} ms` : ''
    } (with the profiler's own cost)`,
  );
  return { file, round };
}

/** What a native function takes counts for the file that calls it. */
function ownTimes({ nodes, samples, timeDeltas }: CpuProfile): Own[] {
  const places = new Map<number, Place>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (node: CpuNode, caller: string): void => {
    const place = placeOf(node.callFrame, caller);
    places.set(node.id, place);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) visit(child, place.caller);
    }
  };
  if (nodes[0]) visit(nodes[0], '(native)');
  return samples.flatMap((id, index) => {
    const { file, name } = places.get(id) ?? { file: '(unknown)', name: '(unknown)' };
    const idle = name === '(idle)' || file === 'node:inspector';
    return idle ? [] : [{ file, name, value: (timeDeltas[index] ?? 0) / 1000 }];
  });
}

function ownSizes(head: HeapNode): Own[] {
  const own: Own[] = [];
  const visit = ({ callFrame, selfSize, children }: HeapNode, caller: string): void => {
    const { file, name, caller: ownCaller } = placeOf(callFrame, caller);
    if (selfSize > 0) own.push({ file, name, value: selfSize });
    for (const child of children) visit(child, ownCaller);
  };
  visit(head, '(native)');
  return own;
}

/** Sums by file and by function, the greatest first. */
function summary(own: readonly Own[], unit: string): string[] {
  const byFile = new Map<string, number>();
  const byFunction = new Map<string, number>();
  let all = 0;
  for (const { file, name, value } of own) {
    all += value;
    add(byFile, file, value);
    add(byFunction, name, value);
  }
  return [
    `\nby file, of ${all.toFixed(1)} ${unit}`,
    ...greatest(byFile, all, unit),
    '\nby function',
    ...greatest(byFunction, all, unit),
  ];
}

function add(values: Map<string, number>, name: string, value: number): void {
  values.set(name, (values.get(name) ?? 0) + value);
}

function greatest(values: Map<string, number>, of: number, unit: string): string[] {
  return [...values]
    .sort(([, a], [, b]) => b - a)
    .slice(0, LINES)
    .map(
      ([name, value]) =>
        `${((100 * value) / of).toFixed(1).padStart(5)} %  ${value.toFixed(1).padStart(8)} ${unit}  ${name}`,
    );
}

interface Place {
  file: string;
  name: string;
  /** The file that its native callees count for. */
  caller: string;
}

function placeOf({ functionName, url, lineNumber }: CallFrame, caller: string): Place {
  const own = url === '' ? undefined : fileOf(url);
  if (functionName.startsWith('('))
    return { file: own ?? functionName, name: functionName, caller: own ?? caller };
  const called = functionName === '' ? '(anonymous)' : functionName;
  return own === undefined
    ? { file: caller, name: `${called}, native, from ${caller}`, caller }
    : { file: own, name: `${called}  ${own}:${lineNumber + 1}`, caller: own };
}

/** A file of ours by its path in the build, one of a package by the package. */
function fileOf(url: string): string {
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/.][^/]*)\//.exec(path)?.[1];
  if (inPackage !== undefined && !path.includes('/.cache/')) return `node_modules/${inPackage}`;
  return path.replace(/^.*\/dist\//, 'dist/').replace(root, '');
}
