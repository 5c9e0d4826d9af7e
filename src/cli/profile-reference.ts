import { readFile, writeFile } from 'node:fs/promises';
import { schemaFile, writeReference } from '../gateway/profile/reference.js';

// Usage: profile-reference.js write|check REFERENCE SCHEMA
const [task, reference, schema] = process.argv.slice(2);
if ((task !== 'write' && task !== 'check') || reference === undefined || schema === undefined) {
  console.error('Usage: profile-reference.js write|check REFERENCE SCHEMA');
  process.exit(2);
}
const found = await readFile(reference, 'utf8');
const files = { [reference]: writeReference(found), [schema]: schemaFile() };
for (const [file, text] of Object.entries(files)) {
  if (task === 'write') await writeFile(file, text);
  else if ((await readFile(file, 'utf8')) !== text) {
    console.error(
      `${file} is not as the profile's form describes it: run "npm run profile:docs" and commit it.`,
    );
    process.exitCode = 1;
  }
}
