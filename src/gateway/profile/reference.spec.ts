import { expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { profileSchema } from './schema.js';
import { schemaFile, writeReference } from './reference.js';

const REFERENCE = 'docs/gateway-profile.md';
const SCHEMA = 'profiles/profile.schema.json';

/** `UPDATE_REFERENCE=1` writes them; `npm run profile:docs` does the same from the built service. */
if (process.env['UPDATE_REFERENCE'] === '1') {
  writeFileSync(REFERENCE, writeReference(readFileSync(REFERENCE, 'utf8')));
  writeFileSync(SCHEMA, schemaFile());
}

test('the reference and the schema are what the code says', () => {
  const document = readFileSync(REFERENCE, 'utf8');
  expect(writeReference(document)).toBe(document);
  expect(readFileSync(SCHEMA, 'utf8')).toBe(schemaFile());
});

test('the reference has every key of the file, and a table for all that is in them', () => {
  const document = readFileSync(REFERENCE, 'utf8');
  for (const key of Object.keys(profileSchema.shape)) expect(document).toContain(`| \`${key}\` |`);
  expect(() => writeReference('<!-- generated: nothing -->\n\n<!-- /generated -->')).toThrow(
    'The schema has no keys at nothing',
  );
});
