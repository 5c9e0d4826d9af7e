import { execFile } from 'node:child_process';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A folder with the package installed from its packed form, as a shop gets it. npm is told to use no network. */
export async function installPacked(name: string, ...options: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tillfront-test-package-'));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const npm = (...words: string[]): Promise<unknown> => run('npm', words, { cwd: folder, timeout: 110_000 });
  await npm('pack', resolve('packages', name), '--silent');
  const packed = (await readdir(folder)).find((file) => file.endsWith('.tgz')) ?? '';
  await npm('install', '--offline', '--no-audit', '--no-fund', ...options, `./${packed}`);
  return folder;
}

/** What a script prints, run in the folder with these variables and nothing else of ours. */
export async function runIn(
  folder: string,
  [program, ...words]: [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { PATH = '' } = process.env;
  try {
    return {
      code: 0,
      ...(await run(program, words, { cwd: folder, env: { PATH, ...env }, timeout: 110_000 })),
    };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}
