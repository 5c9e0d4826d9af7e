import { createRequire } from 'node:module';
import { storeBoundary, tablesWritten } from './sql.ts';

type Pass = (boundary: string) => void;

/**
 * Tells when something becomes durable: right before and right after each commit, and each writing statement outside
 * a transaction, on either store.
 */
export function watchStore(pass: Pass): void {
  watchSqlite(pass);
  watchPostgres(pass);
}

/** What the service sends the thread that writes the embedded store: see `src/store/sqlite/runner.ts`. */
type Message =
  { kind: 'batch'; texts: (number | string)[]; steps: number[] } | { kind: 'statement'; sql: string };
type Post = (this: WriterThread, message: unknown, ...rest: unknown[]) => void;
interface WriterThread {
  postMessage: Post;
  emit(event: string, ...values: unknown[]): boolean;
}

const STEP_SIZE = 3;

/** The embedded store is written by a thread. What it is asked is durable when it has answered. */
function watchSqlite(pass: Pass): void {
  const { Worker } = createRequire(import.meta.url)('node:worker_threads') as {
    Worker: { prototype: WriterThread };
  };
  const post = Worker.prototype.postMessage;
  /** Of each thread, the boundaries that its answers will be, in order. */
  const asked = new WeakMap<WriterThread, (string | undefined)[]>();
  /** By its number, what a statement writes. */
  const statements = new Map<number, string[]>();

  const boundaryOf = (message: Message): string | undefined => {
    if (message.kind === 'statement') {
      const tables = tablesWritten(message.sql);
      return tables.length === 0 ? undefined : storeBoundary(tables);
    }
    const { texts, steps } = message;
    for (let index = 0; index < texts.length; index += 2)
      statements.set(Number(texts[index]), tablesWritten(String(texts[index + 1])));
    const done = steps.filter((_, index) => index % STEP_SIZE === 0);
    return storeBoundary(done.flatMap((number) => statements.get(number) ?? []));
  };

  Worker.prototype.postMessage = function (message, ...rest) {
    if (!isMessage(message)) return post.call(this, message, ...rest);
    let names = asked.get(this);
    if (!names) {
      asked.set(this, (names = []));
      announceAnswers(this, names, pass);
    }
    const name = boundaryOf(message);
    if (name !== undefined) pass(`before ${name}`);
    names.push(name);
    post.call(this, message, ...rest);
    // It is on its way: how far the thread gets is its own matter.
    if (name !== undefined) pass(`sent ${name}`);
  };
}

function isMessage(message: unknown): message is Message {
  const { kind } = (message ?? {}) as { kind?: unknown };
  return kind === 'batch' || kind === 'statement';
}

function announceAnswers(thread: WriterThread, names: (string | undefined)[], pass: Pass): void {
  const emit = thread.emit.bind(thread);
  thread.emit = (event, ...values) => {
    if (event === 'message') {
      const name = names.shift();
      const { kind } = values[0] as { kind: string };
      if (name !== undefined && (kind === 'written' || kind === 'rows')) pass(`after ${name}`);
    }
    return emit(event, ...values);
  };
}

type Query = (this: object, query: unknown, ...rest: unknown[]) => unknown;

function watchPostgres(pass: Pass): void {
  const { Client } = createRequire(import.meta.url)('pg') as { Client: { prototype: { query: Query } } };
  const open = new WeakMap<object, Set<string>>();
  const real = Client.prototype.query;

  Client.prototype.query = function (query, ...rest) {
    const text = typeof query === 'string' ? query : ((query as { text?: string }).text ?? '');
    const word = text.trim().toLowerCase();
    const transaction = open.get(this);
    if (word === 'begin') open.set(this, new Set());
    if (word === 'rollback') open.delete(this);
    const tables = word === 'commit' ? [...(transaction ?? [])] : tablesWritten(text);
    if (word !== 'commit' && transaction) for (const table of tables) transaction.add(table);
    if (word === 'commit') open.delete(this);
    else if (transaction) return real.call(this, query, ...rest);
    if (tables.length === 0) return real.call(this, query, ...rest);

    const name = storeBoundary(tables);
    pass(`before ${name}`);
    const answered = real.call(this, query, ...rest);
    // It is on its way: whether the server gets to it is the server's to say.
    pass(`sent ${name}`);
    if (!(answered instanceof Promise)) return answered;
    return answered.then((result: unknown) => {
      pass(`after ${name}`);
      return result;
    });
  };
}
