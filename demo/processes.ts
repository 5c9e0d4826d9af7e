import { spawn, type ChildProcess } from 'node:child_process';
import { isTaken } from './ports.ts';

const READY_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;

/** A child process of the demo. Its output is shown only if it fails. */
export interface Running {
  name: string;
  child: ChildProcess;
  output: () => string;
}

/** Starts a program, of Node.js unless another is named, with exactly these variables and those that every program needs. */
export function start(
  name: string,
  args: string[],
  env: Record<string, string>,
  cwd: string,
  program = process.execPath,
): Running {
  const { PATH, HOME, TMPDIR } = process.env;
  const usual = Object.fromEntries(
    Object.entries({ PATH, HOME, TMPDIR }).filter(([, value]) => value !== undefined),
  );
  const child = spawn(program, args, {
    cwd,
    env: { ...usual, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.once('error', (error) => (text += `${program} cannot be started: ${error.message}`));
  const keep = (chunk: Buffer): void => {
    text = (text + chunk.toString()).slice(-20_000);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return { name, child, output: () => text };
}

/** Waits until the address answers with success. If the program ends or takes too long, throws with the program's output. */
export async function ready({ name, child, output }: Running, url: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    if (child.exitCode !== null || child.pid === undefined)
      throw new Error(`${name} did not start:\n${output()}`);
    const answer = await fetch(url).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    if (Date.now() > deadline) throw new Error(`${name} was not ready in time:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Throws if something already listens on the port. */
export async function assertFree(port: number, what: string, remedy: string): Promise<void> {
  if (await isTaken(port)) throw new Error(`Port ${port} is in use, and ${what} needs it: ${remedy}`);
}

/** Tells the programs to end, and waits until they have. */
export async function stopAll(running: readonly Running[]): Promise<void> {
  await Promise.all(
    running.map(async ({ child }) => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 8_000);
      await ended;
      clearTimeout(timer);
    }),
  );
}
