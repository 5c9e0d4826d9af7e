import { existsSync, readFileSync } from 'node:fs';

// npm packs whatever is there, and a package without its files installs all the same.
const { exports, version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const missing = Object.values(exports)
  .flatMap((entry) => Object.values(entry))
  .filter((path) => !existsSync(new URL(path, import.meta.url)));

if (missing.length > 0) {
  process.stderr.write(
    `tillfront-kit ${version} is not built, ${missing.join(' and ')} is missing: run "npm ci && npm run build" in the folder above.\n`,
  );
  process.exit(1);
}
