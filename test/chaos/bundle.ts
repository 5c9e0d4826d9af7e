import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

/**
 * What stays apart: what the preload watches, what starts threads from files, what asks for its parts in a way that no bundle
 * sees; the rest is not installed.
 */
const APART = [
  ...['pg', 'pg-native', 'pino', '@fastify/static', 'jsonc-parser'],
  ...['@nestjs/microservices', '@nestjs/websockets', '@fastify/view', '@fastify/multipart'],
];

/**
 * The built service with what it depends on in one file. It is the same code, and a process of it costs half as much to
 * start: of a machine that does little but start processes that it has killed, that is most of the work. Returns the folder.
 */
export async function bundle(built: string): Promise<string> {
  const folder = join(dirname(built), 'bundled');
  const making = `${folder}.${process.pid}`;
  await mkdir(making, { recursive: true });
  await cp(join(built, 'pages/files'), join(making, 'files'), { recursive: true });
  await build({
    entryPoints: [join(built, 'main.js')],
    outfile: join(making, 'main.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    keepNames: true,
    external: APART,
    // Packages in the older format ask for the modules of Node this way.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
    },
    logLevel: 'error',
  });
  await rm(folder, { recursive: true, force: true });
  await rename(making, folder);
  return folder;
}
