import { connect } from 'node:net';
import { expect } from '@jest/globals';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  text: string;
}

/** Writes bytes to a new connection and reads until it closes. */
export function exchange(port: number, bytes: string | Buffer, keepWriting = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const timer = keepWriting === '' ? undefined : setInterval(() => socket.write(keepWriting), 20);
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // Writing on into a refused connection may break it, once the answer is there.
      if (text === '') reject(error);
    });
    socket.on('close', () => {
      clearInterval(timer);
      resolve(text);
    });
    socket.write(bytes);
  });
}

function parseAnswer(text: string): Answer {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [line = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((header) => [
      header.slice(0, header.indexOf(':')).toLowerCase(),
      header.slice(header.indexOf(':') + 2),
    ]),
  );
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    parsed = {};
  }
  return { status: Number(line.split(' ')[1]), headers, body: parsed as Record<string, unknown>, text };
}

/** The same, with the answer taken apart. */
export async function raw(port: number, bytes: string | Buffer, keepWriting = ''): Promise<Answer> {
  return parseAnswer(await exchange(port, bytes, keepWriting));
}

/** One request on a connection of its own. */
export function send(
  port: number,
  method: string,
  target: string,
  headers: Record<string, string> = {},
  body?: string | Buffer,
): Promise<Answer> {
  const content = body === undefined ? Buffer.alloc(0) : Buffer.from(body);
  const all = {
    host: 'pay.example',
    connection: 'close',
    ...(body === undefined ? {} : { 'content-length': String(content.length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return raw(
    port,
    Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`), content]),
  );
}

/** Checks that an answer is a problem document with all standard headers. */
export function expectProblem(answer: Answer, code: string, status: number, { https = true } = {}): void {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.body).toMatchObject({ type: `urn:tillfront:problem:${code}`, code, status });
  expect(answer.body['requestId']).toBe(answer.headers['x-request-id']);
  expectStandardHeaders(answer, { https });
}

export function expectStandardHeaders(answer: Answer, { https = true } = {}): void {
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-request-id': expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/) as unknown,
  });
  expect(answer.headers['strict-transport-security']).toBe(https ? 'max-age=31536000' : undefined);
  expect(answer.headers['x-powered-by']).toBeUndefined();
  expect(answer.headers['server']).toBeUndefined();
}
