import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startProbe, type Probe } from './probe-app.js';
import { expectProblem, raw, send, type Answer } from './wire.js';

let probe: Probe;
let port: number;

beforeAll(async () => {
  probe = await startProbe();
  port = probe.port;
});

afterAll(async () => {
  await probe.app.close();
});

const json = (body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
  send(port, 'POST', '/v1/things/1', { 'content-type': 'application/json', ...headers }, body);

describe('bodies', () => {
  test.each([
    ['application/json', '{"a":1}', { a: 1 }],
    ['application/json; charset=utf-8', '{"a":"é"}', { a: 'é' }],
    ['Application/JSON;charset="UTF-8"', '[]', []],
    ['application/json; charset=utf8', '{"a":1}', { a: 1 }],
    ['application/json; charset=latin1; x=y', '{"a":1}', { a: 1 }],
    ['application/json ;', '\ufeff{"a":1}', { a: 1 }],
    ['application/json', '{"a":1,"a":2}', { a: 2 }],
    ['application/json', '{"a":"\\ud83d\\ude00"}', { a: '😀' }],
  ])('%s %s is read', async (type, body, value) => {
    const answer = await json(body, { 'content-type': type });
    expect(answer.status).toBe(201);
    expect(answer.body['body']).toEqual(value);
  });

  test('a body in pieces is read', async () => {
    const answer = await raw(
      port,
      'POST /v1/things/1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n3\r\n:1}\r\n0\r\n\r\n',
    );
    expect(answer.status).toBe(201);
    expect(answer.body['body']).toEqual({ a: 1 });
  });

  test('no body and no media type is no body', async () => {
    expect((await send(port, 'POST', '/v1/things/1')).body).toEqual({ body: null });
    expect((await send(port, 'POST', '/v1/things/1', { 'content-length': '0' })).body).toEqual({
      body: null,
    });
  });

  test('an empty body that claims to be JSON is no body', async () => {
    expect((await json('')).body).toEqual({ body: null });
  });

  test.each([
    ['{'],
    ['{"__proto__":1}'],
    ['{"a":{"\\u005f_proto__":1}}'],
    ['{"constructor":{"prototype":1}}'],
    ['1e'],
  ])('%s is malformed', async (body) => {
    expectProblem(await json(body), 'malformed-json', 400);
  });

  test('depth is no trouble', async () => {
    expect((await json('['.repeat(16_000) + ']'.repeat(16_000))).status).toBe(201);
    expectProblem(await json('['.repeat(32_000)), 'malformed-json', 400);
  });

  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonp'],
    ['application/ld+json'],
    ['text/json'],
    ['garbage'],
    [''],
    ['application/json, text/plain'],
  ])('%j is not supported', async (type) => {
    expectProblem(await json('{"a":1}', { 'content-type': type }), 'unsupported-media-type', 415);
  });

  test('a body without a media type is not supported', async () => {
    expectProblem(await send(port, 'POST', '/v1/things/1', {}, '{"a":1}'), 'unsupported-media-type', 415);
  });

  test('a compressed body is not supported', async () => {
    expectProblem(await json('{"a":1}', { 'content-encoding': 'gzip' }), 'unsupported-media-type', 415);
    expect((await json('{"a":1}', { 'content-encoding': 'identity' })).status).toBe(201);
  });

  test('32 KiB are read, one byte more is too large', async () => {
    const body = JSON.stringify('x'.repeat(32_766));
    expect((await json(body)).status).toBe(201);
    expectProblem(await json(`${body} `), 'body-too-large', 413);
  });

  test('a body that grows too large in pieces is refused, and the client gets to read it', async () => {
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const answer = await raw(
      port,
      `POST /v1/things/1 HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}0\r\n\r\n`,
    );
    expectProblem(answer, 'body-too-large', 413);
    expect(answer.headers['connection']).toBe('close');
  });

  test('a huge announced body is refused, and the client gets to read it', async () => {
    expectProblem(await json('x'.repeat(900_000)), 'body-too-large', 413);
  });

  test('a client that announces much and sends nothing is answered', async () => {
    const answer = await raw(
      port,
      'POST /v1/things/1 HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n',
    );
    expectProblem(answer, 'body-too-large', 413);
  });

  test('a notification may be anything up to 256 KiB', async () => {
    const target = '/v1/gateway/notifications';
    for (const type of ['application/json', 'text/xml', 'garbage', '', 'application/x-www-form-urlencoded']) {
      expect((await send(port, 'POST', target, { 'content-type': type }, '{"a":1,"a":2')).body).toEqual({
        bytes: 12,
      });
    }
    expect((await send(port, 'POST', target, {}, 'x')).body).toEqual({ bytes: 1 });
    expect(
      (
        await send(
          port,
          'POST',
          target,
          { 'content-type': 'application/json', 'content-encoding': 'gzip' },
          'x',
        )
      ).body,
    ).toEqual({
      bytes: 1,
    });
    expect((await send(port, 'POST', target, {}, Buffer.alloc(262_144))).body).toEqual({ bytes: 262_144 });
    expectProblem(await send(port, 'POST', target, {}, Buffer.alloc(262_145)), 'body-too-large', 413);
    expect((await send(port, 'POST', target)).body).toEqual({ bytes: 0 });
  });

  test('the payer comes back with anything', async () => {
    const target = '/v1/payments/pay_1/return/token';
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      'garbage',
    ])
      expect((await send(port, 'POST', target, { 'content-type': type }, 'cres=a%20b')).body).toEqual({
        bytes: 10,
      });
    expect((await send(port, 'POST', target)).status).toBe(201);
  });
});
