import { describe, expect, test } from '@jest/globals';
import { until } from '../harness/until.js';
import { slowRequests, startProbe } from './probe-app.js';
import { expectProblem, send } from './wire.js';

describe('behind proxies', () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.1, 192.0.2.7, 10.0.0.9' };

  test.each<[false | number | string[], string]>([
    [false, '127.0.0.1'],
    [1, '10.0.0.9'],
    [2, '192.0.2.7'],
    [9, '198.51.100.1'],
    [['127.0.0.0/8'], '10.0.0.9'],
    [['127.0.0.0/8', '10.0.0.0/8'], '192.0.2.7'],
    [['203.0.113.0/24'], '127.0.0.1'],
  ])('trusting %j the caller is %s', async (trustProxy, address) => {
    const server = await startProbe({ trustProxy });
    const answer = await send(server.port, 'GET', '/v1/address', forwarded);
    await server.app.close();
    expect(answer.body).toEqual({ address });
  });
});

describe('shutting down', () => {
  test('new requests are turned away, running ones finish, health still answers', async () => {
    const server = await startProbe();
    const { begun } = slowRequests;
    const running = send(server.port, 'GET', '/v1/slow?wait=300', {});
    await until(() => slowRequests.begun > begun);
    server.edge.shut();
    const refused = await send(server.port, 'GET', '/v1/things/1', { connection: 'keep-alive' });
    expectProblem(refused, 'shutting-down', 503);
    expect(refused.headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
    expect((await send(server.port, 'GET', '/health/live', {})).status).toBe(200);
    const closing = server.app.close();
    expect((await running).status).toBe(200);
    await closing;
  });
});
