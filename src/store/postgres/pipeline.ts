import type { Connection, Submittable } from 'pg';
import type { SqlValue } from '../store.js';

/** A statement of a pipeline, by the name under which a connection has it prepared. */
export interface PipelinedStatement {
  name: string;
  text: string;
  values: readonly SqlValue[];
}

/** What a statement answered. */
export interface Answer {
  /** As `UPDATE 1`. */
  tag: string;
  rows: (string | null)[][];
}

/** What each connection has prepared. */
const prepared = new WeakMap<Connection, Set<string>>();

/**
 * Several statements of the extended protocol in one write to the socket, with one answer to wait for. A client of `pg` sends one after the
 * other. They have to be one transaction: the first begins it and the last ends it.
 */
export class Pipeline implements Submittable {
  /** Rejects with the server's first error, or where the connection ends. */
  readonly done: Promise<Answer[]>;
  /** `pg` sets a timeout through it. */
  callback: (error?: Error) => void = () => undefined;
  private readonly answers: Answer[] = [];
  private rows: (string | null)[][] = [];
  private resolve: (answers: Answer[]) => void = () => undefined;
  private reject: (error: unknown) => void = () => undefined;

  /** @param named whether statements are prepared under their names */
  constructor(
    private readonly statements: readonly PipelinedStatement[],
    private readonly named: boolean,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  submit(connection: Connection): void {
    let known = prepared.get(connection);
    if (!known) prepared.set(connection, (known = new Set()));
    connection.stream.cork();
    for (const { name, text, values } of this.statements) {
      if (!this.named) connection.parse({ name: '', text, types: [] }, true);
      else if (!known.has(name)) {
        connection.parse({ name, text, types: [] }, true);
        known.add(name);
      }
      connection.bind({ statement: this.named ? name : '', values: values.map(asText) }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.rows.push(fields);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.answers.push({ tag: text, rows: this.rows });
    this.rows = [];
  }

  handleError(error: unknown): void {
    this.callback();
    this.reject(error);
  }

  handleReadyForQuery(): void {
    this.callback();
    this.resolve(this.answers);
  }

  /** Not asked for: which columns a statement returns is known. */
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
