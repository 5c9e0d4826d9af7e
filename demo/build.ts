import { spawn } from 'node:child_process';
import { during } from './progress.ts';
import { assertSandboxPortFree } from './programs.ts';
import { ROOT, readSettings } from './settings.ts';

/** What `npm run build` does, with a word about each step. */
const STEPS = [
  ['build:service', 'Compiling Tillfront (up to a minute the first time)'],
  ['build:kit', 'Building the pages that browsers load'],
] as const;

/** Runs one npm script. Rejects with its output if it fails. */
function run(script: string): Promise<void> {
  // What npm itself was started as: its command has another name on Windows.
  const npm = process.env['npm_execpath'];
  const words = ['run', '--silent', script];
  const [program, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm];
  const child = spawn(program, [...first, ...words], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`\nnpm run ${script} has failed:\n\n${output}`));
    });
  });
}

try {
  // Before the build: it takes a minute, and it removes the files of a service that may be running from them.
  await assertSandboxPortFree(readSettings(process.env));
  for (const [script, what] of STEPS) await during(what, () => run(script));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : 'The build has failed'}\n`);
  process.exit(1);
}
