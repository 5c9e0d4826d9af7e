import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Body, Controller, Get, Module, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EdgeRoute } from '../../src/http/request/edge-route.js';
import { until } from '../harness/until.js';
import { startProbe, type Probe } from './probe-app.js';
import { exchange, send } from './wire.js';

/** What a connection costs that sends on before it has read: one request of it is worked on at a time, the others wait unread. */

const BIG = Buffer.alloc(16 * 1_048_576, 'b');
/** Far less than the service's patience, and more than a busy machine needs to read a piece. */
const PATIENCE_MS = 3_000;

const work = { begun: [] as string[], now: 0, most: 0 };

@Controller('v1')
class WorkController {
  @Get('work/:name')
  async work(@Param('name') name: string): Promise<unknown> {
    work.begun.push(name);
    work.most = Math.max(work.most, ++work.now);
    await sleep(1);
    work.now -= 1;
    return { name };
  }

  @Post('echo')
  @EdgeRoute({ body: 'raw' })
  async echo(@Body() body: Buffer): Promise<unknown> {
    work.begun.push('echo');
    await sleep(1);
    return { text: body.toString('latin1') };
  }

  @Post('file')
  @EdgeRoute({ body: 'csv' })
  file(): unknown {
    return {};
  }

  @Get('big')
  big(@Res() reply: FastifyReply): FastifyReply {
    work.begun.push('big');
    return reply.send(BIG);
  }

  @Get('streamed')
  streamed(@Res() reply: FastifyReply): FastifyReply {
    work.begun.push('streamed');
    const pieces = function* () {
      for (let from = 0; from < BIG.length; from += 65_536) yield BIG.subarray(from, from + 65_536);
    };
    return reply.send(Readable.from(pieces()));
  }
}

@Module({ controllers: [WorkController] })
class WorkModule {}

let probe: Probe;

beforeAll(async () => {
  probe = await startProbe({}, { module: WorkModule, limits: { readerPatienceMs: PATIENCE_MS } });
});
afterAll(() => probe.app.close());
beforeEach(() => {
  Object.assign(work, { begun: [], now: 0, most: 0 });
});

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: h\r\n${more}\r\n`;
const post = (body: string): string =>
  `POST /v1/echo HTTP/1.1\r\nHost: h\r\nContent-Type: a/b\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const CLOSE = 'Connection: close\r\n';

const namesIn = (text: string): string[] =>
  [...text.matchAll(/\{"(?:name|text)":("[^"]*")\}/g)].map(([, name = '']) => JSON.parse(name) as string);

describe('what is sent before the answer was read', () => {
  const names = Array.from({ length: 400 }, (_, index) => `n${index}`);

  test('is worked on one by one, and answered in order', async () => {
    const all = names.map((name, index) => get(`/v1/work/${name}`, index === 399 ? CLOSE : ''));
    expect(namesIn(await exchange(probe.port, all.join('')))).toEqual(names);
    expect([work.begun, work.most]).toEqual([names, 1]);
  });

  test('holds up no other connection meanwhile', async () => {
    const all = names.map((name, index) => get(`/v1/work/${name}`, index === 399 ? CLOSE : ''));
    const whole = exchange(probe.port, all.join(''));
    await until(() => work.begun.length > 0);
    await send(probe.port, 'GET', '/v1/work/other');
    expect(work.begun.indexOf('other')).toBeLessThan(300);
    expect(namesIn(await whole)).toEqual(names);
  });

  test.each([
    ['nothing but line breaks', '\r\n\r\n'.repeat(5_000)],
    ['what looks like requests', get('/v1/work/smuggled').repeat(50)],
    ['nothing', ''],
    ['a part of a line break', '\r\n\r'],
    ['one byte less than a piece', 'a'.repeat(127)],
  ])('may be bodies of %s', async (_what, body) => {
    const text = await exchange(
      probe.port,
      `${post(body)}${post('second')}${get('/v1/work/third')}${post(body)}${get('/v1/work/last', CLOSE)}`,
    );
    expect(namesIn(text)).toEqual([body, 'second', 'third', body, 'last']);
    expect(work.begun).toEqual(['echo', 'echo', 'third', 'echo', 'last']);
  });

  test('may come in chunks, and cut anywhere', async () => {
    const chunked =
      'POST /v1/echo HTTP/1.1\r\nHost: h\r\nContent-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '4\r\n\r\n\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
    const bytes = `${chunked}${get('/v1/work/a')}${post('\r\n\r\n')}${chunked}${get('/v1/work/b', CLOSE)}`;
    const expected = ['\r\n\r\nabc', 'a', '\r\n\r\n', '\r\n\r\nabc', 'b'];
    const cuts = Array.from({ length: bytes.length }, (_, at) => at);
    const texts = await Promise.all(
      cuts.map(
        (at) =>
          new Promise<string>((resolve) => {
            const socket = connect({ port: probe.port, host: '127.0.0.1', noDelay: true });
            let text = '';
            socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
            socket.on('close', () => resolve(text));
            socket.write(bytes.slice(0, at), () => setImmediate(() => socket.write(bytes.slice(at))));
          }),
      ),
    );
    for (const [at, text] of texts.entries()) expect([at, namesIn(text)]).toEqual([at, expected]);
  });

  test('is worked on by nobody once the client has gone', async () => {
    const socket = connect(probe.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(names.map((name) => get(`/v1/work/${name}`)).join(''));
    await until(() => work.begun.length > 3);
    socket.resetAndDestroy();
    await until(() => work.now === 0);
    const begun = work.begun.length;
    await send(probe.port, 'GET', '/v1/work/after');
    expect(work.begun.length).toBeLessThan(begun + 5);
    expect(begun).toBeLessThan(399);
  });

  test.each(['destroy', 'resetAndDestroy'] as const)(
    'keeps no connection once the client has gone between head and body of the next (%s)',
    async (leave) => {
      const server = probe.app.getHttpServer();
      const open = () =>
        new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
      const socket = connect(probe.port, '127.0.0.1');
      socket.on('error', () => undefined).resume();
      socket.write(names.map((name) => post(name)).join(''));
      await until(() => work.begun.length > 3);
      socket[leave]();
      await until(async () => (await open()) === 0, 5_000);
      expect(work.begun.length).toBeLessThan(399);
    },
  );

  test('ends with what is no request, and all before it is answered', async () => {
    const text = await exchange(
      probe.port,
      `${get('/v1/work/a')}${get('/v1/work/b')}garbage\r\n\r\n${get('/v1/work/c')}`,
    );
    expect(namesIn(text)).toEqual(['a', 'b']);
    expect(text).toMatch(/HTTP\/1\.1 400 [^]*"code":"malformed-request"/);
    expect(work.begun).toEqual(['a', 'b']);
  });

  test('ends with a request to be a proxy', async () => {
    const text = await exchange(
      probe.port,
      `${get('/v1/work/a')}CONNECT x:1 HTTP/1.1\r\n\r\n${get('/v1/work/b')}`,
    );
    expect(namesIn(text)).toEqual(['a']);
    expect(text).toMatch(/HTTP\/1\.1 405 [^]*"code":"method-not-allowed"/);
    expect(work.begun).toEqual(['a']);
  });
});

describe('a body that nobody needs', () => {
  const MEBIBYTE = 1_048_576;
  const ALL = 48 * MEBIBYTE;
  /** Left to the collector, all of it comes together, twice. */
  const KEPT = 12 * MEBIBYTE;

  interface Sender {
    readonly line: string;
    readonly type: string;
    /** Each sends its share. */
    readonly connections: number;
  }

  /** What the senders were answered, and by how much more memory was held for bytes at most. */
  async function sendAll({ line, type, connections }: Sender): Promise<{ texts: string[]; most: number }> {
    const body = Buffer.alloc(ALL / connections, 'a');
    const request = `${line} HTTP/1.1\r\nHost: h\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }, 1);
    const texts = await Promise.all(
      Array.from({ length: connections }, () => {
        const socket = connect(probe.port, '127.0.0.1');
        let text = '';
        socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        socket.write(request);
        socket.write(body);
        socket.write(get('/v1/work/next', CLOSE));
        return new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
      }),
    );
    clearInterval(timer);
    return { texts, most };
  }

  test.each([
    ['of an address where nothing is', 404, { line: 'POST /v1/nothing', type: 'a/b', connections: 1 }],
    ['that was answered before', 201, { line: 'POST /v1/file', type: 'text/csv', connections: 1 }],
    ['of a wrong media type', 415, { line: 'POST /v1/file', type: 'a/b', connections: 48 }],
    ['that is too large', 413, { line: 'POST /v1/echo', type: 'a/b', connections: 48 }],
  ])('is read and takes no memory: one %s', async (_which, status, sender) => {
    const { texts, most } = await sendAll(sender);
    for (const text of texts) expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    if (status < 413) expect(texts.flatMap(namesIn)).toEqual(['next']);
    expect(most).toBeLessThan(KEPT);
  });
});

describe('a reader', () => {
  /** Sends and reads nothing until it is told to. */
  function idleReader(bytes: string): { socket: Socket; closed: Promise<number> } {
    const socket = connect(probe.port, '127.0.0.1');
    const began = performance.now();
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(bytes);
    const closed = new Promise<number>((resolve) => {
      socket.on('close', () => resolve(performance.now() - began));
    });
    return { socket, closed };
  }

  test.each(['big', 'streamed'])(
    'that takes nothing of a %s answer is cut, and costs one answer',
    async (what) => {
      const sockets = probe.edge.connections;
      const { socket } = idleReader(get(`/v1/${what}`).repeat(500));
      await until(() => work.begun.length === 1);
      const cut: string[] = [];
      sockets.onCut((reason) => cut.push(reason));
      await until(() => cut.includes('unread'));
      expect(work.begun).toEqual([what]);
      socket.destroy();
    },
  );

  test.each(['big', 'streamed'])('that takes a little of a %s answer now and then goes on', async (what) => {
    const { socket } = idleReader(get(`/v1/${what}`, CLOSE));
    let bytes = 0;
    let enough = 0;
    socket.on('data', (piece) => {
      bytes += piece.length;
      if (bytes >= enough) socket.pause();
    });
    const ended = new Promise((resolve) => socket.on('end', resolve));
    // It takes more than twice as long as nothing at all may.
    for (let piece = 1; piece <= 24; piece++) {
      enough = (piece * BIG.length) / 25;
      socket.resume();
      await until(() => bytes >= enough);
      await sleep(PATIENCE_MS / 10);
    }
    enough = Infinity;
    socket.resume();
    await ended;
    expect(bytes).toBeGreaterThan(BIG.length);
  });
});
