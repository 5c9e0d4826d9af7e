import { connect, type Socket } from 'node:net';
import { Controller, Get, Module, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { afterEach, describe, expect, test } from '@jest/globals';
import { EdgeRoute } from '../../src/http/request/edge-route.js';
import { until } from '../harness/until.js';
import { startProbe, type Probe } from './probe-app.js';
import { expectProblem, raw, send } from './wire.js';

/** How many connections there may be, in all and of one address, and which of them give way. */

const work = { begun: 0, end: (): void => undefined };

@Controller()
class WorkController {
  @Get('wait')
  async wait(): Promise<unknown> {
    work.begun += 1;
    await new Promise<void>((resolve) => {
      const { end } = work;
      work.end = () => {
        end();
        resolve();
      };
    });
    return {};
  }

  @Get('big')
  big(@Res() reply: FastifyReply): FastifyReply {
    work.begun += 1;
    return reply.send(Buffer.alloc(32 * 1_048_576));
  }

  @Post('take')
  @EdgeRoute({ body: 'raw' })
  take(): unknown {
    return {};
  }

  @Get('health/live')
  live(): unknown {
    return { status: 'live' };
  }
}

@Module({ controllers: [WorkController] })
class WorkModule {}

let probe: Probe;
let cut: string[];
const opened: Socket[] = [];

async function start(http: Parameters<typeof startProbe>[0]): Promise<void> {
  probe = await startProbe(http, { module: WorkModule });
  Object.assign(work, { begun: 0, end: () => undefined });
  cut = [];
  probe.edge.connections.onCut((reason) => cut.push(reason));
}

afterEach(async () => {
  work.end();
  for (const socket of opened.splice(0)) socket.destroy();
  await probe.app.close();
});

interface Client {
  socket: Socket;
  closed: boolean;
}

/** Opens connections that send this and read nothing. */
async function open(count: number, bytes = '', localAddress = '127.0.0.1'): Promise<Client[]> {
  const clients: Client[] = [];
  for (let each = 0; each < count; each++) {
    const socket = connect({ port: probe.port, host: '127.0.0.1', localAddress });
    const client = { socket, closed: false };
    socket.on('error', () => undefined);
    socket.on('close', () => (client.closed = true));
    opened.push(socket);
    clients.push(client);
    await new Promise((resolve) => socket.once('connect', resolve));
    if (bytes !== '') socket.write(bytes);
    socket.resume();
    if (bytes.includes('/big')) socket.pause();
  }
  return clients;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
const live = async (): Promise<number> => (await send(probe.port, 'GET', '/health/live')).status;
const other = async (): Promise<number> => (await send(probe.port, 'GET', '/nothing')).status;

describe('of one address', () => {
  test('idle ones give way, the one that was idle longest first', async () => {
    await start({ maxConnectionsPerAddress: 4 });
    const idle = await open(4);
    expect(await other()).toBe(404);
    await until(() => idle[0]?.closed === true);
    expect(cut).toEqual(['idle']);
    // The last answer was a connection of its own that is closed by now.
    expect(await other()).toBe(404);
    expect(idle.map(({ closed }) => closed)).toEqual([true, false, false, false]);
  });

  test.each([
    ['a header that does not end', 'POST /take HTTP/1.1\r\nHost: h\r\nA: ', 'idle'],
    [
      'a body that does not end',
      'POST /take HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\na',
      'slow',
    ],
    ['an answer that is not read', get('/big'), 'slow'],
  ])('those with %s give way', async (_what, bytes, reason) => {
    await start({ maxConnectionsPerAddress: 4 });
    const clients = await open(4, bytes);
    // By the answer's beginning all of them are known to be more than idle.
    if (reason === 'slow')
      await until(() => clients.every(({ socket }) => socket.bytesRead > 0 || socket.readableLength > 0));
    await until(async () => (await other()) === 404);
    expect(cut).toContain(reason);
  });

  test('those that are worked for stay, and a new one is refused, but for its question about health', async () => {
    await start({ maxConnectionsPerAddress: 4 });
    const waiting = await open(4, get('/wait'));
    await until(() => work.begun === 4);
    const refused = await raw(probe.port, get('/nothing'));
    expectProblem(refused, 'overloaded', 503);
    expect(refused.headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
    const asked = await raw(probe.port, get('/health/live'));
    expect([asked.status, asked.headers['connection']]).toEqual([200, 'close']);
    expect(cut).toEqual(['refused', 'refused']);
    expect(waiting.some(({ closed }) => closed)).toBe(false);
    work.end();
    await until(async () => (await other()) === 404);
  });

  test('the places for questions about health are not held by those who ask nothing', async () => {
    await start({ maxConnectionsPerAddress: 4 });
    await open(4, get('/wait'));
    await until(() => work.begun === 4);
    const silent = await open(100);
    expect(await live()).toBe(200);
    // No more handles than there are places.
    await until(() => silent.filter(({ closed }) => !closed).length <= 64);
  });

  test('another address has its own', async () => {
    await start({ maxConnectionsPerAddress: 4 });
    await open(4, get('/wait'), '127.0.0.2');
    await until(() => work.begun === 4);
    expect(await other()).toBe(404);
    expect(cut).toEqual([]);
  });

  test.each<[string, string[] | number]>([
    ['proxies that are trusted', ['127.0.0.0/8']],
    ['anybody where only the hops are known', 1],
  ])('there is no bound for %s', async (_whose, trustProxy) => {
    await start({ maxConnectionsPerAddress: 4, trustProxy });
    await open(8, get('/wait'));
    await until(() => work.begun === 8);
    expect(await other()).toBe(404);
    expect(cut).toEqual([]);
  });

  test('there is one for peers that are no such proxies', async () => {
    await start({ maxConnectionsPerAddress: 4, trustProxy: ['127.0.0.2', '10.0.0.0/8'] });
    await open(4, get('/wait'), '127.0.0.2');
    await open(4, get('/wait'));
    await until(() => work.begun === 8);
    expect(await other()).toBe(503);
  });
});

describe('of all addresses', () => {
  test('idle ones give way, then new ones are refused', async () => {
    await start({ maxConnections: 6 });
    await open(3, get('/wait'), '127.0.0.2');
    await open(3, '', '127.0.0.3');
    await until(() => work.begun === 3);
    await open(3, get('/wait'), '127.0.0.4');
    await until(() => work.begun === 6);
    expect(cut).toEqual(['idle', 'idle', 'idle']);
    expect(await other()).toBe(503);
    expect(await live()).toBe(200);
    work.end();
    await until(async () => (await other()) === 404);
  });

  test('a flood of new ones is served one after the other', async () => {
    await start({ maxConnections: 6 });
    const idle = await open(60);
    expect(await other()).toBe(404);
    await until(() => idle.filter(({ closed }) => !closed).length <= 6 + 64);
  });
});
