import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';

/** Where the generated types are. */
export const SCHEMA_FILE = 'test/typed-client/schema.d.ts';

/** The types that the description of the API amounts to, as any user of `openapi-typescript` would get them. */
export async function generateSchema(): Promise<string> {
  const document = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as object;
  const ast = await openapiTS(JSON.stringify(document));
  const text = `// Generated from docs/openapi.json: run "npm run typed-client".\n\n${astToString(ast)}`;
  return format(text, { ...(await resolveConfig(SCHEMA_FILE)), parser: 'typescript' });
}

if (import.meta.main) await writeFile(SCHEMA_FILE, await generateSchema());
