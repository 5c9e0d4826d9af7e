import { readCommandEnvironment } from '../config/command-environment.js';
import type { Reporter } from './output/reporter.js';
import { ServiceClient } from './service-client.js';

/** What every command receives. */
export interface CommandContext {
  /** The environment, completed by the `.env` file. */
  readonly env: NodeJS.ProcessEnv;
  readonly reporter: Reporter;
}

/** The running service that the environment names. */
export function serviceOf({ env }: CommandContext): ServiceClient {
  return new ServiceClient(readCommandEnvironment(env));
}
