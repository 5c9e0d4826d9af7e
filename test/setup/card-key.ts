import { generateKeyPair } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A file that is made once in a run. */
export interface Template {
  /** A file, or the name of a database in the run's PostgreSQL. */
  name: string;
  remove(): Promise<void>;
}

/** The key for cards, as the service makes it where none is given. */
export async function cardKeyTemplate(): Promise<Template> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const folder = await mkdtemp(join(tmpdir(), 'tillfront-test-key-'));
  const name = join(folder, 'card-encryption-key.pem');
  await writeFile(name, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return { name, remove: () => rm(folder, { recursive: true, force: true }) };
}
