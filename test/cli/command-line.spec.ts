import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { service } from '../setup/service.js';
import { runCli } from './run-cli.js';

test('without a command it says which there are', async () => {
  const { code, stdout, stderr } = await runCli([]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/Commands:[^]*doctor[^]*go-live[^]*Exit codes:/);
});

test('it says which version it is', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(await runCli(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([
  [['nonsense'], "unknown command 'nonsense'"],
  [['payment'], 'Did you mean payments?'],
  [['payments', 'lost'], "unknown command 'lost'"],
  [['payments', 'list', 'extra'], 'too many arguments'],
  [['doctor', '--nonsense'], "unknown option '--nonsense'"],
  [['payments', 'show'], "missing required argument 'payment'"],
])('%j is refused before anything is done', async (args, message) => {
  const { code, stdout, stderr } = await runCli(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});

test('the built program can be called by its name', async () => {
  const { mode } = statSync(join(await service('build'), 'cli', 'main.js'));
  expect(mode & 0o111).toBe(0o111);
});

test('a reader who has had enough does not make it fail', async () => {
  const program = join(await service('build'), 'cli', 'main.js');
  const child = spawn(process.execPath, [program, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, errors]).toEqual([0, '']);
});
