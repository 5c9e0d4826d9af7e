import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { delivered, type Inventory, type Lockfile } from './inventory.ts';

/**
 * Writes the inventory of what the image runs (CycloneDX 1.5, JSON) to standard output: the packages of the lockfile that are
 * installed there, and the Node.js that runs this, which is the image's version.
 *
 *   npm run --silent sbom > tillfront.cdx.json
 */
const root = join(import.meta.dirname, '..', '..');
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));

const everything = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
  ...{ cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const inventory = delivered(JSON.parse(everything) as Inventory, {
  project: read('package.json') as { name: string },
  lockfile: read('package-lock.json') as Lockfile,
  versions: process.versions,
});
process.stdout.write(`${JSON.stringify(inventory, null, 2)}\n`);
