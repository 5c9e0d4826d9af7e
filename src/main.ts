import { readEnvironment } from './config/environment.js';
import { ConfigError } from './config/read-env.js';
import { checkStart, StartRefused } from './start-check.js';

// Without a listener the signal opens the inspector, where the service is started without `--disable-sigusr1`.
process.on('SIGUSR1', () => undefined);

async function main(): Promise<void> {
  // If an operator turns diagnostic reports on, they must not contain the secrets of the environment.
  process.report.excludeEnv = true;
  const configuration = checkStart(readEnvironment());
  // Loaded only now, because that takes most of a second, and a wrong configuration should be refused at once.
  const { serve } = await import('./serve.js');
  await serve(configuration);
}

main().catch((error: unknown) => {
  const isPlain = error instanceof StartRefused || error instanceof ConfigError;
  const text = error instanceof Error ? (isPlain ? error.message : error.stack) : 'The start failed';
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
