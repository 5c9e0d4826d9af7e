import { spawn, type ChildProcess } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../setup/compile-cache.ts';
import { call, pause } from './calls.ts';
import type { History } from './history.ts';
import type { Command, Order } from './preload/orders.ts';
import type { PreloadSettings } from './preload/preload.ts';

const PRELOAD = fileURLToPath(new URL('preload/preload.ts', import.meta.url));

export interface ReplicaOptions {
  name: string;
  /** The folder with the built service. */
  build: string;
  port: number;
  env: Readonly<Record<string, string | undefined>>;
  preload: PreloadSettings;
  history: History;
  /** Told when an order has struck. */
  onStruck?: (order: string) => void;
  /** Another account's ids, for what root may do anyway. */
  account?: { uid: number; gid: number };
}

export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

interface Running {
  child: ChildProcess;
  ended: Promise<End>;
}

/** One process of the service, which can be started on the same port and data again and again. */
export class Replica {
  /** Boundaries passed by all of its processes. */
  readonly boundaries: string[] = [];
  /** The order that ended or stopped the present process, where one did. */
  struck: string | undefined;
  #running: Running | undefined;
  #output = '';
  readonly #acknowledged: (() => void)[] = [];

  /** Goes before the command of processes that are started from now on, such as one that limits them. */
  wrapper: readonly string[] = [];
  readonly #options: ReplicaOptions;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#options.port}`;
  }

  get name(): string {
    return this.#options.name;
  }

  get pid(): number {
    return this.#running?.child.pid ?? 0;
  }

  get alive(): boolean {
    return this.#running !== undefined;
  }

  /** Everything that its present process has printed. */
  get output(): string {
    return this.#output;
  }

  /** Settles with the end of the present process. */
  get ended(): Promise<End> {
    return this.#running?.ended ?? Promise.resolve({ code: null, signal: null });
  }

  /** Starts a process without waiting for it. `orders` hold from its first instruction. */
  spawn(orders: Order[] = []): void {
    const { build, port, env, preload, history, account, name } = this.#options;
    this.#output = '';
    this.struck = undefined;
    const command = [...this.wrapper, process.execPath, '--import', PRELOAD, join(build, 'main.js')];
    const child = spawn(command[0] as string, command.slice(1), {
      cwd: dirname(build),
      env: defined({
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: compileCache,
        ...env,
        PORT: String(port),
        CHAOS_PRELOAD: JSON.stringify({ ...preload, orders }),
      }),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'ipc'],
      ...account,
    });
    const ended = new Promise<End>((resolve) => {
      child.once('close', (code, signal) => {
        if (this.#running?.child === child) this.#running = undefined;
        for (const settle of this.#acknowledged.splice(0)) settle();
        history.note(name, `ended (${signal ?? code})`);
        resolve({ code, signal });
      });
    });
    this.#running = { child, ended };
    history.note(name, `started, pid ${child.pid}`);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    }
    (child.stdio[3] as Readable).setEncoding('utf8').on(
      'data',
      lines((line) => this.#passed(line)),
    );
    child.on('message', () => this.#acknowledged.shift()?.());
    child.on('error', (error) => (this.#output += error.message));
  }

  /** Waits until it is ready. False where its process ended first. */
  async ready(withinMs = 60_000): Promise<boolean> {
    const running = this.#running;
    const deadline = performance.now() + withinMs;
    while (this.#running === running && running) {
      const reply = await call({ method: 'GET', url: `${this.url}/health/ready`, timeoutMs: 5_000 });
      if (reply.answered && (reply.status === 200 || onlyItsClockIsOff(reply))) return true;
      if (performance.now() > deadline) throw new Error(`${this.name} was not ready:\n${this.#output}`);
      await pause(15);
    }
    return false;
  }

  /** Gives orders to the process that runs; resolves when it has them, or has ended. */
  command(command: Command): Promise<void> {
    const running = this.#running;
    if (!running) return Promise.resolve();
    return new Promise((resolve) => {
      this.#acknowledged.push(resolve);
      running.child.send(command, (error) => {
        if (error) resolve();
      });
    });
  }

  signal(signal: NodeJS.Signals): void {
    // A process that could not be started has the id 0, which would mean this process and all its kin.
    if (this.pid > 0) this.#running?.child.kill(signal);
  }

  /** Sends the signal and waits for the end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<End> {
    const { ended } = this;
    this.signal(signal);
    return ended;
  }

  #passed(line: string): void {
    if (line.startsWith('~')) {
      this.#options.history.note(this.name, `CLOCK SET: ${line.slice(1)}`);
      this.#options.onStruck?.(`step ${line.slice(1)}`);
    } else if (line.startsWith('!')) {
      this.struck = line.slice(1);
      this.#options.history.note(this.name, `STRUCK: ${this.struck}`);
      this.#options.onStruck?.(this.struck);
    } else {
      this.boundaries.push(line);
      this.#options.history.note(this.name, `  ${line}`);
    }
  }
}

/** Such a replica asks for no calls, and answers them as well as any. */
function onlyItsClockIsOff({ status, text }: { status: number; text: string }): boolean {
  return status === 503 && text.includes('"reason":"clock"');
}

function lines(take: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const all = (rest + text).split('\n');
    rest = all.pop() ?? '';
    for (const line of all) take(line);
  };
}

function defined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
