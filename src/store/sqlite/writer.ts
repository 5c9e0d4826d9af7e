import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../store-unavailable.js';
import type { BatchMessage, Reply, StatementMessage } from './runner.js';
import { asSqliteUnavailable } from './unavailable.js';

type Message = BatchMessage | StatementMessage;
type Answer = Exclude<Reply, { kind: 'error' }>;

interface Waiting {
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** The one connection that writes the embedded store. */
export interface SqliteWriter {
  /** Grows whenever something was written beside the batches. */
  readonly generation: number;
  /** `within`: in the transaction that is held. */
  run(message: Message, within?: boolean): Promise<Answer>;
  /** Until what it returns is called, only messages `within` are run. */
  hold(): Promise<() => void>;
  end(): Promise<void>;
}

/** That connection, in a thread of its own. It answers in the order of the messages. */
export class WriterThread implements SqliteWriter {
  generation = 0;
  private readonly waiting: Waiting[] = [];
  private held: Promise<void> | undefined;
  private gone = false;
  private ending = false;

  /** @param crashed is told when the thread has ended though nobody wanted it to */
  constructor(
    file: string,
    crashed: (error: Error) => void,
    private readonly thread: Worker = newWriterThread(file),
  ) {
    thread.on('message', (reply: Reply) => {
      this.answered(reply);
    });
    let cause: Error | undefined;
    thread.on('error', (error) => {
      cause =
        error instanceof Error
          ? error
          : new Error('The thread of the embedded store has failed', { cause: error });
    });
    thread.on('exit', () => {
      this.gone = true;
      for (const { reject } of this.waiting.splice(0)) reject(new StoreUnavailable(GONE));
      if (!this.ending) crashed(cause ?? new Error('The thread of the embedded store has ended'));
    });
    // The thread alone keeps no process alive; what is waited for does.
    thread.unref();
  }

  async run(message: Message, within = false): Promise<Answer> {
    while (this.held && !within) await this.held;
    if (this.gone) throw new StoreUnavailable(GONE);
    return new Promise((resolve, reject) => {
      // One that cannot be sent has no answer to wait for.
      this.thread.postMessage(message);
      if (this.waiting.length === 0) this.thread.ref();
      this.waiting.push({ resolve, reject });
    });
  }

  async hold(): Promise<() => void> {
    while (this.held) await this.held;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.held = promise;
    return () => {
      this.held = undefined;
      resolve();
    };
  }

  /** Resolves when the thread has closed its connection. */
  async end(): Promise<void> {
    this.ending = true;
    if (this.gone) return;
    const ended = new Promise((resolve) => this.thread.once('exit', resolve));
    this.thread.ref();
    this.thread.postMessage('end');
    await ended;
  }

  private answered(reply: Reply): void {
    this.generation = reply.generation;
    const waiting = this.waiting.shift();
    if (this.waiting.length === 0) this.thread.unref();
    if (reply.kind !== 'error') {
      waiting?.resolve(reply);
      return;
    }
    const { message, code, errcode } = reply;
    waiting?.reject(asSqliteUnavailable(Object.assign(new Error(message), { code, errcode })));
  }
}

const GONE = 'the thread of the embedded store has ended';

function newWriterThread(file: string): Worker {
  const name = `./writer-thread${extname(import.meta.url)}`;
  return new Worker(new URL(name, import.meta.url), {
    workerData: file,
    // The process's own options, a loader or an inspector, are not for it, and no secret is. A diagnostic report shows the
    // environment of the whole process once for each thread, unless each is told not to.
    execArgv: ['--report-exclude-env'],
    env: {},
    // It keeps nothing, so a small nursery is enough; as large a one as the process has would be memory that is only filled with garbage.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
}
