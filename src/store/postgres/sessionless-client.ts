import pg from 'pg';

/**
 * A client that prepares no statement under a name. Behind a pooler that gives out connections by the transaction, the next
 * statement may be another server session's, which has never heard of the name.
 */
export class SessionlessClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...args: readonly unknown[]) => unknown;
    this.query = ((first: unknown, ...rest: readonly unknown[]) =>
      query(withoutName(first), ...rest)) as typeof this.query;
  }
}

function withoutName(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('name' in query)) return query;
  return { ...query, name: undefined };
}
