import type { CompiledQuery, Kysely, KyselyPlugin, RootOperationNode } from 'kysely';
import type { Tables } from '../../src/store/schema.js';
import type { Store } from '../../src/store/store.js';

/** What `ask` asks a store, in the order of its questions. */
export async function askedQueries(
  store: Store,
  ask: (store: Store) => Promise<unknown>,
): Promise<CompiledQuery[]> {
  const queries: CompiledQuery[] = [];
  const executor = store.db.getExecutor();
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }): RootOperationNode => {
      queries.push(executor.compileQuery(node, queryId));
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const db: Kysely<Tables> = store.db.withPlugin(plugin);
  await ask(
    new Proxy(store, {
      get: (target, name): unknown => (name === 'db' ? db : Reflect.get(target, name)),
    }),
  );
  return queries;
}
