import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Medusa's packages are no dependency of Tillfront: they come, once, into a folder of their own when the peer is measured. */

const dependencies = { '@medusajs/framework': '2.21.2', '@medusajs/payment': '2.21.2' };
const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/tillfront-bench-peers/medusa');
const MANIFEST = join(FOLDER, 'package.json');

export const medusaPackages = createRequire(MANIFEST);

/** Whether they are there now. */
export async function installMedusa(say: (line: string) => void): Promise<boolean> {
  const flags = '--ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1 --loglevel=error';
  try {
    await mkdir(FOLDER, { recursive: true });
    await writeFile(MANIFEST, JSON.stringify({ private: true, dependencies }));
    await promisify(execFile)('npm', ['install', ...flags.split(' ')], { cwd: FOLDER });
    return true;
  } catch (error) {
    say(`Medusa is not measured, its packages could not be installed: ${(error as Error).message}`);
    return false;
  }
}
