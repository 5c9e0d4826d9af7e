import { generateKeyPair, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';

/**
 * Stores with the schema of today and no rows, and the key that a first start makes, each made once in a run. Copies cost a tenth of
 * what the migrations do, and nothing of what a key does: a fifth of a start.
 */

const source = fileURLToPath(new URL('schema.ts', import.meta.url));
const cache = fileURLToPath(new URL('../../node_modules/.cache/tillfront-schema/', import.meta.url));

let code: Promise<typeof import('./schema.ts')> | undefined;

/** The migrations of `src`, whatever is built. Jest's own process loads no sources of the service, so they are bundled. */
function loadCode(): Promise<typeof import('./schema.ts')> {
  code ??= (async () => {
    await mkdir(cache, { recursive: true });
    const outfile = join(cache, `${process.pid}.mjs`);
    const { build } = await import('esbuild');
    await build({
      entryPoints: [source],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'error',
    });
    try {
      return (await import(pathToFileURL(outfile).href)) as typeof import('./schema.ts');
    } finally {
      await rm(outfile, { force: true });
    }
  })();
  return code;
}

export interface Template {
  /** A file, or the name of a database in the run's PostgreSQL. */
  name: string;
  remove(): Promise<void>;
}

export async function embeddedTemplate(): Promise<Template> {
  const { makeEmbeddedSchema } = await loadCode();
  const folder = await mkdtemp(join(tmpdir(), 'tillfront-test-schema-'));
  const name = join(folder, 'tillfront.db');
  await makeEmbeddedSchema(name);
  return { name, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The key for cards, as the service makes it where none is given. */
export async function cardKeyTemplate(): Promise<Template> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const folder = await mkdtemp(join(tmpdir(), 'tillfront-test-key-'));
  const name = join(folder, 'card-encryption-key.pem');
  await writeFile(name, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return { name, remove: () => rm(folder, { recursive: true, force: true }) };
}

export async function postgresTemplate(superuser: string): Promise<Template> {
  const { makePostgresSchema } = await loadCode();
  const name = `test_schema_${randomBytes(8).toString('hex')}`;
  const execute = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: superuser });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await execute(`CREATE DATABASE ${name}`);
  const url = new URL(superuser);
  url.pathname = `/${name}`;
  await makePostgresSchema(url.href);
  return { name, remove: () => execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}
