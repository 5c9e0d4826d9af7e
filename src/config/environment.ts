import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigError } from './read-env.js';

/**
 * The process's environment, completed by the `.env` file of the working directory if there is one. A variable that the
 * environment already has wins. Throws {@link ConfigError} if the file cannot be read.
 */
export function readEnvironment(file = '.env'): NodeJS.ProcessEnv {
  if (existsSync(file)) {
    try {
      for (const [name, value] of Object.entries(parseEnv(readFileSync(file, 'utf8'))))
        process.env[name] ??= value;
    } catch {
      throw new ConfigError([{ variable: file, message: 'is there but cannot be read' }]);
    }
  }
  return process.env;
}
