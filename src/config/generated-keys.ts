import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepPrivate, OWNER_ONLY } from '../secrets/private-file.js';
import { NamedKeys } from '../secrets/named-keys.js';
import { Secret } from '../secrets/secret.js';
import { entriesOf } from './checks.js';
import type { Config, ConfigDraft } from './config.js';
import type { Env } from './env.js';
import { ConfigError } from './read-env.js';

const FILES = {
  MERCHANT_API_KEY: 'merchant-api.key',
  SECRET_KEY: 'secret.key',
  CARD_ENCRYPTION_KEY: 'card-encryption-key.pem',
} as const;

const makers: Record<keyof typeof FILES, () => string> = {
  MERCHANT_API_KEY: () => `mk_test_${randomBytes(24).toString('base64url')}`,
  SECRET_KEY: () => randomBytes(48).toString('base64url'),
  CARD_ENCRYPTION_KEY: () =>
    generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
};

/**
 * Completes the configuration. Keys that were not given are made once and kept in `DATA_DIR`, which every later start reads.
 * Under production's rules all were given. Throws {@link ConfigError} where `DATA_DIR` cannot be used.
 */
export function provideKeys(draft: ConfigDraft, env: Env): Config {
  const { dataDir } = draft.store;
  const keyOf = (name: keyof typeof FILES): string => env[name] ?? readOrCreate(dataDir, name);
  const merchantKeys = keyOf('MERCHANT_API_KEY');
  return {
    ...draft,
    merchant: { ...draft.merchant, apiKeys: new NamedKeys(merchantKeys) },
    keys: {
      secretKeys: new Secret(entriesOf(keyOf('SECRET_KEY'))),
      cardEncryptionKeys: new Secret(keyOf('CARD_ENCRYPTION_KEY')),
      merchantKeyFile: env.MERCHANT_API_KEY ? undefined : join(dataDir, FILES.MERCHANT_API_KEY),
    },
  };
}

function readOrCreate(dataDir: string, name: keyof typeof FILES): string {
  const path = join(dataDir, FILES[name]);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    keepPrivate(path);
    if (!existsSync(path)) createWhole(path, makers[name]());
    return readFileSync(path, 'utf8').trim();
  } catch {
    // The operating system's message would name the path only.
    const message = `cannot be used to keep a generated ${name}: it must be a writable folder`;
    throw new ConfigError([{ variable: 'DATA_DIR', message }]);
  }
}

/** Creates a file with its complete content or not at all, for its owner only. One that another process created first is kept. */
function createWhole(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, `${text.trim()}\n`, { flag: 'wx', mode: OWNER_ONLY, flush: true });
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}
