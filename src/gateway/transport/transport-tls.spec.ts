import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server as HttpsServer, type ServerOptions } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Config } from '../../config/config.js';
import { Transport, type TransportResult } from './transport.js';

let folder: string;
const servers: Server[] = [];
const transports: Transport[] = [];

const systemsOwn = getCACertificates('default');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tls-'));
  makeAuthority('ca');
  makeAuthority('stranger');
  // As `NODE_EXTRA_CA_CERTS` adds it at a start.
  setDefaultCACertificates([...systemsOwn, readFileSync(path('ca.pem'), 'utf8')]);
  makeCertificate('server', 'ca', 'IP:127.0.0.1,DNS:localhost');
  makeCertificate('elsewhere', 'ca', 'DNS:other.example');
  makeCertificate('unknown', 'stranger', 'IP:127.0.0.1');
  makeCertificate('client', 'ca', 'DNS:shop.example');
  makeCertificate('other-client', 'stranger', 'DNS:shop.example');
  makeCertificate('expired', 'ca', 'IP:127.0.0.1', ['-days', '-1']);
});

afterAll(async () => {
  setDefaultCACertificates(systemsOwn);
  await Promise.all(transports.map((transport) => transport.close()));
  for (const server of servers) server.close();
});

function path(name: string): string {
  return join(folder, name);
}

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
}

function makeAuthority(name: string): void {
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.pem`,
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
  );
}

function makeCertificate(
  name: string,
  authority: string,
  san: string,
  dates: string[] = ['-days', '1'],
): void {
  writeFileSync(path(`${name}.ext`), `subjectAltName=${san}\n`);
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
    `${authority}.pem`,
    '-CAkey',
    `${authority}.key`,
    '-CAcreateserial',
    '-out',
    `${name}.pem`,
    '-extfile',
    `${name}.ext`,
    ...dates,
  );
}

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A server that answers `{}` and counts the requests that reached it. */
async function serve(
  options: ServerOptions & { certificate?: string } = {},
): Promise<{ url: string; requests: string[]; server: HttpsServer }> {
  const { certificate = 'server', ...rest } = options;
  const requests: string[] = [];
  const server = createServer(
    {
      cert: readFileSync(path(`${certificate}.pem`)),
      key: readFileSync(path(`${certificate}.key`)),
      ...rest,
    },
    (request, response) => {
      requests.push(request.url ?? '');
      request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
    },
  );
  return { url: `https://127.0.0.1:${await listen(server)}`, requests, server };
}

function post(
  baseUrl: string,
  tls: Config['gateway']['tls'] = {},
  timeoutMs = 20_000,
): Promise<TransportResult> {
  const transport = new Transport({ baseUrl, timeoutMs, tls });
  transports.push(transport);
  return transport.send({
    method: 'POST',
    path: '/x',
    headers: {},
    body: '{}',
    deadline: performance.now() + timeoutMs,
  });
}

describe('a connection that is secured', () => {
  test('by an authority that the process trusts', async () => {
    const { url, requests } = await serve();
    expect(await post(url)).toMatchObject({ kind: 'response', status: 200, body: { text: '{}' } });
    expect(requests).toEqual(['/x']);
  });

  test('with the client certificate that the server asks for', async () => {
    const { url } = await serve({
      requestCert: true,
      rejectUnauthorized: true,
      ca: readFileSync(path('ca.pem')),
    });
    const tls = {
      clientCertFile: path('client.pem'),
      clientKeyFile: path('client.key'),
    };
    expect(await post(url, tls)).toMatchObject({ kind: 'response', status: 200 });
  });
});

describe('a connection that is not secured sends nothing', () => {
  test.each([
    ['an authority that nobody knows', 'unknown', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['a certificate for another name', 'elsewhere', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['an expired certificate', 'expired', 'CERT_HAS_EXPIRED'],
  ])('%s, and the result names the code', async (_name, certificate, cause) => {
    const { url, requests } = await serve({ certificate });
    expect(await post(url)).toEqual({ kind: 'not-sent', reason: 'tls', cause });
    expect(requests).toEqual([]);
  });

  test('even where the environment says not to look', async () => {
    const { url, requests } = await serve({ certificate: 'unknown' });
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await post(url, {})).toMatchObject({ kind: 'not-sent', reason: 'tls' });
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
    expect(requests).toEqual([]);
  });

  test('an old version of TLS', async () => {
    const { url, requests } = await serve({
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    expect(await post(url)).toMatchObject({ kind: 'not-sent', reason: 'tls' });
    expect(requests).toEqual([]);
  });

  test('a client certificate that the server does not take, before TLS 1.3', async () => {
    const { url, requests } = await serve({
      requestCert: true,
      rejectUnauthorized: true,
      ca: readFileSync(path('ca.pem')),
      maxVersion: 'TLSv1.2',
    });
    const tls = {
      clientCertFile: path('other-client.pem'),
      clientKeyFile: path('other-client.key'),
    };
    expect((await post(url, tls)).kind).toBe('not-sent');
    expect(requests).toEqual([]);
  });

  test('a server that does not speak TLS', async () => {
    const requests: string[] = [];
    const port = await listen(createHttpServer((request) => void requests.push(request.url ?? '')));
    expect(await post(`https://127.0.0.1:${port}`)).toMatchObject({ kind: 'not-sent', reason: 'tls' });
    expect(requests).toEqual([]);
  });

  test('a reset before the end of the handshake', async () => {
    const port = await listen(
      createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy())),
    );
    expect(await post(`https://127.0.0.1:${port}`)).toMatchObject({ kind: 'not-sent', reason: 'tls' });
  });

  test('a handshake that never ends', async () => {
    const port = await listen(createTcpServer((socket) => socket.on('error', () => socket.destroy())));
    expect(await post(`https://127.0.0.1:${port}`, {}, 300)).toEqual({
      kind: 'not-sent',
      reason: 'connect-timeout',
    });
  });
});

test('with TLS 1.3 a client certificate is refused only after the request is on its way: unknown', async () => {
  const { url } = await serve({
    requestCert: true,
    rejectUnauthorized: true,
    ca: readFileSync(path('ca.pem')),
    minVersion: 'TLSv1.3',
  });
  const tls = {
    clientCertFile: path('other-client.pem'),
    clientKeyFile: path('other-client.key'),
  };
  expect((await post(url, tls)).kind).toBe('unknown');
});
