import { existsSync } from 'node:fs';

// A build begins by removing the old one and ends with the browsers' files, so these are there once it is complete.
const parts = ['../dist/service/main.js', '../dist/cli/main.js', '../dist/pages/files'];

if (!parts.every((part) => existsSync(new URL(part, import.meta.url)))) {
  process.stderr.write('Nothing is built yet, or a build was interrupted: run "npm run build".\n');
  process.exit(4);
}
