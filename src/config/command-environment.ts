import { readFileSync } from 'node:fs';
import { namedKeysIn } from '../secrets/named-keys.js';
import { parseBaseUrl } from './addresses.js';
import { ConfigError } from './config-error.js';

/** What a command needs to speak to the running service. */
export interface CommandEnvironment {
  /** Without a trailing slash. */
  serviceUrl: string;
  /** A merchant key, the first where there are several; undefined where none is set. */
  merchantKey: string | undefined;
}

/**
 * Where the running service is and what to show it: `TILLFRONT_URL`, else `PUBLIC_BASE_URL`, else this machine's `PORT`; and
 * `MERCHANT_API_KEY`, or for reading only `MERCHANT_READ_API_KEY`, each also as `…_FILE`. Throws {@link ConfigError} for what is malformed.
 */
export function readCommandEnvironment(env: NodeJS.ProcessEnv): CommandEnvironment {
  const variable = env['TILLFRONT_URL'] ? 'TILLFRONT_URL' : 'PUBLIC_BASE_URL';
  const serviceUrl = parseBaseUrl(env[variable] || `http://127.0.0.1:${env['PORT'] || '3000'}`);
  if (serviceUrl === undefined) {
    throw new ConfigError([
      { variable, message: 'must be an http or https address without credentials, query and fragment' },
    ]);
  }
  return {
    serviceUrl,
    merchantKey: firstKey('MERCHANT_API_KEY', env) ?? firstKey('MERCHANT_READ_API_KEY', env),
  };
}

function firstKey(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const [first] = namedKeysIn(env[name] || fileOf(`${name}_FILE`, env));
  return first === undefined || first.key === '' ? undefined : first.key;
}

function fileOf(variable: string, env: NodeJS.ProcessEnv): string | undefined {
  const path = env[variable];
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new ConfigError([{ variable, message: 'names a file that cannot be read' }]);
  }
}
