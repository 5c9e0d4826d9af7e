import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

/*
 * Writes the types that the description of the API amounts to, as any user of `openapi-typescript` would get them. They are not kept:
 * the checks that read sources make them first, so that the client of the test is always compiled against the description.
 */
const document = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as object;
const types = astToString(await openapiTS(JSON.stringify(document)));
await writeFile(new URL('schema.d.ts', import.meta.url), types);
