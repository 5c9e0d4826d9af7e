import './no-inspector.js';
import { readEnvironment } from './config/environment.js';
import { readStartConfiguration } from './start-configuration.js';
import { refuse } from './refuse.js';

async function main(): Promise<void> {
  // Whoever turns diagnostic reports on gets them without the secrets of the environment.
  process.report.excludeEnv = true;
  const configuration = readStartConfiguration(readEnvironment());
  // Only now, because all that it stands on takes most of a second to load: a start that is wrong is refused at once.
  const { serve } = await import('./serve.js');
  await serve(configuration);
}

main().catch(refuse);
