import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sessionRequest, type ProblemBody } from '../harness/client.js';
import { sendRaw } from '../harness/raw-http.js';
import { startScene, type Scene } from '../harness/scene.js';

/** Requests that two servers could read differently, and values that look like others: none is taken for something else. */

let scene: Scene;

beforeAll(async () => {
  scene = await startScene('embedded');
});
afterAll(() => scene.stop());

const send = (bytes: string | Buffer) => sendRaw(scene.tillfront.port, [bytes]);

const SMUGGLED = 'GET /v1/events HTTP/1.1\r\nhost: x\r\n\r\n';

describe('a request whose end is not clear', () => {
  const head = 'POST /v1/gateway/notifications HTTP/1.1\r\nhost: x\r\n';
  test.each([
    [
      'length and chunks',
      `${head}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    ],
    [
      'chunks and length',
      `${head}transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    ],
    ['two lengths', `${head}content-length: 4\r\ncontent-length: 5\r\n\r\n{}{}${SMUGGLED}`],
    ['two equal lengths in one line', `${head}content-length: 2, 2\r\n\r\n{}${SMUGGLED}`],
    ['a length with a sign', `${head}content-length: +2\r\n\r\n{}${SMUGGLED}`],
    ['a negative length', `${head}content-length: -2\r\n\r\n{}${SMUGGLED}`],
    ['a hexadecimal length', `${head}content-length: 0x2\r\n\r\n{}${SMUGGLED}`],
    ['a length beyond all numbers', `${head}content-length: 99999999999999999999999\r\n\r\n{}`],
    ['another coding', `${head}transfer-encoding: gzip\r\n\r\n{}${SMUGGLED}`],
    ['chunked that is not last', `${head}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['a blank before the colon', `${head}transfer-encoding : chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['a tab in the coding', `${head}transfer-encoding:\x0bchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['a folded header', `${head}x-a: b\r\n transfer-encoding: chunked\r\ncontent-length: 0\r\n\r\n`],
    ['a chunk size that is none', `${head}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['a chunk size beyond all numbers', `${head}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}`],
    [
      'lines that end with a line feed only',
      `POST /v1/gateway/notifications HTTP/1.1\nhost: x\ncontent-length: 2\n\n{}`,
    ],
    ['NUL in a header', `${head}x-a: \0\r\n\r\n`],
    ['a carriage return in a header', `${head}x-a: b\rc: d\r\n\r\n`],
    ['a header without a name', `${head}: x\r\n\r\n`],
    ['a blank in the address', 'GET /health/live evil HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a method that nobody knows', 'SMUGGLE /health/live HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['another version', 'GET /health/live HTTP/3.7\r\nhost: x\r\n\r\n'],
    ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['the beginning of TLS', Buffer.from('16030100c8010000c40303', 'hex')],
  ])('%s is refused, and nothing behind it is read', async (_name, bytes) => {
    const answered = await send(bytes);
    expect([answered.status, answered.headers['content-type']]).toEqual([400, 'application/problem+json']);
    expect(JSON.parse(answered.text)).toMatchObject({ code: 'malformed-request' });
    expect(answered.headers['connection']).toBe('close');
  });

  test('two hosts are refused, or neither makes an address', async () => {
    const answered = await send(
      'GET /health/live HTTP/1.1\r\nhost: a.example\r\nhost: evil.example\r\nconnection: close\r\n\r\n',
    );
    expect([200, 400]).toContain(answered.status);
    expect(answered.text).not.toContain('evil');
  });

  test('a hundred headers too many are no trouble', async () => {
    const many = Array.from({ length: 2_500 }, (_, index) => `a${index}: 1\r\n`).join('');
    const answered = await send(`GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${many}\r\n`);
    expect([200, 431]).toContain(answered.status);
  });

  test('a response cannot be split by what a request holds', async () => {
    const answered = await send(
      'GET /%0d%0aset-cookie:%20a=b HTTP/1.1\r\nhost: x\r\nx-request-id: a%0d%0ab\r\nconnection: close\r\n\r\n',
    );
    expect(answered.status).toBe(404);
    expect(answered.headers['set-cookie']).toBeUndefined();
  });
});

describe('an amount', () => {
  test.each([
    1500,
    15e2,
    true,
    null,
    ['1500.00'],
    { toString: '1500.00' },
    '',
    ' 1500.00',
    '1500.00 ',
    '1500.00\n',
    '+1500.00',
    '-1500.00',
    '1,500.00',
    '1500,00',
    '1.5e3',
    '1500.',
    '.5',
    '00',
    '0',
    '0.00',
    '0.001',
    '1500.000',
    '٠١٥٠٠',
    '１５００',
    '१५००',
    '0x5dc',
    '1_500',
    'Infinity',
    'NaN',
    '½',
    '1500.00\u200b',
    '9'.repeat(30),
    '1'.repeat(5_000),
  ])('%j is none', async (amount) => {
    const answered = await scene.client.post<ProblemBody>(
      '/v1/checkout-sessions',
      sessionRequest({ amount }),
    );
    expect([answered.status, answered.body.code]).toEqual([400, 'validation-failed']);
    expect(answered.body.errors?.every(({ pointer }) => pointer === '/amount') ?? true).toBe(true);
  });
});

describe('a card', () => {
  test.each([
    ['number', '٥٠٦٠٩٩٠٥٨٠٠٠٠٢١٧٤٩٩'],
    ['number', '5060 9905 8000 0217 499'],
    ['number', 4111111111111111],
    ['number', '5060990580000217498'],
    ['number', '0000000000000000'],
    ['number', '506099058000021749९'],
    ['cvv', 111],
    ['cvv', '１１１'],
    ['cvv', '1e1'],
    ['cvv', '11'],
    ['cvv', '11111'],
    ['pin', 1111],
    ['pin', '١١١١'],
    ['pin', '0x11'],
    ['expiryMonth', '13'],
    ['expiryMonth', '00'],
    ['expiryMonth', 12],
    ['expiryMonth', '1'],
    ['expiryYear', '2020'],
    ['expiryYear', '٢٠٣٠'],
    ['expiryYear', 2030],
    ['expiryYear', '20300'],
    ['nameOnCard', ''],
    ['nameOnCard', '  '],
    ['nameOnCard', 'x'.repeat(101)],
    ['nameOnCard', ['Ada']],
    ['nameOnCard', { first: 'Ada' }],
  ])('with %s %j is none, and nothing is sent', async (field, value) => {
    const session = await scene.client.createSession();
    const answered = await scene.client.payCard(session, { card: { [field]: value } });
    const problem = answered.body as unknown as ProblemBody;
    expect([answered.status, problem.code, problem.errors?.map(({ pointer }) => pointer)]).toEqual([
      400,
      'validation-failed',
      [`/card/${field}`],
    ]);
    expect(scene.gateway.requests).toEqual([]);
  });
});
