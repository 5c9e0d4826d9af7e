import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { release } from '../body/release.js';

/** What answers a request. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const END_OF_HEADERS = '\r\n\r\n';

/** The least bytes of a request: `GET / HTTP/1.1` and two line breaks. */
const LEAST_REQUEST = 18;

/**
 * Lets a connection have one request in work at a time. Node's parser reads 64 KiB at once and reports every request in them,
 * some thousands, before the first is answered. Here the parser gets no more than about one request, and the next only when
 * the former answer was handed to the operating system. What a client sends meanwhile waits unread.
 */
export class ConnectionTurns {
  /** A reading of `performance.now()`: when the connection was opened, or its last request began or was answered. */
  since = performance.now();
  readonly #parse: ((bytes: Buffer) => void) | undefined;
  #active: Turn | undefined;
  /** The request whose body still arrives, answered or not. */
  #arriving: IncomingMessage | undefined;
  #waiting: Turn[] = [];
  #held: Buffer | undefined;
  #last: (() => void) | undefined;

  /** Takes the reading of a connection over. Call it when the HTTP server has set the connection up, before it has read. */
  constructor(
    private readonly socket: Socket,
    private readonly handle: Handler,
  ) {
    // The HTTP server would parse all that comes. With a listener of somebody else it leaves the reading to the socket.
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
    if (parse === undefined) return;
    this.#parse = parse;
    socket.off('data', parse);
    socket.on('data', (bytes: Buffer) => {
      this.#take(bytes);
    });
    socket.on('drain', () => {
      this.#goOn();
    });
  }

  /** Whether a request is being worked on, or its answer is being sent. */
  get working(): boolean {
    return this.#active !== undefined;
  }

  /** Whether a request is still being received. */
  get receiving(): boolean {
    return this.#active !== undefined && !this.#active.request.complete;
  }

  /** Called for each request that was parsed. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#arriving = request;
    if (this.#active === undefined) this.#start({ request, response });
    else this.#waiting.push({ request, response });
  }

  /** Parses nothing more, and calls `answer` when all that was parsed before is answered. */
  end(answer: () => void): void {
    if (this.#last !== undefined) return;
    this.#last = answer;
    this.#held = undefined;
    if (this.#active === undefined) this.#next();
  }

  #start(turn: Turn): void {
    this.#active = turn;
    this.since = performance.now();
    // Emitted once, also where the connection broke.
    turn.response.once('close', () => {
      this.#active = undefined;
      this.since = performance.now();
      this.#unfinished();
      // Others are served between two requests of one connection.
      if (this.#somethingWaits) setImmediate(() => this.#next());
    });
    turn.response.prependOnceListener('finish', () => {
      readOff(turn.request);
    });
    this.handle(turn.request, turn.response);
  }

  /** The request whose body comes next, if any does. It may have been answered already. */
  #unfinished(): IncomingMessage | undefined {
    if (this.#arriving?.complete === true) this.#arriving = undefined;
    return this.#arriving;
  }

  get #somethingWaits(): boolean {
    return this.#held !== undefined || this.#waiting.length > 0 || this.#last !== undefined;
  }

  #next(): void {
    if (this.socket.destroyed || this.#active !== undefined) return;
    const turn = this.#waiting.shift();
    // Of a request whose body has not come yet, nothing more comes once nothing more is parsed.
    if (turn && (this.#last === undefined || turn.request.complete)) this.#start(turn);
    else this.#last?.();
    this.#goOn();
  }

  #take(bytes: Buffer): void {
    if (this.#over) {
      release(bytes);
    } else if (this.#held === undefined) {
      const request = this.#unfinished();
      this.#feed(bytes);
      // All of it belonged to one body, of which the parser hands on copies.
      if (request !== undefined && request === this.#unfinished() && this.#held === undefined) release(bytes);
    } else {
      // It was on its way when the reading stopped.
      this.#held = Buffer.concat([this.#held, bytes]);
      this.socket.pause();
    }
  }

  #feed(bytes: Buffer): void {
    for (let from = 0; from < bytes.length;) {
      if (this.#over) return;
      if (!this.#mayParse) {
        this.#held = bytes.subarray(from);
        this.socket.pause();
        return;
      }
      const end = endOfPiece(bytes, from);
      this.#parse?.(from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end));
      from = end;
    }
  }

  #goOn(): void {
    const held = this.#held;
    if (held === undefined || this.#over || !this.#mayParse) return;
    this.#held = undefined;
    this.#feed(held);
    if (this.#held === undefined) this.socket.resume();
  }

  /** What comes next belongs to nobody, or to the body of the request in work. */
  get #mayParse(): boolean {
    // Node stops its parser while too much waits to be written, and says so only here.
    if ((this.socket as Socket & { _paused?: boolean })._paused === true) return false;
    if (this.#active === undefined) return this.#waiting.length === 0;
    return this.#waiting.length === 0 && !this.#active.request.complete;
  }

  /** Nothing more is parsed: the connection is closed, or will be when all is answered. */
  get #over(): boolean {
    return this.#last !== undefined || this.socket.destroyed || this.socket.writableEnded;
  }
}

/** Reads on where a request was answered before all of its body came, so that its sender can read the answer. Keeps nothing of it. */
function readOff(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.on('data', release);
  // From here on Node does not read it by itself, and so leaves no copy to the collector.
  request.read(0);
}

/** A request without a body ends with its headers, so this is the end of one request, or somewhere in a body or behind it. */
function endOfPiece(bytes: Buffer, from: number): number {
  const least = from + LEAST_REQUEST - END_OF_HEADERS.length;
  if (least >= bytes.length) return bytes.length;
  const end = bytes.indexOf(END_OF_HEADERS, least, 'latin1');
  return end < 0 ? bytes.length : end + END_OF_HEADERS.length;
}
