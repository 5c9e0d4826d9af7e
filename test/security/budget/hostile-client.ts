import { connect, type Socket } from 'node:net';

/** What came back over the connections of a row. */
export class Tally {
  readonly statuses = new Map<number, number>();
  /** The beginnings of answers that must never be. */
  readonly failures: string[] = [];

  add(status: number, text: string): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 500 && this.failures.length < 3) this.failures.push(text.slice(0, 600));
  }

  get answers(): number {
    return [...this.statuses.values()].reduce((sum, count) => sum + count, 0);
  }
}

const STATUS = /HTTP\/1\.1 (\d{3}) /g;
/** Where a chunk may cut a status line. */
const CARRY = 12;

/** A plain socket that keeps to no rules. */
export class HostileConnection {
  readonly #socket: Socket;
  readonly #tally: Tally;
  #carry = '';
  #answers = 0;
  #received = 0;
  #closed = false;
  readonly #ended: Promise<void>;

  private constructor(socket: Socket, tally: Tally) {
    this.#socket = socket;
    this.#tally = tally;
    socket.on('error', () => undefined);
    this.#ended = new Promise((resolve) =>
      socket.once('close', () => {
        this.#closed = true;
        resolve();
      }),
    );
  }

  /** Opens a connection that reads nothing yet. One that is refused is closed, and that is no fault. */
  static open(port: number, tally: Tally): Promise<HostileConnection> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.pause();
      const connection = new HostileConnection(socket, tally);
      socket.once('connect', () => resolve(connection));
      socket.once('close', () => resolve(connection));
    });
  }

  static openMany(count: number, port: number, tally: Tally): Promise<HostileConnection[]> {
    return Promise.all(Array.from({ length: count }, () => HostileConnection.open(port, tally)));
  }

  /** Answers whose head has arrived. */
  get answers(): number {
    return this.#answers;
  }

  /** Bytes that were read. */
  get received(): number {
    return this.#received;
  }

  /** Whether it is over. A connection that does not read learns of it only by writing. */
  get closed(): boolean {
    return this.#closed;
  }

  write(bytes: Buffer | string): this {
    if (this.#socket.writable) this.#socket.write(bytes);
    return this;
  }

  read(): this {
    this.#socket.on('data', (data) => this.#take(data as Buffer)).resume();
    return this;
  }

  /** Stops reading; what is on its way stays in the system's buffers. */
  stopReading(): this {
    this.#socket.pause();
    return this;
  }

  /** A TCP reset: the other side learns of it while it does whatever it does. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  end(): void {
    this.#socket.destroy();
  }

  ended(): Promise<void> {
    return this.#ended;
  }

  #take(data: Buffer): void {
    this.#received += data.length;
    const text = this.#carry + data.toString('latin1');
    let last = 0;
    for (const match of text.matchAll(STATUS)) {
      this.#answers++;
      this.#tally.add(Number(match[1]), text.slice(match.index));
      last = match.index + match[0].length;
    }
    this.#carry = text.slice(Math.max(last, text.length - CARRY));
  }
}
