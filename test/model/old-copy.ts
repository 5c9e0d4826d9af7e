import { renameSync, rmSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runCli } from '../cli/run-cli.js';

/** An old copy of the embedded store, and what a person does after it was restored. */

const fileOf = (dataDir: string): string => join(dataDir, 'tillfront.db');
const copyOf = (dataDir: string): string => join(dataDir, 'copy.db');

/** Copies the store while it is used. */
export function copyStore(dataDir: string): void {
  rmSync(copyOf(dataDir), { force: true });
  const database = new DatabaseSync(fileOf(dataDir), { readOnly: true });
  database.exec(`vacuum into '${copyOf(dataDir)}'`);
  database.close();
}

/** Puts the copy in the place of the store, which nobody uses. The copy may be restored again. */
export function restoreStore(dataDir: string): void {
  copyFileSync(copyOf(dataDir), `${copyOf(dataDir)}.2`);
  for (const log of ['-wal', '-shm']) rmSync(fileOf(dataDir) + log, { force: true });
  renameSync(`${copyOf(dataDir)}.2`, fileOf(dataDir));
}

/** Accepts the loss. Throws where there is none. */
export async function acceptLoss(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { code, stdout, stderr } = await runCli(['store', 'accept-loss', '--json'], env);
  if (code !== 0) throw new Error(`accept-loss ended with ${code}: ${stdout}${stderr}`);
  // The command takes the time of SQLite, which no harness quickens: by the service's clock it is the time that the copy has reached.
  const database = new DatabaseSync(fileOf(dataDir));
  database.exec(
    `update meta set value = substr(value, 1, instr(value, ' ')) ||
       ((select cast(value as integer) + 1000 from meta where name = 'store_time')) where name = 'epoch'`,
  );
  database.close();
}
