import { readFile, writeFile } from 'node:fs/promises';
import { writeReference } from '../gateway/profile/reference.js';

// Usage: profile-reference.js write FILE | profile-reference.js check FILE
const [task, file] = process.argv.slice(2);
if ((task !== 'write' && task !== 'check') || file === undefined) {
  console.error('Usage: profile-reference.js write FILE | check FILE');
  process.exit(2);
}
const found = await readFile(file, 'utf8');
const written = writeReference(found);
if (task === 'write') {
  await writeFile(file, written);
} else if (found !== written) {
  console.error(
    `${file} is not as the profile's schema describes it: run "npm run profile:docs" and commit it.`,
  );
  process.exit(1);
}
