import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { HeapProfiler, Profiler, Runtime } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stores } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { payAtOnce } from './load.js';
import { startOurs, type Gateway } from './servers.js';

/** Where a payment's processor time and objects go, on the main thread: by room of `src` and by package. */

const PAYMENTS = 4_000;

export async function profile(gateway: Gateway, say: (line: string) => void): Promise<void> {
  for (const kind of stores) {
    const folder = await mkdtemp(join(tmpdir(), 'tillfront-bench-'));
    const file = join(folder, 'profile');
    const server = await startOurs(`tillfront-${kind}`, kind, gateway.url, file);
    await payAtOnce(server.url, await server.calls(2_000), 32);
    const calls = await server.calls(PAYMENTS);
    process.kill(server.pid, 'SIGUSR2');
    await until(() => existsSync(`${file}.begun`), 10_000);
    await payAtOnce(server.url, calls, 32);
    process.kill(server.pid, 'SIGUSR2');
    await until(() => existsSync(`${file}.ended`), 60_000);
    const { cpu, heap } = JSON.parse(readFileSync(file, 'utf8')) as {
      cpu: Profiler.Profile;
      heap: HeapProfiler.SamplingHeapProfile;
    };
    say(`\n${kind}: microseconds of the main thread a payment`);
    report(timeBy(cpu), 1 / PAYMENTS, say);
    say(`\n${kind}: bytes of objects a payment`);
    report(bytesBy(heap.head), 1 / PAYMENTS, say);
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

type Sums = { places: Map<string, number>; functions: Map<string, number> };

function timeBy(cpu: Profiler.Profile): Sums {
  const sums: Sums = { places: new Map(), functions: new Map() };
  const frames = new Map(cpu.nodes.map(({ id, callFrame }) => [id, callFrame]));
  cpu.samples?.forEach((id, index) => {
    const frame = frames.get(id);
    if (frame && frame.functionName !== '(idle)') add(sums, frame, cpu.timeDeltas?.[index] ?? 0);
  });
  return sums;
}

function bytesBy(head: HeapProfiler.SamplingHeapProfileNode): Sums {
  const sums: Sums = { places: new Map(), functions: new Map() };
  const walk = ({ callFrame, selfSize, children }: HeapProfiler.SamplingHeapProfileNode): void => {
    add(sums, callFrame, selfSize);
    children.forEach(walk);
  };
  walk(head);
  return sums;
}

function add({ places, functions }: Sums, frame: Runtime.CallFrame, amount: number): void {
  const place = placeOf(frame);
  const name = `${place} ${frame.functionName || '(anonymous)'} ${frame.url.split('/').slice(-2).join('/')}:${frame.lineNumber + 1}`;
  places.set(place, (places.get(place) ?? 0) + amount);
  functions.set(name, (functions.get(name) ?? 0) + amount);
}

/** A room, a package, Node's own module, or the engine. */
function placeOf({ url, functionName }: Runtime.CallFrame): string {
  const room = /\/dist\/([^/]+(?:\/core|\/api)?)/.exec(url)?.[1];
  if (room !== undefined) return `src/${room}`;
  const module = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url)?.[1];
  if (module !== undefined) return module;
  if (url.startsWith('node:')) return url.replace(/^(node:(?:internal\/)?[^/]+).*/, '$1');
  return functionName.startsWith('(') ? functionName : '(native)';
}

function report({ places, functions }: Sums, share: number, say: (line: string) => void): void {
  const rows = (map: Map<string, number>, most: number): void =>
    [...map]
      .sort((a, b) => b[1] - a[1])
      .slice(0, most)
      .forEach(([name, amount]) => say(`${(amount * share).toFixed(0).padStart(9)}  ${name}`));
  say(
    `${([...places.values()].reduce((sum, amount) => sum + amount, 0) * share).toFixed(0).padStart(9)}  all`,
  );
  rows(places, 40);
  say('  by function');
  rows(functions, 45);
}
