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
  const message = error instanceof Error ? error.message : 'unknown error';
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const remedy = isTaken ? '. Stop what uses this port, or set SANDBOX_PORT to another one' : '';
  process.stderr.write(`The sandbox cannot start: ${message}${remedy}\n`);
  process.exit(1);
}
