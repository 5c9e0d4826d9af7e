import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runOnce, warmUp, type Run, type Scenario } from './scenario.ts';
import type { Subject } from './subject.ts';

/** A `.cpuprofile` as far as it is read here. */
interface CpuProfile {
  nodes: ProfileNode[];
  samples: number[];
  /** In microseconds, one for each sample. */
  timeDeltas: number[];
}

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
}

const LINES = 30;
const WARM_UP = 8_000;
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Takes a CPU profile of a warm server under load, writes it into a new folder, and prints where its own time goes. */
export async function profile(subject: Subject, scenario: Scenario, run: Run, scale: number): Promise<void> {
  const file = join(mkdtempSync(join(tmpdir(), 'tillfront-profile-')), 'server.cpuprofile');
  await warmUp([subject], WARM_UP * scale);
  await run.setDelay(scenario.delayMs);
  const { p50, p99, cpuMs, stalls } = await runOnce(subject, scenario, {
    begin: () => subject.beginProfile(),
    end: () => subject.endProfile(file),
  });
  run.say(
    `${subject.name}, ${scenario.name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, CPU ${cpuMs.toFixed(3)} ms a payment${
      stalls ? `, event loop p99 ${stalls.p99.toFixed(0)} ms, max ${stalls.max.toFixed(0)} ms` : ''
    } (with the profiler's own cost)`,
  );
  const text = readFileSync(file, 'utf8');
  for (const line of summary(JSON.parse(text) as CpuProfile)) run.say(line);
  run.say(`\n${file}`);
}

/** Own times by file and by function, the longest first. What a native function takes counts for the file that calls it. */
function summary({ nodes, samples, timeDeltas }: CpuProfile): string[] {
  const names = new Map<number, { file: string; name: string }>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (node: ProfileNode, caller: string): void => {
    const { functionName, url, lineNumber } = node.callFrame;
    const own = url === '' ? undefined : placeOf(url);
    const file = own ?? (functionName.startsWith('(') ? functionName : caller);
    const called = functionName === '' ? '(anonymous)' : functionName;
    const name =
      own === undefined ? `${called}, native, from ${caller}` : `${called}  ${own}:${lineNumber + 1}`;
    names.set(node.id, { file, name: functionName.startsWith('(') ? functionName : name });
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) visit(child, own ?? caller);
    }
  };
  if (nodes[0]) visit(nodes[0], '(native)');
  const byFile = new Map<string, number>();
  const byFunction = new Map<string, number>();
  let busy = 0;
  samples.forEach((id, index) => {
    const { file, name } = names.get(id) ?? { file: '(unknown)', name: '(unknown)' };
    const time = timeDeltas[index] ?? 0;
    if (name === '(idle)' || file === 'node:inspector') return;
    busy += time;
    add(byFile, file, time);
    add(byFunction, name, time);
  });
  return [
    `\nown time by file, of ${(busy / 1000).toFixed(0)} ms`,
    ...longest(byFile, busy),
    '\nown time by function',
    ...longest(byFunction, busy),
  ];
}

function add(times: Map<string, number>, name: string, time: number): void {
  times.set(name, (times.get(name) ?? 0) + time);
}

function longest(times: Map<string, number>, of: number): string[] {
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, LINES)
    .map(
      ([name, time]) =>
        `${((100 * time) / of).toFixed(1).padStart(5)} %  ${(time / 1000).toFixed(1).padStart(8)} ms  ${name}`,
    );
}

/** A file of ours by its path in the build, one of a package by the package. */
function placeOf(url: string): string {
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/.][^/]*)\//.exec(path)?.[1];
  if (inPackage !== undefined && !path.includes('/.cache/')) return `node_modules/${inPackage}`;
  return path.replace(/^.*\/dist\//, 'dist/').replace(root, '');
}
