import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { DispatcherOptions } from './dispatcher.js';
import { Transport, type Exchanged } from './transport.js';

const servers: Server[] = [];
const sockets = new Set<Socket>();
const transports: Transport[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) server.close();
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A server of raw bytes. It answers each piece of data that comes. */
async function serve(reply: (socket: Socket, data: string) => void): Promise<string> {
  const port = await listen(
    createServer((socket) => socket.on('data', (data) => reply(socket, data.toString('latin1')))),
  );
  return `http://127.0.0.1:${port}/x`;
}

interface Sending {
  readonly options?: DispatcherOptions;
  readonly withinMs?: number;
  readonly mayBegin?: () => boolean;
  readonly transport?: Transport;
}

async function send(
  url: string,
  { options = {}, withinMs = 20_000, mayBegin = () => true, transport }: Sending = {},
): Promise<Exchanged> {
  const own = transport ?? new Transport(options);
  if (!transport) transports.push(own);
  const signal = AbortSignal.timeout(withinMs);
  return own.send(
    {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: '{"card":"5060990580000217499"}',
    },
    { signal, mayBegin },
  );
}

function http(body: string | Buffer, headers = '', status = '200 OK'): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\ncontent-length: ${bytes.length}\r\n${headers}\r\n`),
    bytes,
  ]);
}

const TEXT = '{"message":"Àṣẹ"}';

describe('an answer that comes whole', () => {
  test.each<[string, Buffer, object]>([
    ['with its status', http('{}', '', '503 Oops'), { status: 503, text: '{}' }],
    [
      'with a redirect, which is not followed',
      http('', 'location: http://127.0.0.1:1/\r\n', '307 Temporary'),
      { status: 307, text: '' },
    ],
    ['with Retry-After', http('{}', 'retry-after: 7\r\n', '429 Busy'), { status: 429, retryAfter: '7' }],
    ['in UTF-8', http(TEXT), { text: TEXT }],
    ['after a byte order mark', http(`\uFEFF${TEXT}`), { text: TEXT }],
    [
      'after a mark that its header contradicts',
      http(`\uFEFF${TEXT}`, 'content-type: application/json; charset=iso-8859-1\r\n'),
      { text: TEXT },
    ],
    [
      'in ISO-8859-1 by its charset',
      http(Buffer.from('{"m":"Señor"}', 'latin1'), 'content-type: application/json;charset=ISO-8859-1\r\n'),
      { text: '{"m":"Señor"}' },
    ],
    [
      'in Windows-1252 by its charset',
      http(Buffer.from([0x22, 0x80, 0x22]), 'content-type: text/plain; charset="windows-1252"\r\n'),
      { text: '"€"' },
    ],
    [
      'in a charset that nobody knows',
      http(TEXT, 'content-type: application/json; charset=utf-9\r\n'),
      { text: TEXT },
    ],
    ['with a content encoding that is none', http(TEXT, 'content-encoding: utf-8\r\n'), { text: TEXT }],
    ['gzipped', http(gzipSync(TEXT), 'content-encoding: gzip\r\n'), { text: TEXT }],
    ['in Brotli', http(brotliCompressSync(TEXT), 'content-encoding: br\r\n'), { text: TEXT }],
    ['deflated', http(deflateSync(TEXT), 'content-encoding: deflate\r\n'), { text: TEXT }],
    ['gzipped, it says', http(TEXT, 'content-encoding: gzip\r\n'), { text: undefined }],
    ['of exactly 1 MiB', http('x'.repeat(1024 * 1024)), { status: 200 }],
    [
      'after early hints',
      Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'), http('{}')]),
      { status: 200 },
    ],
  ])('%s', async (_name, bytes, expected) => {
    expect(await send(await serve((socket) => socket.write(bytes)))).toMatchObject({
      kind: 'answer',
      ...expected,
    });
  });

  test('in many pieces', async () => {
    const url = await serve((socket) => {
      const bytes = http(TEXT);
      for (let at = 0; at < bytes.length; at += 7)
        setTimeout(() => socket.write(bytes.subarray(at, at + 7)), at);
    });
    expect(await send(url)).toMatchObject({ text: TEXT });
  });
});

describe('once a byte may have left, nobody knows', () => {
  test.each<[string, (socket: Socket) => void, string]>([
    ['a reset', (socket) => socket.resetAndDestroy(), 'reset'],
    ['an end without an answer', (socket) => socket.end(), 'reset'],
    [
      'a cut body',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"error":false'),
      'cut',
    ],
    ['what is no HTTP', (socket) => socket.end('SSH-2.0-x\r\n\r\n'), 'no HTTP'],
    ['a body over 1 MiB', (socket) => socket.write(http('x'.repeat(1024 * 1024 + 1))), 'too large'],
    [
      'a small body that is large',
      (socket) => socket.write(http(gzipSync('x'.repeat(2 * 1024 * 1024)), 'content-encoding: gzip\r\n')),
      'too large',
    ],
  ])('%s', async (_name, reply, why) => {
    expect(await send(await serve(reply))).toEqual({ kind: 'unknown', why });
  });

  test('no answer in time, whatever trickles', async () => {
    const url = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await send(url, { withinMs: 200 })).toEqual({ kind: 'unknown', why: 'timeout' });
  });

  test('a request is written once, also where a kept connection was just closed', async () => {
    let requests = 0;
    const transport = new Transport({});
    transports.push(transport);
    const url = await serve((socket) => {
      requests++;
      if (requests === 1) socket.write(http('{}'));
      else socket.resetAndDestroy();
    });
    expect((await send(url, { transport })).kind).toBe('answer');
    expect(await send(url, { transport })).toEqual({ kind: 'unknown', why: 'reset' });
    expect(requests).toBe(2);
  });

  test('a connection that idles is retired before the server would', async () => {
    let connections = 0;
    const transport = new Transport({});
    transports.push(transport);
    const url = await serve((socket) =>
      socket.write(http('{}', 'connection: keep-alive\r\nkeep-alive: timeout=60\r\n')),
    );
    servers[0]?.on('connection', () => connections++);
    await send(url, { transport });
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    await send(url, { transport });
    expect(connections).toBe(2);
  });
});

describe('nothing left', () => {
  test('where the connection is refused', async () => {
    expect(await send('http://127.0.0.1:1/')).toEqual({ kind: 'notSent', why: 'ECONNREFUSED' });
  });

  test('where the name has no address', async () => {
    expect(await send('http://gateway.invalid/')).toMatchObject({
      kind: 'notSent',
      why: expect.stringMatching(/^(?:ENOTFOUND|EAI_AGAIN)$/),
    });
  });

  test('where the last check says no', async () => {
    let requests = 0;
    const url = await serve(() => requests++);
    expect(await send(url, { mayBegin: () => false })).toEqual({ kind: 'notSent', why: 'abandoned' });
    expect(requests).toBe(0);
  });

  test('where the time is over before there is a connection', async () => {
    const port = await listen(createServer());
    expect(await send(`https://127.0.0.1:${port}/`, { withinMs: 200 })).toEqual({
      kind: 'notSent',
      why: 'timeout',
    });
  });
});

describe('TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
  const file = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const openssl = (...args: string[]): void =>
    void execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });

  beforeAll(() => {
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-days',
      '2',
      '-subj',
      '/CN=ca',
    );
    for (const [name, san] of [
      ['server', 'IP:127.0.0.1'],
      ['client', 'DNS:shop.example'],
    ] as const) {
      writeFileSync(join(folder, 'ext'), `subjectAltName=${san}\n`);
      openssl(
        'req',
        '-new',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.csr`,
        '-subj',
        `/CN=${name}`,
      );
      openssl(
        'x509',
        '-req',
        '-in',
        `${name}.csr`,
        '-CA',
        'ca.pem',
        '-CAkey',
        'ca.key',
        '-CAcreateserial',
        '-out',
        `${name}.pem`,
        '-extfile',
        'ext',
        '-days',
        '1',
      );
    }
  });

  const start = async (options: TlsOptions = {}): Promise<{ url: string; requests: string[] }> => {
    const requests: string[] = [];
    const server = createHttps(
      { cert: file('server.pem'), key: file('server.key'), ...options },
      (request, response) => {
        requests.push(request.url ?? '');
        request.resume().on('end', () => response.end('{}'));
      },
    );
    server.on('secureConnection', (socket: Socket) => sockets.add(socket));
    return { url: `https://127.0.0.1:${await listen(server)}/x`, requests };
  };

  test.each<[string, TlsOptions, string | undefined]>([
    ['an authority that nobody knows', {}, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    [
      'an old version',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
      undefined,
    ],
  ])('%s: nothing was sent, even where the environment says not to look', async (_name, options, code) => {
    const { url, requests } = await start(options);
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await send(url)).toMatchObject({ kind: 'notSent', ...(code !== undefined && { why: code }) });
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
    expect(requests).toEqual([]);
  });

  test('a server that does not speak it', async () => {
    const port = await listen(createHttp());
    expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({ kind: 'notSent' });
  });

  test('a private authority, and the client’s certificate where the server asks for it', async () => {
    const { url } = await start({ requestCert: true, rejectUnauthorized: true, ca: file('ca.pem') });
    // What NODE_EXTRA_CA_CERTS does at Node's own start.
    const usual = getCACertificates('default');
    setDefaultCACertificates([...usual, file('ca.pem')]);
    try {
      const tls = { cert: file('client.pem'), key: file('client.key') };
      expect(await send(url, { options: { tls } })).toMatchObject({ kind: 'answer', status: 200 });
      // With TLS 1.3 the server refuses a certificate after the request is on its way.
      expect((await send(url)).kind).toBe('unknown');
    } finally {
      setDefaultCACertificates(usual);
    }
  });
});

describe('a forward proxy', () => {
  const proxy = async (
    onConnect: (client: Socket, host: string, port: number) => void,
  ): Promise<{ proxyUrl: string; seen: string[] }> => {
    const seen: string[] = [];
    const server = createHttp((_request, response) => response.writeHead(500).end());
    server.on('connect', (request, client: Socket) => {
      seen.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
      const [host = '', port = ''] = (request.url ?? '').split(':');
      sockets.add(client.on('error', () => undefined));
      onConnect(client, host, Number(port));
    });
    return { proxyUrl: `http://user:pass@127.0.0.1:${await listen(server)}`, seen };
  };
  const tunnel = (client: Socket, host: string, port: number): void => {
    const upstream = connect(port, host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    sockets.add(upstream.on('error', () => client.destroy()));
  };

  test('tunnels everything', async () => {
    const url = await serve((socket) => socket.write(http(TEXT)));
    const { proxyUrl, seen } = await proxy(tunnel);
    expect(await send(url, { options: { proxyUrl } })).toMatchObject({ kind: 'answer', text: TEXT });
    expect(seen).toEqual([`${new URL(url).host} Basic ${btoa('user:pass')}`]);
  });

  test.each(['403 Forbidden', '407 Proxy Authentication Required', '502 Bad Gateway'])(
    'that refuses to connect (%s): nothing was sent',
    async (status) => {
      const { proxyUrl } = await proxy((client) =>
        client.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`),
      );
      expect(await send('http://127.0.0.1:9/', { options: { proxyUrl } })).toMatchObject({
        kind: 'notSent',
        why: 'NO_TUNNEL',
      });
    },
  );

  test('that is not there, or hangs up: nothing was sent', async () => {
    expect((await send('http://127.0.0.1:9/', { options: { proxyUrl: 'http://127.0.0.1:1' } })).kind).toBe(
      'notSent',
    );
    const { proxyUrl } = await proxy((client) => client.destroy());
    expect((await send('http://127.0.0.1:9/', { options: { proxyUrl } })).kind).toBe('notSent');
  });

  test('whose tunnel is cut after something went through it: nobody knows', async () => {
    let received = '';
    const { proxyUrl } = await proxy((client) => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.once('data', (data) => {
        received = data.toString();
        client.destroy();
      });
    });
    expect(await send('http://127.0.0.1:9/', { options: { proxyUrl } })).toEqual({
      kind: 'unknown',
      why: 'reset',
    });
    expect(received).toContain('5060990580000217499');
  });

  test('of the environment is ignored', async () => {
    const url = await serve((socket) => socket.write(http('{}')));
    process.env['HTTP_PROXY'] = process.env['http_proxy'] = 'http://127.0.0.1:1';
    try {
      expect((await send(url)).kind).toBe('answer');
    } finally {
      delete process.env['HTTP_PROXY'];
      delete process.env['http_proxy'];
    }
  });
});
