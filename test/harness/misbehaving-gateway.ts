import { createServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Behaviour, Responder } from './gateway-behaviour.js';
import { approved, notFoundAnswer } from './gateway-answers.js';
import { RequestReader, type RecordedRequest } from './request-reader.js';

/**
 * A gateway that treats each request as the test says, down to the socket. It does what a service may meet in practice and
 * no well-behaved HTTP server would do.
 */
export interface MisbehavingGateway {
  readonly url: string;
  /** Every complete request, in order of arrival. Bodies are kept as text and, if they are JSON, parsed. */
  readonly requests: readonly RecordedRequest[];
  /** Requests to a path, `POST /payment/card`. */
  requestsTo(route: string): RecordedRequest[];
  /** Connections accepted so far. */
  connections(): number;
  /**
   * Scripts the requests to a route, such as `POST /payment/card` or `GET /transaction/*`: one behaviour after another, the
   * last one for all further requests. Replaces the earlier script.
   */
  script(route: string, ...behaviours: (Behaviour | Responder)[]): void;
  /** Forgets the recorded requests. */
  forget(): void;
  close(): Promise<void>;
}

class Script {
  private readonly queues = new Map<string, (Behaviour | Responder)[]>();

  set(route: string, behaviours: (Behaviour | Responder)[]): void {
    this.queues.set(route, [...behaviours]);
  }

  /** The behaviour for the next request. It is removed from the script unless it is the last. */
  take(request: RecordedRequest): Behaviour | Responder {
    const queue = this.queueFor(`${request.method} ${request.path}`);
    const next = queue && queue.length > 1 ? queue.shift() : queue?.[0];
    return next ?? { do: 'text', status: 501, contentType: 'text/plain', text: 'not scripted' };
  }

  private queueFor(route: string): (Behaviour | Responder)[] | undefined {
    const exact = this.queues.get(route);
    if (exact) return exact;
    const wild = [...this.queues].find(([key]) => key.endsWith('*') && route.startsWith(key.slice(0, -1)));
    return wild?.[1];
  }

  /** Whether to reset connections before reading a byte. Only the first behaviour of a script decides. */
  takeResetBeforeReading(): boolean {
    for (const queue of this.queues.values()) {
      const head = queue[0];
      if (head === undefined || typeof head === 'function' || head.do !== 'reset-before-reading') continue;
      if (queue.length > 1) queue.shift();
      return true;
    }
    return false;
  }
}

export async function startMisbehavingGateway(): Promise<MisbehavingGateway> {
  const script = new Script();
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  let accepted = 0;
  script.set('GET /transaction/*', [{ do: 'answer', body: notFoundAnswer }]);
  script.set('POST /payment/status', [{ do: 'answer', body: notFoundAnswer }]);

  const server = createServer((socket) => {
    accepted++;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => sockets.delete(socket));
    // many of these tests are about a peer that gives up
    socket.on('error', () => socket.destroy());
    if (script.takeResetBeforeReading()) {
      socket.resetAndDestroy();
      return;
    }
    const reader = new RequestReader((request) => {
      requests.push(request);
      void respond(socket, script.take(request), request);
    });
    socket.on('data', (data) => {
      const bytes = Buffer.from(data);
      if (reader.idle && script.takeResetBeforeReading()) socket.resetAndDestroy();
      else reader.push(bytes);
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    requestsTo: (route) => requests.filter((request) => `${request.method} ${request.path}` === route),
    connections: () => accepted,
    script: (route, ...behaviours) => script.set(route, behaviours),
    forget: () => void requests.splice(0),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function respond(socket: Socket, next: Behaviour | Responder, request: RecordedRequest): Promise<void> {
  const behaviour = typeof next === 'function' ? await next(request) : next;
  switch (behaviour.do) {
    case 'answer':
      if (behaviour.afterMs) await pause(behaviour.afterMs);
      socket.write(
        message(behaviour.status ?? 200, about(request, JSON.stringify(behaviour.body)), behaviour.headers),
      );
      return;
    case 'text': {
      const headers = { 'content-type': behaviour.contentType ?? 'text/html', ...behaviour.headers };
      socket.write(message(behaviour.status ?? 200, behaviour.text, headers));
      return;
    }
    case 'reset-before-reading':
    case 'reset-after-reading':
      socket.resetAndDestroy();
      return;
    case 'close-after-reading':
      socket.end();
      return;
    case 'cut': {
      const whole = message(200, JSON.stringify(behaviour.body ?? approved));
      socket.end(whole.subarray(0, whole.length - 20));
      return;
    }
    case 'trickle':
      await trickle(
        socket,
        message(200, JSON.stringify(behaviour.body ?? approved)),
        behaviour.everyMs ?? 50,
      );
      return;
    case 'silent':
      return;
    case 'huge':
      socket.write(message(200, padded(behaviour)));
      return;
    case 'gzip-bomb':
      socket.write(message(200, gzipSync(padded(behaviour)), { 'content-encoding': 'gzip' }));
      return;
    case 'redirect':
      socket.write(message(behaviour.status, '', { location: behaviour.location }));
  }
}

/** The answer with the reference of the payment that the request is about. */
function about({ json, path }: RecordedRequest, body: string): string {
  const named = (json as { client_ref?: string } | undefined)?.client_ref;
  return body.replaceAll('{client_ref}', named ?? path.slice(path.lastIndexOf('/') + 1));
}

function padded(behaviour: { megabytes?: number; body?: unknown }): Buffer {
  const whitespace = Buffer.alloc((behaviour.megabytes ?? 2) * 1024 * 1024, ' ');
  return Buffer.concat([whitespace, Buffer.from(JSON.stringify(behaviour.body ?? approved))]);
}

async function trickle(socket: Socket, whole: Buffer, everyMs: number): Promise<void> {
  for (const byte of whole) {
    if (socket.destroyed) return;
    socket.write(Buffer.of(byte));
    await pause(everyMs);
  }
}

function message(status: number, body: string | Buffer, headers: Record<string, string> = {}): Buffer {
  const bytes = Buffer.from(body);
  const all = { 'content-type': 'application/json', 'content-length': String(bytes.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`), bytes]);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
