import {
  ADD_ONLY_TABLES,
  MIGRATION_TABLES,
  NOT_IN_ADD_ONLY,
  NOT_IN_MIGRATION_TABLES,
} from '../../store/guarded-tables.js';
import { type CommandContext, CommandFailure, EXIT, type ExitCode } from '../command.js';

export interface RoleNames {
  migrating: string;
  running: string;
  schema: string;
}

/** What needs no quotes in SQL. */
const NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * Prints SQL that makes two roles: one that owns the tables and migrates, and one for replicas, which reads and writes rows
 * and nothing else, and only adds to the audit. Changes nothing itself. The script may be run again, and contains no password.
 */
export function databaseRoles({ reporter }: CommandContext, names: RoleNames): ExitCode {
  for (const name of [names.migrating, names.running, names.schema]) {
    if (!NAME.test(name)) {
      throw new CommandFailure(
        `A name must be 1 to 63 of a-z, 0-9 and _, and begin with a letter or _.`,
        'usage',
        EXIT.usage,
      );
    }
  }
  const script = rolesScript(names);
  reporter.report({ text: script, json: { sql: script.join('\n') } });
  return EXIT.done;
}

function rolesScript({ migrating, running, schema }: RoleNames): string[] {
  const rows = 'select, insert, update, delete';
  return [
    '-- Run this in the database of Tillfront, as its owner or a superuser. It may be run again.',
    `-- Then give both roles passwords: \\password ${migrating}, \\password ${running}`,
    'do $$ begin',
    ...[migrating, running].flatMap((role) => [
      `  if not exists (select from pg_roles where rolname = '${role}') then create role ${role} login; end if;`,
      `  execute format('grant connect on database %I to ${role}', current_database());`,
    ]),
    // Whoever changes a role's default privileges must be a member of it, a superuser apart.
    `  execute format('grant ${migrating} to %I', current_user);`,
    'end $$;',
    '',
    '-- Only the migrating role makes tables.',
    `revoke create on schema ${schema} from public;`,
    `grant usage, create on schema ${schema} to ${migrating};`,
    `grant usage on schema ${schema} to ${running};`,
    '',
    '-- Replicas read and write rows: of the tables that exist, and of those that migrations make.',
    `grant ${rows} on all tables in schema ${schema} to ${running};`,
    `alter default privileges for role ${migrating} in schema ${schema} grant ${rows} on tables to ${running};`,
    '',
    '-- Of these tables they may not change what is there: rows are only added, or only a migration adds them. A first migration',
    '-- that comes after this script sees to it itself. After an upgrade run this again, once no replica of the former version runs.',
    'do $$ declare name text; begin',
    ...[
      { tables: ADD_ONLY_TABLES, rights: NOT_IN_ADD_ONLY },
      { tables: MIGRATION_TABLES, rights: NOT_IN_MIGRATION_TABLES },
    ].flatMap(({ tables, rights }) => [
      `  foreach name in array array[${tables.map((table) => `'${schema}.${table}'`).join(', ')}] loop`,
      '    if to_regclass(name) is not null then',
      `      execute format('revoke ${rights} on %s from ${running}', name);`,
      '    end if;',
      '  end loop;',
    ]),
    'end $$;',
    '',
    '-- Settings of every session of a replica, also behind a pooler.',
    `alter role ${running} set statement_timeout = '20s';`,
    `alter role ${running} set idle_in_transaction_session_timeout = '60s';`,
    `alter role ${running} set enable_seqscan = off;`,
    `alter role ${running} set jit = off;`,
  ];
}
