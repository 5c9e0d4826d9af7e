import type { Command } from 'commander';
import { type Register, textOr } from './register.js';

/** Commands that look after a PostgreSQL. */
export function addDatabaseCommands(program: Command, register: Register): void {
  register(
    program
      .command('db')
      .description('prepares a PostgreSQL')
      .command('roles')
      .description('prints SQL for a role that migrates and one for replicas; changes nothing'),
    {
      migrating: textOr('--migrating <role>', 'the role that owns the tables', 'tillfront_migrate'),
      running: textOr('--running <role>', 'the role of replicas', 'tillfront_run'),
      schema: textOr('--schema <schema>', 'where the tables are', 'public'),
    },
    async (context, options) => (await import('./commands/db-roles.js')).databaseRoles(context, options),
  );
  const store = program.command('store').description('maintains the store');
  register(
    store
      .command('accept-loss')
      .description('accepts that the store has lost commits, so that payments are accepted again'),
    {},
    async (context) => (await import('./commands/accept-loss.js')).acceptLoss(context),
  );
  register(
    store
      .command('backup')
      .description('copies the embedded store into a file, while the service runs')
      .argument('<file>', 'where to write it; an existing file is not touched'),
    {},
    async (context, _options, [file]) =>
      (await import('./commands/store-backup.js')).backUpStore(context, String(file)),
  );
  register(
    store.command('losses').description('lists what the store has lost, and who has accepted it'),
    {},
    async (context) => (await import('./commands/store-losses.js')).listLosses(context),
  );
}
