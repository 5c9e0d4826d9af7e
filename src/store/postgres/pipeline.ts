import type { Connection, Submittable } from 'pg';
import type { SqlValue } from '../store.js';

/** A statement of a pipeline, by the name under which a connection has it prepared. */
export interface PipelinedStatement {
  name: string;
  text: string;
  values: readonly SqlValue[];
}

/** What each connection has prepared. */
const prepared = new WeakMap<Connection, Set<string>>();

/**
 * Statements of the extended protocol in one write to the socket, with one answer to wait for: `pg` describes and syncs each one. They have
 * to be one transaction: the first begins it and the last ends it.
 */
export class Pipeline implements Submittable {
  /** `pg` sets a timeout through it. */
  callback: (error?: Error) => void = () => undefined;
  private readonly tags: string[] = [];
  private readonly end = Promise.withResolvers<string[]>();

  /** @param named whether statements are prepared under their names */
  constructor(
    private readonly statements: readonly PipelinedStatement[],
    private readonly named: boolean,
  ) {}

  /** What each statement did, as `UPDATE 1`. Rejects with the server's first error, or where the connection ends. */
  get done(): Promise<string[]> {
    return this.end.promise;
  }

  submit(connection: Connection): void {
    let known = prepared.get(connection);
    if (!known) prepared.set(connection, (known = new Set()));
    connection.stream.cork();
    for (const { name, text, values } of this.statements) {
      if (!this.named || !known.has(name))
        connection.parse({ name: this.named ? name : '', text, types: [] }, true);
      if (this.named) known.add(name);
      connection.bind({ statement: this.named ? name : '', values: values.map(asText) }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.tags.push(text);
  }

  handleError(error: unknown): void {
    this.callback();
    this.end.reject(error);
  }

  handleReadyForQuery(): void {
    this.callback();
    this.end.resolve(this.tags);
  }

  /** No statement of a batch is read from. */
  handleDataRow(): void {
    return;
  }

  handleRowDescription(): void {
    return;
  }

  handleEmptyQuery(): void {
    return;
  }

  handlePortalSuspended(): void {
    return;
  }
}

function asText(value: SqlValue): string | null {
  return value === null ? null : String(value);
}
