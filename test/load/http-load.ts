import { connect, type Socket } from 'node:net';

/** One answer as the load sees it. */
export interface Answer {
  status: number;
  body: string;
}

/** Whether an answer is the one expected. `undefined`: it was refused as it may be, so its time does not count. */
export type IsRight = (answer: Answer) => boolean | undefined;

/** What a stretch of load came to. Times are in milliseconds. */
export interface LoadResult {
  requests: number;
  seconds: number;
  /** From the moment at which each request was due to its whole answer, sorted. */
  times: number[];
  /** Answers that were not those expected: a figure with any is worth nothing. */
  wrong: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * One kept-alive connection that sends ready-made requests, one at a time. It reads no more of an answer than its status
 * and its length: the bench shares its cores with what it measures.
 */
export class Connection {
  #socket: Socket | undefined;
  #received: Buffer = Buffer.alloc(0);
  #settle: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;

  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  ask(request: Buffer): Promise<Answer> {
    const socket = (this.#socket ??= this.#open());
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      socket.write(request);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1').setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    const fail = (error?: Error): void => {
      this.#socket = undefined;
      this.#received = Buffer.alloc(0);
      this.#settle?.reject(error ?? new Error('the connection was closed before the answer'));
      this.#settle = undefined;
    };
    socket.on('error', fail).on('close', () => fail());
    return socket;
  }

  #take(chunk: Buffer): void {
    const bytes = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = bytes.indexOf(HEAD_END);
    const head = headEnd < 0 ? '' : bytes.toString('latin1', 0, headEnd);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    const end = headEnd + HEAD_END.length + Number(length ?? 0);
    if (headEnd < 0 || bytes.length < end) {
      this.#received = bytes;
      return;
    }
    this.#received = Buffer.alloc(0);
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.resolve({
      status: Number(head.slice(9, 12)),
      body: bytes.toString('latin1', headEnd + HEAD_END.length, end),
    });
  }
}

/** A request as bytes. */
export function httpRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Buffer {
  const lines = Object.entries({
    host: '127.0.0.1',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** Closed loop: so many connections, each of which asks again as soon as it is answered, until all requests are made. */
export async function closedLoop(
  port: number,
  requests: readonly Buffer[],
  concurrency: number,
  isRight: IsRight,
): Promise<LoadResult> {
  const times: number[] = [];
  let next = 0;
  let wrong = 0;
  const begun = performance.now();
  const worker = async (): Promise<void> => {
    const connection = new Connection(port);
    for (let request = requests[next++]; request; request = requests[next++]) {
      const due = performance.now();
      const right = await connection.ask(request).then(isRight, () => false);
      if (right !== undefined) times.push(performance.now() - due);
      if (right === false) wrong++;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - begun) / 1000;
  return { requests: requests.length, seconds, times: times.sort((a, b) => a - b), wrong };
}

/**
 * Open loop: requests become due at random moments (Poisson), so many a second, whether or not earlier ones are answered;
 * a server that stalls pays for all that came meanwhile.
 */
export async function openLoop(
  port: number,
  requests: readonly Buffer[],
  perSecond: number,
  isRight: IsRight,
): Promise<LoadResult> {
  const idle: Connection[] = [];
  const all: Connection[] = [];
  const times: number[] = [];
  let wrong = 0;
  const one = async (request: Buffer, due: number): Promise<void> => {
    let connection = idle.pop();
    if (!connection) all.push((connection = new Connection(port)));
    const right = await connection.ask(request).then(isRight, () => false);
    if (right !== undefined) times.push(performance.now() - due);
    if (right === false) wrong++;
    idle.push(connection);
  };
  const begun = performance.now();
  const asked: Promise<void>[] = [];
  let due = begun;
  for (const request of requests) {
    due += (-Math.log(1 - Math.random()) / perSecond) * 1000;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    asked.push(one(request, Math.max(due, begun)));
  }
  await Promise.all(asked);
  const seconds = (performance.now() - begun) / 1000;
  for (const connection of all) connection.close();
  return { requests: requests.length, seconds, times: times.sort((a, b) => a - b), wrong };
}
