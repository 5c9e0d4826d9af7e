import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../app.js';
import { createDependencies } from '../dependencies.js';
import { describeApi } from '../openapi/openapi.js';
import { checkStart } from '../start-check.js';

// Usage: generate.js write|check openapi FILE
const [task, , file = ''] = process.argv.slice(2);
const text = await writtenApi();
if (task === 'write') await writeFile(file, text);
else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  console.error(`${file} is not what the code says: run "npm run openapi" and commit it.`);
  process.exitCode = 1;
}
// The process ends now, so nothing needs to be closed one by one.
process.exit();

/**
 * The API description as served at `/openapi.json`, except for the server's address. Ends with a line feed. It builds the
 * whole service in a temporary folder, without listening and without any calls.
 */
async function writtenApi(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tillfront-openapi-'));
  try {
    const configuration = checkStart({
      GATEWAY_BASE_URL: 'https://gateway.example',
      GATEWAY_API_KEY: 'never-sent',
      GATEWAY_ACCESS_TOKEN: 'never-sent',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
    });
    const application = await createApp(await createDependencies(configuration));
    return `${JSON.stringify(describeApi(application.nest), null, 2)}\n`;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
