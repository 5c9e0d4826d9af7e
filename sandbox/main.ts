import { readEnvironment } from './environment.ts';
import { startSandbox } from './server.ts';

const options = readEnvironment(process.env);
if (Array.isArray(options)) {
  for (const { variable, message } of options) process.stderr.write(`${variable}: ${message}\n`);
  process.exit(1);
}

try {
  const sandbox = await startSandbox(options);
  process.stdout.write(`Sandbox gateway at ${sandbox.url}\n`);
  const stop = (): void => void sandbox.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  process.stderr.write(
    `The sandbox cannot start: ${error instanceof Error ? error.message : 'unknown error'}\n`,
  );
  process.exit(1);
}
