import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { namedKeysIn } from '../secrets/named-keys.js';
import { splitSecretList } from '../secrets/secret-source.js';
import { ConfigError } from './config-error.js';
import { parseBaseUrl } from './addresses.js';
import { localAddress } from './health-address.js';
import { SECRET_VARIABLES } from './secret-variables.js';

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

/** What a command needs to call the running service. */
export interface CommandEnvironment {
  /** The address for calls with a merchant key, without a trailing slash. */
  serviceUrl: string;
  /** The address for calls with a payer's token. It is the same one, unless `MERCHANT_PORT` is set. */
  payersUrl: string;
  /** A merchant key, the first where there are several. Undefined where none is set. */
  merchantKey: string | undefined;
}

/**
 * The address of the running service and the key for it. The address is `TILLFRONT_URL`, else this machine's
 * `MERCHANT_PORT` where that is set, else `PUBLIC_BASE_URL`, else this machine's `PORT`. The key is `MERCHANT_API_KEY`, or
 * for reading only `MERCHANT_READ_API_KEY`, or for the books `MERCHANT_BOOKS_API_KEY`, each also as `…_FILE`. Throws {@link ConfigError} for a malformed value.
 */
export function readCommandEnvironment(env: NodeJS.ProcessEnv): CommandEnvironment {
  const merchantPort = env['MERCHANT_PORT'];
  const payersUrl = (): string => urlOf('PUBLIC_BASE_URL', env, localAddress(env, env['PORT'] || '3000'));
  const serviceUrl = env['TILLFRONT_URL']
    ? urlOf('TILLFRONT_URL', env)
    : merchantPort
      ? localAddress(env, merchantPort)
      : payersUrl();
  return {
    serviceUrl,
    payersUrl: merchantPort ? payersUrl() : serviceUrl,
    merchantKey:
      firstKey('MERCHANT_API_KEY', env) ??
      firstKey('MERCHANT_BOOKS_API_KEY', env) ??
      firstKey('MERCHANT_READ_API_KEY', env),
  };
}

/**
 * The secrets that sign events, from `MERCHANT_WEBHOOK_SECRET` or its file. Empty where none is set. Throws {@link ConfigError} for a
 * malformed one.
 */
export function readWebhookSecrets(env: NodeJS.ProcessEnv): readonly string[] {
  const variable = 'MERCHANT_WEBHOOK_SECRET';
  const given = env[variable] || fileOf(`${variable}_FILE`, env);
  if (given === undefined || given === '') return [];
  const message = SECRET_VARIABLES[variable](given);
  if (message !== undefined) throw new ConfigError([{ variable, message }]);
  return splitSecretList(given);
}

function urlOf(variable: string, env: NodeJS.ProcessEnv, otherwise = ''): string {
  const url = parseBaseUrl(env[variable] || otherwise);
  if (url !== undefined) return url;
  throw new ConfigError([
    { variable, message: 'must be an http or https address without credentials, query and fragment' },
  ]);
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
