import { existsSync } from 'node:fs';
import { ConfigError } from './read-env.js';

/** The process's environment, completed by the `.env` file of the working directory if there is one. */
export function readEnvironment(): NodeJS.ProcessEnv {
  try {
    if (existsSync('.env')) process.loadEnvFile();
  } catch {
    throw new ConfigError([{ variable: '.env', message: 'is there but cannot be read' }]);
  }
  return process.env;
}
