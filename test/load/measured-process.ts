import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../setup/free-port.ts';
import type { ProfileOf, Wish } from './peers/report-usage.ts';

const reportUsage = fileURLToPath(new URL('peers/report-usage.ts', import.meta.url));

/** The slowest of the peers takes some ten seconds on a machine that does nothing else. */
const START_MS = 60_000;

export interface Usage {
  /** User and system time of all threads so far. */
  cpuMs: number;
  rssMb: number;
  /** What the main thread has made of objects so far, also those that were collected since. */
  allocatedKb: number;
}

/** A Node.js process that is measured: started as in production, its log written to a file. */
export class MeasuredProcess {
  readonly port: number;
  /** From the start of the process until it first answered. */
  readonly startMs: number;
  readonly #child: ChildProcess;

  private constructor(port: number, startMs: number, child: ChildProcess) {
    this.port = port;
    this.startMs = startMs;
    this.#child = child;
  }

  /** Starts a program, with `PORT` set to a free one, and waits until `readyPath` is answered with anything below 500. */
  static async start(
    program: string,
    env: Readonly<Record<string, string>>,
    options: {
      readyPath?: string;
      logFile?: string;
      nodeArguments?: readonly string[];
      folder?: string;
    } = {},
  ): Promise<MeasuredProcess> {
    const port = await freePort();
    const output = openSync(options.logFile ?? '/dev/null', 'a');
    const begun = performance.now();
    const child = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        '--import',
        reportUsage,
        ...(options.nodeArguments ?? []),
        program,
      ],
      {
        ...(options.folder !== undefined && { cwd: options.folder }),
        env: { PATH: process.env['PATH'] ?? '', PORT: String(port), HOST: '127.0.0.1', ...env },
        stdio: ['ignore', output, 'inherit', 'ipc'],
      },
    );
    closeSync(output);
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${program} ended at its start with ${child.exitCode}`);
      if (await answers(`http://127.0.0.1:${port}${options.readyPath ?? '/'}`)) break;
      if (performance.now() - begun > START_MS)
        throw new Error(`${program} was not ready within ${START_MS / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return new MeasuredProcess(port, performance.now() - begun, child);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  usage(): Promise<Usage> {
    return this.#wish({ do: 'usage' });
  }

  /** Begins to take samples of what the process does or makes; `endProfile` writes them as a `.cpuprofile` or `.heapprofile`. */
  async beginProfile(of: ProfileOf): Promise<void> {
    await this.#wish({ do: 'profile', of });
  }

  async endProfile(of: ProfileOf, file: string): Promise<void> {
    await this.#wish({ do: 'end-profile', of, file });
  }

  /** Begins to watch the main thread; `endWatch` writes what was seen (`StallFigures`). */
  async beginWatch(): Promise<void> {
    await this.#wish({ do: 'watch' });
  }

  async endWatch(file: string): Promise<void> {
    await this.#wish({ do: 'end-watch', file });
  }

  #wish(wish: Wish): Promise<Usage> {
    return new Promise((resolve, reject) => {
      this.#child.once('message', (usage) => resolve(usage as Usage));
      this.#child.send(wish, (error) => error && reject(error));
    });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(kill);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    await answer.body?.cancel();
    return answer.status < 500;
  } catch {
    return false;
  }
}
