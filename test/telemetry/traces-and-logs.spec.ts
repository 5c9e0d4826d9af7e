import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import type { Sandbox } from '../../sandbox/server.ts';
import { card, cardRequest, expectStatus, TillfrontClient } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { startCollector, type Collector, type ExportedSpan } from './collector.js';

const SERVER = 2;

let sandbox: Sandbox;
let collector: Collector;
let tillfront: Tillfront;
let client: TillfrontClient;

beforeAll(async () => {
  [sandbox, collector] = await Promise.all([startTestSandbox(), startCollector()]);
  tillfront = await startTillfront({
    store: 'embedded',
    gatewayUrl: sandbox.url,
    // What is loaded for tracing alone is found where it is shipped.
    emptyStore: true,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
  });
  client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
});
afterAll(async () => {
  await tillfront?.stop();
  await Promise.all([sandbox?.close(), collector?.close()]);
});

const lines = (): Record<string, unknown>[] =>
  tillfront
    .logs()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const named = (name: string): ExportedSpan[] => collector.spans().filter((span) => span.name === name);

describe('a card payment', () => {
  const callersTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
  let traceId: string | undefined;
  let answered: Headers;

  beforeAll(async () => {
    const session = await client.createSession();
    const answer = await client.payCard(
      session,
      {},
      { headers: { traceparent: `00-${callersTrace}-00f067aa0ba902b7-01` } },
    );
    expectStatus(answer, 201);
    answered = answer.headers;
    await until(() => named('POST /v1/payments/card').length === 1);
    traceId = named('POST /v1/payments/card')[0]?.traceId;
  });

  test('is one trace of its own, whatever its caller sends', () => {
    expect(traceId).not.toBe(callersTrace);
    const [request] = named('POST /v1/payments/card');
    expect(request).toMatchObject({
      kind: SERVER,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/payments/card',
        'http.response.status_code': 201,
      },
    });
    expect(request?.parentSpanId ?? '').toBe('');
  });

  test('has its id in the answer and in the log', async () => {
    expect(answered.get('x-request-id')).toBe(callersTrace);
    const ofRequest = () =>
      lines().filter((line) => line['traceId'] === traceId && line['event'] === 'http.request');
    await until(() => ofRequest().length > 0);
    expect(ofRequest()).toEqual([
      expect.objectContaining({
        level: 'info',
        requestId: callersTrace,
        route: '/v1/payments/card',
        status: 201,
      }),
    ]);
  });
});

describe('a caller’s traceparent', () => {
  const UNSAMPLED = '00';
  const ids = { span: '00f067aa0ba902b7' };
  const spanOf = async (requestId: string): Promise<ExportedSpan | undefined> => {
    const own = () => collector.spans().find((span) => span.attributes['tillfront.request_id'] === requestId);
    await until(() => own() !== undefined);
    return own();
  };

  test.each([
    ['a stranger', 'wrong-key'],
    ['a browser', 'cst_wrong.wrong'],
    ['nobody', undefined],
  ])('of %s cannot hide the call', async (who, token) => {
    const trace = `${who.length}`.padStart(32, 'a');
    const requestId = `unsampled-${who.replaceAll(' ', '-')}`;
    await fetch(`${tillfront.url}/v1/payments/pay_x`, {
      headers: {
        'x-request-id': requestId,
        traceparent: `00-${trace}-${ids.span}-${UNSAMPLED}`,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
    });
    const span = await spanOf(requestId);
    expect(span?.traceId).not.toBe(trace);
  });

  test('of the merchant’s server has the call in its own trace', async () => {
    const trace = 'b'.repeat(32);
    await client.get('/v1/payments/pay_x', {
      headers: { 'x-request-id': 'joined', traceparent: `00-${trace}-${ids.span}-01` },
    });
    expect(await spanOf('joined')).toMatchObject({ traceId: trace, parentSpanId: ids.span });
  });
});

test('no span and no log line has anything of a card, a payer or a credential', async () => {
  const session = await client.createSession();
  const declined = { card: { ...card, number: '4000000000000507', pin: undefined } };
  await client.payCard(session, declined);
  const otp = { card: { ...card, number: '5060990000000000704' } };
  const { body } = await client.payCard(await client.createSession(), otp);
  await client.submitOtp(session, body.id, '123456');
  await client.post('/v1/payments/card', { ...cardRequest(otp), surplus: card.number }, { token: 'cst_x.y' });
  await until(() => named('POST /v1/payments/:id/otp').length > 0);
  for (const secret of [
    ...['4000000000000507', '5060990000000000704', card.number, card.nameOnCard, '+2348012345678'],
    ...['ada@example.com', '1 Marina', 'cst_', session.clientToken, tillfront.merchantKey, '"123456"'],
  ]) {
    expect(collector.text()).not.toContain(secret);
    expect(tillfront.logs()).not.toContain(secret);
  }
  // As a word: an id may hold any three letters.
  expect(collector.text()).not.toMatch(/\bAda\b/);
  expect(tillfront.logs()).not.toMatch(/\bAda\b/);
});

test("a refusal has its code in the log and in the metrics, under the caller's own request id", async () => {
  const answer = await client.get('/v1/payments/pay_nothing', { headers: { 'x-request-id': 'shop-17' } });
  expect(answer.status).toBe(404);
  expect(answer.headers.get('x-request-id')).toBe('shop-17');
  await until(() => lines().some(({ requestId }) => requestId === 'shop-17'));
  expect(lines().filter(({ requestId }) => requestId === 'shop-17')).toEqual([
    expect.objectContaining({ event: 'http.request', status: 404, code: 'not-found' }),
  ]);
  const metrics = await (await fetch(`${tillfront.url}/metrics`)).text();
  expect(metrics).toMatch(/^tillfront_http_request_duration_seconds_count\{[^}]*status="404"[^}]*\} [1-9]/m);
});

test('a caller that does not wait for its answer has its line, its count and its span too', async () => {
  const session = await client.createSession();
  const { body } = await client.payWallet(session);
  const path = `/v1/payments/${body.id}?wait=20`;
  await new Promise<void>((resolve) => {
    const impatient = httpRequest(tillfront.url + path, {
      headers: { authorization: `Bearer ${tillfront.merchantKey}`, 'x-request-id': 'impatient' },
    });
    impatient.on('error', () => resolve()).end();
    // Not before it has been sent, however busy this process is.
    impatient.once('finish', () => setTimeout(() => impatient.destroy(), 500));
  });
  await until(() => lines().some(({ requestId }) => requestId === 'impatient'));
  expect(lines().filter(({ requestId }) => requestId === 'impatient')).toEqual([
    expect.objectContaining({ event: 'http.request', route: '/v1/payments/:id', status: 499 }),
  ]);
  await until(() =>
    named('GET /v1/payments/:id').some(
      ({ attributes }) => attributes['tillfront.request_id'] === 'impatient',
    ),
  );
});
