import { closeSync, existsSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OWNER_ONLY } from '../../secrets/private-file.js';
import { misplacedFile } from '../../store/sqlite/misplaced-file.js';
import { type CommandContext, CommandFailure, EXIT, type ExitCode } from '../command.js';
import { inspectConfiguration } from '../configuration.js';

/** How long to wait for the service's locks, in milliseconds. */
const TIMEOUT_MS = 5_000;

/**
 * Writes a copy of the embedded store as it is at one moment, while the service runs. It is looked through and on the disk before
 * the command says so. An existing file is not touched.
 */
export function backUpStore({ env, reporter }: CommandContext, file: string): ExitCode {
  const { store } = inspectConfiguration(env);
  if (store.kind === 'postgres') {
    throw new CommandFailure(
      'The store is a PostgreSQL: back it up with pg_dump, or with point-in-time recovery.',
      'postgres',
    );
  }
  const source = join(store.dataDir, 'tillfront.db');
  if (!existsSync(source)) {
    throw new CommandFailure(`There is no embedded store in ${store.dataDir}.`, 'store');
  }
  // SQLite would make an empty log in the place of one that was moved away, and that could not be put back.
  const missing = misplacedFile(source, { held: false, known: true });
  if (missing !== undefined) {
    throw new CommandFailure(
      `${missing} was moved or removed. Put it back first; nothing was copied.`,
      'store',
    );
  }
  const target = resolve(file);
  createPrivate(target);
  let payments: number;
  try {
    payments = copy(source, target);
  } catch (error) {
    rmSync(target, { force: true });
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`The backup was not made: ${why}`, 'store');
  }
  const bytes = statSync(target).size;
  reporter.report({
    text: [
      `${target} has ${payments} payments (${bytes} bytes).`,
      'Keep the generated keys of DATA_DIR too (secret.key, card-encryption-key.pem), in another place.',
    ],
    json: { file: target, payments, bytes },
  });
  return EXIT.done;
}

/** SQLite writes into an empty file, and leaves it to its owner. */
function createPrivate(target: string): void {
  try {
    closeSync(openSync(target, 'wx', OWNER_ONLY));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'it exists already' : (code ?? 'unknown reason');
    throw new CommandFailure(`${target} cannot be created: ${why}.`, 'file');
  }
}

/** Copies, checks the copy, and brings it to the disk. Returns how many payments it has. */
function copy(source: string, target: string): number {
  const database = new DatabaseSync(source, { timeout: TIMEOUT_MS });
  try {
    database.prepare('vacuum into ?').run(target);
  } finally {
    database.close();
  }
  const made = new DatabaseSync(target, { readOnly: true });
  let payments: number;
  try {
    const found = Object.values(made.prepare('pragma quick_check').get() ?? {});
    if (found[0] !== 'ok') throw new Error('the store is damaged, as SQLite finds in the copy');
    payments = Number(made.prepare('select count(*) as count from payments').get()?.['count']);
  } finally {
    made.close();
  }
  // SQLite does not wait for the disk here.
  for (const path of [target, dirname(target)]) sync(path);
  return payments;
}

function sync(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
