import { auditCommand } from '../command-audit.js';
import type { CommandContext } from '../command-context.js';
import { CommandFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { readSchema } from '../../store/migrations.js';
import { isPlainRefusal } from '../../store/plain-refusal.js';
import { Store } from '../../store/store.js';
import { inspectConfiguration } from '../inspect-configuration.js';

/** Migrates the schema. With `check`, only reports whether it is up to date. */
export async function migrate({ env, reporter }: CommandContext, check: boolean): Promise<ExitCode> {
  const config = inspectConfiguration(env);
  const { baseUrl, mode } = config.gateway;
  return plainly(async () => {
    const store = Store.connect({
      config: config.store,
      migrate: true,
      identity: { gatewayOrigin: new URL(baseUrl).origin, mode },
    });
    try {
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
    } finally {
      await store.close();
    }
  });
}

/** Runs `work`. An obstacle that a person must remove is reported without a stack. */
export async function plainly(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    if (!isPlainRefusal(error)) throw error;
    throw new CommandFailure(error.message, 'store');
  }
}

function message(current: boolean, check: boolean, missing: readonly string[]): string {
  if (current) return 'The schema is up to date.';
  return check
    ? `The schema lacks ${missing.join(', ')}: run "tillfront migrate".`
    : `Applied ${missing.join(', ')}. The schema is up to date.`;
}
