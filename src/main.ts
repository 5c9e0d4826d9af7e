import './no-inspector.js';
import { readEnvironment } from './config/environment.js';
import { readStartConfiguration } from './start-configuration.js';
import { refuse } from './refuse.js';

async function main(): Promise<void> {
  // If an operator turns diagnostic reports on, they must not contain the secrets of the environment.
  process.report.excludeEnv = true;
  const configuration = readStartConfiguration(readEnvironment());
  // Loaded only now, because loading the service takes most of a second and a wrong configuration should be refused at
  // once.
  const { serve } = await import('./serve.js');
  await serve(configuration);
}

main().catch(refuse);
