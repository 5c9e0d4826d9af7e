import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../../src/cli/command-line.js';
import { compileCache } from '../setup/compile-cache.js';
import { service } from '../setup/service.js';

type Variables = Readonly<Record<string, string | undefined>>;

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command in the test's own process, which is quick: with exactly these variables. */
export async function runCli(args: readonly string[], env: Variables = {}): Promise<Finished> {
  let [stdout, stderr] = ['', ''];
  const code = await runCommandLine(args, {
    environment: () => ({ ...env }),
    out: (text) => void (stdout += text),
    err: (text) => void (stderr += text),
  });
  return { code, stdout, stderr };
}

/** Runs the built command with exactly these variables, in an empty folder, so that no `.env` of a developer counts. */
export async function runBuiltCli(args: readonly string[], env: Variables = {}): Promise<Finished> {
  const distribution = await service('build');
  const cwd = await mkdtemp(join(tmpdir(), 'tillfront-cli-'));
  const { PATH, HOME } = process.env;
  const given = Object.entries({ PATH, HOME, NODE_COMPILE_CACHE: compileCache, ...env });
  const child = spawn(process.execPath, [join(distribution, 'cli', 'main.js'), ...args], {
    cwd,
    env: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  await rm(cwd, { recursive: true, force: true });
  return { code, stdout, stderr };
}
