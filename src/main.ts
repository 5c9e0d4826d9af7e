import './no-inspector.js';
import { setFlagsFromString } from 'node:v8';
import { readEnvironment } from './config/environment.js';
import { oldNodeRemedy } from './node-version.js';
import { readStartConfiguration } from './start-configuration.js';
import { PlainRefusal, refuse } from './refuse.js';

/** By how many percent of what is in use the heap may grow before it is collected again. V8 lets it grow up to fourfold. */
const HEAP_GROWTH = 50;

async function main(): Promise<void> {
  // What a hostile client makes is garbage at once. This bounds how much of it waits for the collector.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  // If an operator turns diagnostic reports on, they must not contain the secrets of the environment.
  process.report.excludeEnv = true;
  // An older Node.js would stop below, and name one of its own modules that it does not have.
  const old = oldNodeRemedy();
  if (old) throw new PlainRefusal(`${old.fault} ${old.remedy}`);
  const configuration = readStartConfiguration(readEnvironment());
  // Loaded only now, because loading the service takes most of a second and a wrong configuration should be refused at
  // once.
  const { serve } = await import('./serve.js');
  await serve(configuration);
}

main().catch(refuse);
