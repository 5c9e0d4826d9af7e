import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../store-unavailable.js';
import type { Message, Reply, ThreadData } from './connection.js';
import { asSqliteUnavailable } from './unavailable.js';

type Answer = Exclude<Reply, { error: string }>;

const GONE = 'the thread of the embedded store has ended';

/** A thread with its own connection. It answers in the order of the messages. */
export class SqliteThread {
  private readonly waiting: PromiseWithResolvers<Answer>[] = [];
  private readonly thread: Worker;
  private ending = false;

  /** Throws in the process where the thread ends though nobody wanted it to: nothing can be done about that. */
  constructor(data: ThreadData) {
    this.thread = new Worker(new URL(`./thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: data,
      // The process's own options, a loader or an inspector, are not for it, and no secret is.
      execArgv: ['--report-exclude-env'],
      env: {},
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    this.thread.on('message', (reply: Reply) => {
      this.answered(reply);
    });
    this.thread.on('exit', () => {
      for (const { reject } of this.waiting.splice(0))
        reject(new StoreUnavailable(GONE, undefined, !data.readOnly));
      const isWanted = this.ending;
      this.ending = true;
      if (!isWanted) throw new Error(GONE);
    });
    // The thread alone keeps no process alive; what is waited for does.
    this.thread.unref();
  }

  ask(message: Message): Promise<Answer> {
    if (this.ending) return Promise.reject(new StoreUnavailable(GONE));
    const answer = Promise.withResolvers<Answer>();
    this.thread.postMessage(message);
    this.thread.ref();
    this.waiting.push(answer);
    return answer.promise;
  }

  /** Resolves when the thread has answered everything and closed its connection. */
  async end(): Promise<void> {
    if (this.ending) return;
    this.ending = true;
    const ended = new Promise((resolve) => this.thread.once('exit', resolve));
    this.thread.ref();
    this.thread.postMessage('end');
    await ended;
  }

  private answered(reply: Reply): void {
    const waiting = this.waiting.shift();
    if (this.waiting.length === 0 && !this.ending) this.thread.unref();
    if (!('error' in reply)) waiting?.resolve(reply);
    else {
      const { error, code, errcode } = reply;
      waiting?.reject(asSqliteUnavailable(Object.assign(new Error(error), { code, errcode })));
    }
  }
}
