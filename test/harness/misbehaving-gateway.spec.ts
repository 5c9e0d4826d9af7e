import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cardAnswer } from './gateway-answers.js';
import type { Behaviour } from './gateway-behaviour.js';
import { startMisbehavingGateway, type MisbehavingGateway } from './misbehaving-gateway.js';

let gateway: MisbehavingGateway;

beforeEach(async () => {
  gateway = await startMisbehavingGateway();
});
afterEach(() => gateway.close());

const pay = () =>
  fetch(`${gateway.url}/payment/card`, { method: 'POST', body: '{"amount":"1.00"}', redirect: 'manual' });

test('does one thing after the other, the last one for good, and records what it was sent', async () => {
  gateway.script(
    'POST /payment/card',
    { do: 'answer', status: 500, body: { error: true } },
    { do: 'answer', body: cardAnswer({ status: 'SUCCESS' }) },
  );
  expect([(await pay()).status, (await pay()).status, (await pay()).status]).toEqual([500, 200, 200]);
  expect(gateway.requestsTo('POST /payment/card').map((request) => request.json)).toEqual([
    { amount: '1.00' },
    { amount: '1.00' },
    { amount: '1.00' },
  ]);
});

test('does not know any transaction unless told otherwise', async () => {
  const answer = await fetch(`${gateway.url}/transaction/ORDER-1_1`);
  expect(await answer.json()).toMatchObject({ error: true, data: { errorCode: 'NOT_FOUND' } });
});

describe('breaks the connection', () => {
  test.each<[Behaviour, number]>([
    [{ do: 'reset-before-reading' }, 0],
    [{ do: 'reset-after-reading' }, 1],
    [{ do: 'close-after-reading' }, 1],
    [{ do: 'cut' }, 1],
  ])('%j, having read %i requests', async (behaviour, read) => {
    gateway.script('POST /payment/card', behaviour);
    await expect(pay().then((answer) => answer.text())).rejects.toThrow();
    expect(gateway.requests).toHaveLength(read);
  });

  test('before it reads a second request on a connection that is kept', async () => {
    gateway.script('POST /payment/card', { do: 'answer', body: {} });
    await (await pay()).text();
    gateway.script('POST /payment/card', { do: 'reset-before-reading' });
    await expect(pay()).rejects.toThrow();
    expect(gateway.requests).toHaveLength(1);
  });
});

test('sends more than anyone should take, also behind gzip', async () => {
  gateway.script('POST /payment/card', { do: 'huge', megabytes: 2 }, { do: 'gzip-bomb', megabytes: 3 });
  expect((await (await pay()).text()).length).toBeGreaterThan(2 * 1024 * 1024);
  expect((await (await pay()).text()).length).toBeGreaterThan(3 * 1024 * 1024);
});

test('trickles and stays silent for as long as the caller waits', async () => {
  gateway.script('POST /payment/card', { do: 'trickle' }, { do: 'silent' });
  for (let call = 0; call < 2; call++) {
    const slow = fetch(`${gateway.url}/payment/card`, { method: 'POST', signal: AbortSignal.timeout(300) });
    await expect(slow.then((answer) => answer.text())).rejects.toThrow(/abort|timeout/i);
  }
});

test('redirects', async () => {
  gateway.script('POST /payment/card', {
    do: 'redirect',
    status: 307,
    location: 'https://elsewhere.example/',
  });
  expect((await pay()).headers.get('location')).toBe('https://elsewhere.example/');
});
