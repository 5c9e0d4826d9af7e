import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import { keepPrivate, OWNER_ONLY } from '../secrets/private-file.js';
import { NamedKeyList, type NamedKeySource } from '../secrets/named-keys.js';
import {
  FixedSecret,
  SecretList,
  type SecretListSource,
  type SecretSource,
} from '../secrets/secret-source.js';
import { ConfigError } from './config-error.js';
import type { SecretSources } from './read-env.js';
import { SECRET_VARIABLES } from './secret-variables.js';

/** Where generated keys are kept, in `DATA_DIR`. */
const FILES = { SECRET_KEY: 'secret.key', CARD_ENCRYPTION_KEY: 'card-encryption-key.pem' } as const;

const RSA_BITS = 2048;

export interface KeysConfig {
  /** At least one. The first signs, all verify. */
  secretKeys: SecretListSource;
  /** PEM private RSA keys in one text, newest first. */
  cardEncryptionKeys: SecretSource;
  /**
   * Variables whose value was generated at this start, for a notice that is shown once. Always empty under production's
   * rules.
   */
  generated: string[];
}

/**
 * Generates the keys that were not given. `SECRET_KEY` and `CARD_ENCRYPTION_KEY` are made once and written to files in
 * `dataDir`, which every later start reads. `MERCHANT_API_KEY` is made at each start, because it is printed and never
 * stored. Under production's rules every key was given, so nothing is generated. Throws {@link ConfigError} where `dataDir`
 * cannot be used.
 */
export function provideKeys(
  dataDir: string,
  sources: SecretSources,
): { keys: KeysConfig; merchantApiKeys: NamedKeySource } {
  const generated: string[] = [];
  const kept = (name: keyof typeof FILES, make: () => string): SecretSource => {
    const given = sources[name];
    if (given) return given;
    const { text, created } = readOrCreate(dataDir, name, make);
    if (created) generated.push(name);
    return new FixedSecret(text);
  };
  const secretKeys = new SecretList(kept('SECRET_KEY', () => randomBytes(48).toString('base64url')));
  const cardEncryptionKeys = kept('CARD_ENCRYPTION_KEY', makePrivateKey);
  let merchantKey = sources.MERCHANT_API_KEY;
  if (!merchantKey) {
    merchantKey = new FixedSecret(`mk_test_${randomBytes(24).toString('base64url')}`);
    generated.push('MERCHANT_API_KEY');
  }
  return {
    keys: { secretKeys, cardEncryptionKeys, generated },
    merchantApiKeys: new NamedKeyList(merchantKey),
  };
}

function makePrivateKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function readOrCreate(
  dataDir: string,
  name: keyof typeof FILES,
  make: () => string,
): { text: string; created: boolean } {
  const path = join(dataDir, FILES[name]);
  let text: string;
  let created = false;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    keepPrivate(path);
    text = readIfThere(path) ?? '';
    if (text === '') {
      created = createWhole(path, make());
      text = readIfThere(path) ?? '';
    }
  } catch {
    throw new ConfigError([
      {
        variable: 'DATA_DIR',
        message: `cannot be used to keep a generated ${name}: it must be a writable folder`,
      },
    ]);
  }
  const problem = SECRET_VARIABLES[name](text);
  if (problem !== undefined) {
    throw new ConfigError([{ variable: 'DATA_DIR', message: `has a ${FILES[name]} that ${problem}` }]);
  }
  return { text, created };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (isNativeError(error) && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Creates a file with its complete content or not at all, readable by its owner only. Returns false if another process
 * created it first, and keeps that file. A crash leaves at most a stray temporary file, never half a key.
 */
function createWhole(path: string, text: string): boolean {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = openSync(temporary, 'wx', OWNER_ONLY);
    try {
      writeSync(file, `${text.trim()}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (isNativeError(error) && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}
