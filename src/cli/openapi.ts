import { readFile, writeFile } from 'node:fs/promises';
import { describeApi } from './describe-api.js';

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
