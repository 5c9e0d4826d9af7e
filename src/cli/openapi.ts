import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../app.js';
import { createDependencies } from '../dependencies.js';
import { addDetails } from '../openapi/details.js';
import { buildOpenApi } from '../openapi/openapi.js';
import { readStartConfiguration } from '../start-configuration.js';

// Usage: openapi.js write FILE | openapi.js check FILE
const [task, file] = process.argv.slice(2);
if ((task !== 'write' && task !== 'check') || file === undefined) {
  console.error('Usage: openapi.js write FILE | check FILE');
  process.exit(2);
}
const description = await describeApi();
if (task === 'write') {
  await writeFile(file, description);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== description) {
  console.error(`${file} does not describe the API as it is built: run "npm run openapi" and commit it.`);
  process.exit(1);
}
// the process ends now, so nothing needs to be closed one by one
process.exit(0);

/**
 * The API description as served at `/openapi.json`, except for the server's address. Ends with a line feed. It builds the
 * whole service in a temporary folder, without listening and without any calls.
 */
async function describeApi(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tillfront-openapi-'));
  try {
    const configuration = readStartConfiguration({
      GATEWAY_BASE_URL: 'https://gateway.example',
      GATEWAY_API_KEY: 'never-sent',
      GATEWAY_ACCESS_TOKEN: 'never-sent',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
    });
    const application = await createApp(await createDependencies(configuration));
    return `${JSON.stringify(buildOpenApi(application.nest, { details: addDetails }), null, 2)}\n`;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
