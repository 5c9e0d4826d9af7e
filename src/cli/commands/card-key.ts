import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import { type CommandContext, CommandFailure, EXIT, type ExitCode } from '../command.js';
import { table } from '../output.js';

const PEM_BLOCK = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g;
/** The file of a key that the service generated. */
const GENERATED = 'card-encryption-key.pem';
/** Only the owner can read and write. */
const PRIVATE = 0o600;
/** After this time the service refuses cards that were encrypted with the former key. */
const OVERLAP_MINUTES = 15;

export interface RotateOptions {
  file: string | undefined;
  keep: number;
  bits: number;
}

interface KeyFile {
  path: string;
  /** Whether a running service notices a change of the file. */
  followed: boolean;
}

/** Lists the public key ids of the file. Nothing private is shown. */
export async function listCardKeys(context: CommandContext, file: string | undefined): Promise<ExitCode> {
  const { path } = keyFile(context, file);
  const keys = await Promise.all(blocksOf(path).map(describeKey));
  if (keys.length === 0) throw new CommandFailure(`There is no private key in ${path}.`, 'no-key');
  context.reporter.report({
    text: table(
      keys.map(({ kid, bits }, index) => [
        kid,
        `${bits} bits`,
        index === 0 ? 'browsers get this one' : 'decrypts',
      ]),
    ),
    json: { file: path, keys },
  });
  return EXIT.done;
}

/**
 * Generates a new key, puts it first in the file and keeps the newest of the former ones. The file is replaced completely
 * or not at all.
 */
export async function rotateCardKey(context: CommandContext, options: RotateOptions): Promise<ExitCode> {
  const { path, followed } = keyFile(context, options.file);
  const former = existsSync(path) ? blocksOf(path) : [];
  const kept = former.slice(0, options.keep);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: options.bits });
  const fresh = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();
  replaceFile(path, `${[fresh, ...kept].join('\n')}\n`);
  const [first, ...rest] = await Promise.all([fresh, ...kept].map(describeKey));
  const dropped = await Promise.all(former.slice(options.keep).map(describeKey));
  context.reporter.report({
    text: [
      `New key ${first?.kid ?? ''} in ${path}; browsers get it from now on.`,
      ...rest.map(
        ({ kid }) =>
          `${kid} still decrypts. Remove it after ${OVERLAP_MINUTES} minutes, or let the next rotation do so.`,
      ),
      ...dropped.map(({ kid }) => `${kid} was removed.`),
      followed
        ? 'A running service uses it within 10 s.'
        : 'Restart the service, because it reads this file only at its start. It reads a file named by CARD_ENCRYPTION_KEY_FILE again by itself.',
    ],
    json: { file: path, followed, key: first, kept: rest, dropped },
  });
  return EXIT.done;
}

function keyFile({ env }: CommandContext, file: string | undefined): KeyFile {
  if (file !== undefined) return { path: resolve(file), followed: true };
  const named = env['CARD_ENCRYPTION_KEY_FILE'];
  if (named) return { path: resolve(named), followed: true };
  if (env['CARD_ENCRYPTION_KEY']) {
    throw new CommandFailure(
      'CARD_ENCRYPTION_KEY holds the key itself, which no command can change. Put it in a file, ' +
        'name the file in CARD_ENCRYPTION_KEY_FILE, and rotate there; or name your own file with --file.',
      'key-not-in-a-file',
    );
  }
  return { path: resolve(join(env['DATA_DIR'] || './data', GENERATED)), followed: false };
}

function blocksOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').replaceAll('\\n', '\n').match(PEM_BLOCK) ?? [];
  } catch {
    throw new CommandFailure(`${path} cannot be read.`, 'file');
  }
}

async function describeKey(pem: string): Promise<{ kid: string; bits: number | undefined }> {
  const key = createPublicKey(createPrivateKey(pem));
  return {
    kid: await calculateJwkThumbprint(await exportJWK(key)),
    bits: key.asymmetricKeyDetails?.modulusLength,
  };
}

/** A crash leaves the old file or the new one, never half of one. Whoever could read the old file can read the new one. */
function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const before = existsSync(path) ? statSync(path) : undefined;
    const file = openSync(temporary, 'wx', PRIVATE);
    try {
      if (before) {
        // When run as root, the file must stay readable for the service's own account.
        if (before.uid !== process.getuid?.()) fchownSync(file, before.uid, before.gid);
        fchmodSync(file, before.mode & 0o777);
      }
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch {
    throw new CommandFailure(`${path} cannot be written.`, 'file');
  } finally {
    rmSync(temporary, { force: true });
  }
}
