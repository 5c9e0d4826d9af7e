import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The built service, which is what the end-to-end tests run: built again only when what it is built from has
 * changed since.
 */

const repository = fileURLToPath(new URL('../../', import.meta.url));
const distribution = join(repository, 'dist');
const hashFile = join(distribution, '.built-from');
const lock = join(repository, 'node_modules/.cache/tillfront-build.lock');
const sources = ['src', 'browser', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json'];
const generated = new Set(['node_modules', 'dist']);

async function filesUnder(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
  if (!entries) return existsSync(path) ? [path] : [];
  const nested = await Promise.all(
    entries.map(async (entry) => {
      if (generated.has(entry.name) || entry.name.endsWith('.spec.ts')) return [];
      const inner = join(path, entry.name);
      return entry.isDirectory() ? filesUnder(inner) : [inner];
    }),
  );
  return nested.flat();
}

async function contentHash(): Promise<string> {
  const files = (await Promise.all(sources.map((source) => filesUnder(join(repository, source)))))
    .flat()
    .sort();
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(relative(repository, file)).update('\0');
    hash.update(await readFile(file)).update('\0');
  }
  return hash.digest('hex');
}

function runBuild(): Promise<void> {
  return new Promise((resolve, reject) => {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const build = spawn(npm, ['run', 'build'], { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (text: Buffer): void => void (output += text.toString());
    build.stdout.on('data', collect);
    build.stderr.on('data', collect);
    build.once('error', reject);
    build.once('exit', (code) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(`"npm run build" failed with ${code}, so nothing can be tested end to end:\n${output}`),
        );
    });
  });
}

async function takeLock(): Promise<void> {
  await mkdir(dirname(lock), { recursive: true });
  for (let waited = 0; ; waited++) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = Number(await readFile(lock, 'utf8').catch(() => '0'));
    // a lock whose owner was killed, or that stays beyond any build, holds nobody up
    if (waited > 1200 || (owner > 0 && !isAlive(owner))) await rm(lock, { force: true });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Builds the service if needed and gives its folder. Two runs in one checkout build one after the other.
 * `TEST_BUILD_FOLDER` names a finished build to test instead.
 */
export async function buildOnce(): Promise<string> {
  const given = process.env['TEST_BUILD_FOLDER'];
  if (given) return given;
  await takeLock();
  try {
    const hash = await contentHash();
    const built = await readFile(hashFile, 'utf8').catch(() => '');
    if (built !== hash) {
      await runBuild();
      await writeFile(hashFile, hash);
    }
    return distribution;
  } finally {
    await rm(lock, { force: true });
  }
}
