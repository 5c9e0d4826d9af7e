import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PluginBuild } from 'esbuild';

/**
 * What stays apart: what the preloads of the tests watch, what asks for its parts in a way that no bundle sees; the rest is
 * not installed.
 */
const APART = [
  ...['pg', 'pg-native', 'pino', '@fastify/static', 'jsonc-parser'],
  ...['@nestjs/microservices', '@nestjs/websockets', '@fastify/view', '@fastify/multipart'],
  // An older name of a file, asked for where the new one is missing.
  'class-transformer/storage',
];

const repository = fileURLToPath(new URL('../../', import.meta.url));
const bundles = join(repository, 'node_modules/.cache/tillfront-bundles');
const BUNDLES_KEPT = 12;

/**
 * The built service with what it depends on in one file. It is the same code, and a process of it costs half as much to
 * start: of a machine that starts hundreds of them, that is most of the work. Returns the folder with its `main.js`. It is
 * made once for each build.
 */
export async function bundle(built: string): Promise<string> {
  const kept = join(bundles, await contentHash(built));
  const folder = join(kept, 'root/service/bundle');
  if (existsSync(join(folder, 'main.js'))) {
    const now = new Date();
    await utimes(kept, now, now);
    return folder;
  }
  const making = `${kept}.${process.pid}`;
  await rm(making, { recursive: true, force: true });
  await makeBundle(built, making);
  // Another run may have made the same meanwhile.
  await rename(making, kept).catch(async (error: unknown) => {
    if (!existsSync(join(folder, 'main.js'))) throw error;
    await rm(making, { recursive: true, force: true });
  });
  await forgetOld();
  return folder;
}

async function makeBundle(built: string, target: string): Promise<void> {
  // The service looks for the one two folders above its files, for the other three.
  await mkdir(join(target, 'root'), { recursive: true });
  await cp(join(dirname(built), 'package.json'), join(target, 'root/package.json'));
  await cp(join(dirname(built), 'profiles/built-in.json'), join(target, 'profiles/built-in.json'));
  const folder = join(target, 'root/service/bundle');
  await cp(join(built, 'pages/files'), join(folder, 'files'), { recursive: true });
  const { build } = await import('esbuild');
  await build({
    // The service starts its threads from files of these names beside its own.
    entryPoints: {
      main: join(built, 'main.js'),
      thread: join(built, 'store/sqlite/thread.js'),
    },
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    keepNames: true,
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    external: APART,
    plugins: [{ name: 'required', setup: bundleRequired }],
    // Packages in the older format ask for the modules of Node this way.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
    },
    logLevel: 'error',
  });
  await inAscii(join(folder, 'main.js'));
}

/** A program with a single other character is kept with two bytes for each, which every start must read. */
async function inAscii(file: string): Promise<void> {
  const program = await readFile(file, 'utf8');
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  await writeFile(file, program.replace(/[\u0080-\uffff]/g, escaped));
}

/** Asks for the validator by a `require` of its own making, which no bundle sees: each start would load its files one by one. */
const REQUIRES = /@nestjs[/\\]mapped-types[/\\]dist[/\\]type-helpers\.utils\.js$/;

function bundleRequired(build: PluginBuild): void {
  build.onLoad({ filter: REQUIRES }, async ({ path }) => {
    const source = await readFile(path, 'utf8');
    return { contents: source.replace(/^const require = createRequire\(.*$/m, ''), loader: 'js' };
  });
}

/** Of everything that goes into the bundle: the build, the versions of the packages, and the way it is made. */
async function contentHash(built: string): Promise<string> {
  const entries = await readdir(built, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const hash = createHash('sha256');
  const others = [
    join(repository, 'package-lock.json'),
    join(repository, 'profiles/built-in.json'),
    fileURLToPath(import.meta.url),
  ];
  for (const file of [...files.sort(), ...others]) {
    hash.update(relative(built, file)).update('\0');
    hash.update(await readFile(file)).update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

/** Keeps a few bundles for runs that still use them. */
async function forgetOld(): Promise<void> {
  const dated = await Promise.all(
    (await readdir(bundles)).map(async (name) => ({
      name,
      at: await stat(join(bundles, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    })),
  );
  const old = dated.sort((one, other) => other.at - one.at).slice(BUNDLES_KEPT);
  await Promise.all(old.map(({ name }) => rm(join(bundles, name), { recursive: true, force: true })));
}
