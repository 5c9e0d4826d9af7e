import { afterEach, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { WebhookSender } from './sender.js';

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Sends one event through a proxy that does this with tunnels. */
async function sendThrough(onConnect: (client: Socket, port: number) => void) {
  const received: string[] = [];
  const receiver = await listen(
    createServer((request, response) => {
      received.push(String(request.headers['webhook-id']));
      response.end();
    }),
  );
  const proxy = createServer((_request, response) => response.writeHead(500).end());
  proxy.on('connect', (request, client: Socket) => onConnect(client, Number(request.url?.split(':')[1])));
  const sender = new WebhookSender({
    url: `http://127.0.0.1:${receiver}/hook`,
    secrets: [`whsec_${Buffer.alloc(32, 1).toString('base64')}`],
    connections: 2,
    proxyUrl: `http://127.0.0.1:${await listen(proxy)}`,
  });
  const { result } = await sender.send({ id: 'evt_1', body: '{}' }, 0);
  await sender.close();
  return { result, received };
}

test('an event goes through the proxy’s tunnel', async () => {
  const through = await sendThrough((client, port) => {
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) socket.on('error', () => upstream.destroy());
  });
  expect(through).toEqual({ result: 'http_200', received: ['evt_1'] });
});

test.each([
  ['refuses', (client: Socket): unknown => client.end('HTTP/1.1 403 Forbidden\r\n\r\n')],
  ['hangs up', (client: Socket): unknown => client.destroy()],
])('a proxy that %s is unreachable at once', async (_how, onConnect) => {
  expect(await sendThrough(onConnect)).toEqual({ result: 'unreachable', received: [] });
});
