import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Asked, Seen } from './probe.js';

const program = fileURLToPath(new URL('probe.ts', import.meta.url));

const LOOK_MS = 10;
/** Answers: two questions are asked at a time. */
const ENOUGH = 4;

/** Watches the service from a process of its own. */
export class Watch {
  readonly #probe: ChildProcess;

  private constructor(probe: ChildProcess) {
    this.#probe = probe;
  }

  static async start(asked: Asked): Promise<Watch> {
    const probe = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', program, JSON.stringify(asked)],
      {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    );
    await new Promise((resolve, reject) => {
      probe.once('message', resolve).once('error', reject);
      probe.once('exit', (code) => reject(new Error(`the probe ended with ${code}`)));
    });
    return new Watch(probe);
  }

  /** The most that was seen since the last call. */
  take(): Promise<Seen> {
    return this.#wish('take');
  }

  /** Waits until somebody else was answered again and `done` holds: then the service has come to what was sent before. */
  async answersAgain(done: () => boolean): Promise<void> {
    const { answers } = await this.#wish('look');
    while ((await this.#wish('look')).answers < answers + ENOUGH || !done())
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }

  #wish(wish: 'take' | 'look'): Promise<Seen> {
    return new Promise((resolve, reject) => {
      this.#probe.once('message', (seen) => resolve(seen as Seen));
      this.#probe.send(wish, (error) => error && reject(error));
    });
  }

  async stop(): Promise<void> {
    if (this.#probe.exitCode !== null || this.#probe.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#probe.once('exit', resolve));
    this.#probe.kill('SIGKILL');
    await ended;
  }
}

const PAGE = 4096;

/** What a process holds now: resident bytes and open handles. */
export function heldBy(pid: number): { memory: number; handles: number } {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return { memory: pages * PAGE, handles: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return { memory: 0, handles: 0 };
  }
}

/** What its handles are: connections of callers, other sockets (to the gateway, say), files and the rest. */
export function kindsOfHandles(pid: number, ports: readonly number[]): string {
  const local = new Map<string, number>();
  for (const line of readFileSync(`/proc/${pid}/net/tcp`, 'utf8').split('\n').slice(1)) {
    const [, address = '', , , , , , , , inode = ''] = line.trim().split(/\s+/);
    local.set(inode, Number.parseInt(address.split(':')[1] ?? '', 16));
  }
  const kinds = { callers: 0, 'other sockets': 0, files: 0 };
  for (const handle of readdirSync(`/proc/${pid}/fd`)) {
    const port = local.get(/socket:\[(\d+)\]/.exec(linkOf(pid, handle))?.[1] ?? '');
    if (port === undefined) kinds.files++;
    else if (ports.includes(port)) kinds.callers++;
    else kinds['other sockets']++;
  }
  return Object.entries(kinds)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}

function linkOf(pid: number, handle: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${handle}`);
  } catch {
    // Closed meanwhile.
    return '';
  }
}
