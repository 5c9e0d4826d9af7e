import type { Listener } from './described-calls.js';

/** What is no request of this API, or hardly one: scanners and broken clients send it to every port. */

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;
const upgrade = (protocol: string): string =>
  lines('GET /health/live HTTP/1.1', 'host: x', 'connection: upgrade', `upgrade: ${protocol}`);
const expecting = (what: string): string =>
  lines(
    'POST /v1/gateway/notifications HTTP/1.1',
    'host: x',
    'content-type: application/json',
    'content-length: 2',
    `expect: ${what}`,
  );

export const STRANGE_SHAPES: readonly Buffer[] = [
  lines('CONNECT x:1 HTTP/1.1'),
  lines('CONNECT x:443 HTTP/1.1', 'host: x:443'),
  `${lines('CONNECT x:443 HTTP/1.1', 'host: x')}GET / HTTP/1.1\r\nhost: x\r\n\r\n`,
  upgrade('websocket'),
  upgrade('h2c'),
  upgrade('TLS/1.0'),
  `${upgrade('websocket')}GET / HTTP/1.1\r\nhost: x\r\n\r\n`,
  expecting('100-continue'),
  `${expecting('100-continue')}{}`,
  expecting('200-ok'),
  lines('OPTIONS * HTTP/1.1', 'host: x'),
  lines('TRACE / HTTP/1.1', 'host: x'),
  lines('HEAD /docs HTTP/1.1', 'host: x'),
  lines('GET http://elsewhere.example/ HTTP/1.1', 'host: elsewhere.example'),
  lines('GET / HTTP/1.0'),
  lines('GET /'),
  lines('SMUGGLE / HTTP/1.1', 'host: x'),
  lines('PRI * HTTP/2.0', '', 'SM'),
  Buffer.from('16030100c8010000c40303', 'hex'),
  Buffer.from([5, 1, 0]),
  Buffer.alloc(64),
  lines('GET / HTTP/1.1', 'host: x', 'x: a\0b'),
  lines('GET / HTTP/1.1', 'host: x', 'content-length: 2', 'transfer-encoding: chunked'),
  'GET / HTTP/1.1\nhost: x\n\n',
].map((shape) => Buffer.from(shape));

export const ALL_LISTENERS: readonly Listener[] = ['payers', 'merchant', 'management'];
