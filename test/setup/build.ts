import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built service, which the end-to-end tests run. It is rebuilt only if its sources have changed. */

const repository = fileURLToPath(new URL('../../', import.meta.url));
const distribution = join(repository, 'dist');
const builds = join(repository, 'node_modules/.cache/tillfront-builds');
const BUILDS_KEPT = 12;
const lock = join(repository, 'node_modules/.cache/tillfront-build.lock');
const sources = [
  'src',
  'browser',
  'docs/openapi.json',
  'profiles/built-in.json',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
  'bin/bundle.js',
];
const generated = new Set(['node_modules', 'dist', 'generated']);

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
    // a lock whose owner was killed, or that is older than any build, must block nobody
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
 * Builds the service if needed and returns a copy that no later build overwrites, so a run uses the same build to its end.
 * `TEST_BUILD_FOLDER` names a finished build to test instead.
 */
export async function buildOnce(): Promise<string> {
  const given = process.env['TEST_BUILD_FOLDER'];
  if (given) return given;
  const hash = await contentHash();
  const kept = join(builds, hash.slice(0, 16), 'dist');
  if (existsSync(join(kept, 'main.js'))) return kept;
  await takeLock();
  try {
    if (!existsSync(join(kept, 'main.js'))) await buildInto(kept);
    return kept;
  } finally {
    await rm(lock, { force: true });
  }
}

async function buildInto(kept: string): Promise<void> {
  await runBuild();
  const folder = dirname(kept);
  const making = `${folder}.${process.pid}`;
  await rm(making, { recursive: true, force: true });
  await cp(distribution, join(making, 'dist'), { recursive: true });
  for (const file of ['package.json', 'profiles/built-in.json'])
    await cp(join(repository, file), join(making, file));
  await rm(folder, { recursive: true, force: true });
  await rename(making, folder);
  await forgetOld();
}

/** Keeps a few builds for runs that still use them. */
async function forgetOld(): Promise<void> {
  const names = await readdir(builds);
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(builds, name))).mtimeMs })),
  );
  const old = dated.sort((a, b) => b.at - a.at).slice(BUILDS_KEPT);
  await Promise.all(old.map(({ name }) => rm(join(builds, name), { recursive: true, force: true })));
}
