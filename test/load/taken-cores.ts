import { spawn, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('peers/busy.ts', import.meta.url));

/**
 * Takes half of the cores, one of two: for each a Node.js process that works all the time, at the same priority as what is measured. On Linux each is bound
 * to its core (`taskset`), so that only what runs there has to share with it; elsewhere the system places it. Returns what gives the cores back.
 */
export async function takeCores(): Promise<() => Promise<void>> {
  const taken = Math.max(1, Math.floor(availableParallelism() / 2));
  const workers = await Promise.all(Array.from({ length: taken }, (_, core) => startWorker(core)));
  return async () => {
    await Promise.all(workers.map(end));
  };
}

async function startWorker(core: number): Promise<ChildProcess> {
  const bound = process.platform === 'linux' ? ['taskset', '--cpu-list', String(core)] : [];
  try {
    return await start([...bound, process.execPath, program]);
  } catch (error) {
    if (bound.length === 0) throw error;
    return start([process.execPath, program]);
  }
}

function start([command = '', ...parameters]: readonly string[]): Promise<ChildProcess> {
  const worker = spawn(command, parameters, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  return new Promise((resolve, reject) => {
    worker.once('message', () => resolve(worker)).once('error', reject);
    worker.once('exit', (code) => reject(new Error(`${command} ended with ${code}`)));
  });
}

async function end(worker: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.kill('SIGKILL');
  await ended;
}
