import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Puts the built service with what it depends on into `dist/service`: the same code in a few files, which starts in half the time of
 * the thousand that it is made of. The command line goes on reading those.
 */

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

/** What only traces need, what asks for its parts in a way that no bundle sees, and what is not installed. */
const APART = [
  ...['sdk-trace-node', 'exporter-trace-otlp-http', 'resources'].map((name) => `@opentelemetry/${name}`),
  ...['pg', 'pg-native', 'pino', '@fastify/static', 'jsonc-parser'],
  ...['@nestjs/microservices', '@nestjs/websockets', '@fastify/view', '@fastify/multipart'],
  // An older name of a file, asked for where the new one is missing.
  'class-transformer/storage',
];

/** Asks for the validator by a `require` of its own making, which no bundle sees: each start would load its files one by one. */
const REQUIRES = /@nestjs[/\\]mapped-types[/\\]dist[/\\]type-helpers\.utils\.js$/;

await rm(`${dist}service`, { recursive: true, force: true });
const { metafile } = await build({
  // The embedded store starts its threads from a file of this name beside its own.
  entryPoints: { main: `${dist}main.js`, thread: `${dist}store/sqlite/thread.js` },
  outdir: `${dist}service`,
  bundle: true,
  metafile: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  keepNames: true,
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  external: APART,
  plugins: [{ name: 'required', setup: bundleRequired }],
  // Packages in the older format ask for the modules of Node.js this way.
  banner: {
    js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
  },
  logLevel: 'error',
});
for (const file of Object.keys(metafile.outputs)) await inAscii(file);

function bundleRequired(bundler) {
  bundler.onLoad({ filter: REQUIRES }, async ({ path }) => {
    const source = await readFile(path, 'utf8');
    return { contents: source.replace(/^const require = createRequire\(.*$/m, ''), loader: 'js' };
  });
}

/** A program with a single other character is kept with two bytes for each, which every start must read. */
async function inAscii(file) {
  const program = await readFile(file, 'utf8');
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  await writeFile(file, program.replace(/[\u0080-\uffff]/g, escaped));
}
