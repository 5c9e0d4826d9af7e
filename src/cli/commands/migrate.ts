import { readSchema } from '../../store/migrations.js';
import type { Store } from '../../store/store.js';
import { auditCommand } from '../command-audit.js';
import { type CommandContext, EXIT, type ExitCode } from '../command.js';
import { inspectConfiguration, withStore } from '../configuration.js';

/** Migrates the schema. With `check`, only reports whether it is up to date. */
export async function migrate({ env, reporter }: CommandContext, check: boolean): Promise<ExitCode> {
  const work = async (store: Store): Promise<ExitCode> => {
    const { applied, missing, newer } = await readSchema(store.db);
    if (!check || newer.length > 0) await store.prepare();
    if (!check && missing.length > 0) await auditCommand(store, 'migrate', missing.at(-1));
    const current = missing.length === 0;
    reporter.report({
      text: [message(current, check, missing)],
      json: {
        store: store.kind,
        ...(check ? { current, missing } : { applied: missing }),
        before: applied,
      },
    });
    return check && !current ? EXIT.found : EXIT.done;
  };
  return withStore(inspectConfiguration(env), work, { migrate: true });
}

function message(current: boolean, check: boolean, missing: readonly string[]): string {
  if (current) return 'The schema is up to date.';
  return check
    ? `The schema lacks ${missing.join(', ')}: run "tillfront migrate".`
    : `Applied ${missing.join(', ')}. The schema is up to date.`;
}
