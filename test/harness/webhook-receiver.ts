import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { RequestReader, type RecordedRequest } from './request-reader.js';

/** How the merchant's server treats one delivery: with a status, or as a broken server would. */
export type ReceiverAnswer =
  | { status: number; headers?: Record<string, string>; body?: string; afterMs?: number }
  /** Reads and never answers. */
  | 'hang'
  /** Reads and breaks the connection. */
  | 'reset'
  /** Ends in the middle of the header. */
  | 'cut'
  /** Sends one byte of the header every 50 ms, for ever. */
  | 'trickling-head'
  /** Accepts, then sends one byte of the body every 50 ms, for ever. */
  | 'trickling-body'
  /** Accepts, then sends as fast as it can, for ever. */
  | 'endless-body'
  | 'not-http';

/** An event as it was received. */
export interface Received extends RecordedRequest {
  json: { id: string; type: string; sequence: number; data: unknown };
}

export interface WebhookReceiver {
  /** Where events are to be posted. */
  readonly url: string;
  readonly received: Received[];
  /** Sets how it answers from now on. */
  answerWith(answer: ReceiverAnswer | ((request: Received) => ReceiverAnswer)): void;
  /** The number of connections so far. */
  readonly connections: number;
  /** The largest number of deliveries that were in progress at once. */
  readonly mostAtOnce: number;
  /** The most bytes of its output that one connection accepted. */
  readonly mostBytesTaken: number;
  close(): Promise<void>;
}

/** A merchant's server that behaves as configured. At first it accepts everything. */
export async function startWebhookReceiver(tls?: TlsOptions): Promise<WebhookReceiver> {
  const sockets = new Set<Socket>();
  const received: Received[] = [];
  let decide: (request: Received) => ReceiverAnswer = () => ({ status: 200 });
  const counts = { connections: 0, open: 0, mostAtOnce: 0, mostBytesTaken: 0 };

  const onConnection = (socket: Socket): void => {
    counts.connections += 1;
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      counts.mostBytesTaken = Math.max(counts.mostBytesTaken, socket.bytesWritten - socket.writableLength);
    });
    socket.on('error', () => undefined);
    const reader = new RequestReader((request) => {
      const event = request as Received;
      received.push(event);
      counts.open += 1;
      counts.mostAtOnce = Math.max(counts.mostAtOnce, counts.open);
      act(socket, decide(event), () => (counts.open -= 1));
    });
    socket.on('data', (bytes) => reader.push(bytes as Buffer));
  };
  const server = tls ? createTlsServer(tls, onConnection) : createServer(onConnection);
  const port = await listen(server);
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hooks?of=tillfront`,
    received,
    answerWith: (answer) => {
      decide = typeof answer === 'function' ? answer : () => answer;
    },
    get connections() {
      return counts.connections;
    },
    get mostAtOnce() {
      return counts.mostAtOnce;
    },
    get mostBytesTaken() {
      return counts.mostBytesTaken;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function act(socket: Socket, answer: ReceiverAnswer, done: () => void): void {
  socket.once('close', done);
  const finish = (): void => {
    socket.removeListener('close', done);
    done();
  };
  switch (answer) {
    case 'hang':
      return;
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'cut':
      socket.end('HTTP/1.1 200 OK\r\ncontent-le');
      return;
    case 'not-http':
      socket.end('220 shop.example ESMTP\r\n');
      return;
    case 'trickling-head':
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
      trickle(socket);
      return;
    case 'trickling-body':
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      trickle(socket);
      return;
    case 'endless-body':
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      flood(socket);
      return;
    default: {
      const { status, headers = {}, body = '', afterMs = 0 } = answer;
      const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)) });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      setTimeout(() => {
        socket.write(`HTTP/1.1 ${status} Status\r\n${head}\r\n${body}`);
        finish();
      }, afterMs);
    }
  }
}

function trickle(socket: Socket): void {
  const timer = setInterval(() => socket.write('.'), 50);
  socket.on('close', () => clearInterval(timer));
}

function flood(socket: Socket): void {
  const block = Buffer.alloc(65_536, '.');
  const more = (): void => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', more);
  more();
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no free port on 127.0.0.1');
  return address.port;
}
