import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export interface Ended {
  code: number | null;
  output: string;
}

/** Runs the simulation in a process of its own, whose clock, timers and chance are the world's. `mutant`: without that rule. */
export function simulate(options: readonly string[], mutant?: string): Promise<Ended> {
  const { MUTANT: _, ...environment } = process.env;
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      './test/simulation/loader.ts',
      'test/simulation/main.ts',
      ...options,
    ],
    {
      cwd: ROOT,
      env: { ...environment, ...(mutant === undefined ? {} : { MUTANT: mutant }), NODE_OPTIONS: '' },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, output });
    });
  });
}
