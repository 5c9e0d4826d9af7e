import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runCommandLine } from '../command-line.js';

/** A service that says what was paid, and counts refunds. */
let service: Server;
let refunds: unknown[];
let answer: object;
beforeAll(async () => {
  service = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') {
      const payment = { reference: 'ORDER-1', currency: 'NGN', amountCaptured: '1500.00' };
      response.end(JSON.stringify({ ...payment, amountRefunded: '200.00' }));
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      refunds.push(JSON.parse(body));
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void service.close());
beforeEach(() => {
  refunds = [];
  answer = { id: 'ref_1', amount: '500.00', status: 'succeeded' };
});

/** Runs `payments refund`. `typed` is what a person answers; undefined where nobody sits at a terminal. */
async function refund(typed: string | undefined, ...options: string[]) {
  const asked: string[] = [];
  let written = '';
  const write = (line: string): void => void (written += `${line}\n`);
  const ask = (question: string): Promise<string> => {
    asked.push(question);
    return Promise.resolve(typed ?? '');
  };
  const { port } = service.address() as AddressInfo;
  const code = await runCommandLine(['payments', 'refund', 'pay_1', ...options], {
    environment: () => ({ TILLFRONT_URL: `http://127.0.0.1:${port}`, MERCHANT_API_KEY: 'mk_test_1' }),
    terminal: { out: write, err: write, ask: typed === undefined ? undefined : ask },
  });
  return { code, asked, written };
}

test('a person at a terminal is asked, with what is meant', async () => {
  const part = await refund('y', '--amount', '500.00');
  expect(part.asked).toEqual([
    'Refund 500.00 NGN of ORDER-1 (1500.00 NGN was paid, 200.00 of it refunded before)? It cannot be undone. [y/N] ',
  ]);
  expect(part.code).toBe(0);
  expect(refunds).toEqual([{ amount: '500.00' }]);
  expect((await refund('YES')).asked[0]).toMatch(/^Refund all that is left of ORDER-1/);
  expect(refunds).toHaveLength(2);
});

test.each(['', 'n', 'yup', ' no '])('anything but yes is no: %j', async (typed) => {
  const { code, written } = await refund(typed, '--amount', '500.00');
  expect(code).toBe(1);
  expect(written).toBe('Nothing was refunded.\n');
  expect(refunds).toEqual([]);
});

test('nobody is asked with --yes, nor where there is no terminal', async () => {
  expect((await refund('n', '--yes')).asked).toEqual([]);
  expect((await refund(undefined)).code).toBe(0);
  expect(refunds).toHaveLength(2);
});

test('a refund that another person must approve is no refund yet', async () => {
  const expiresAt = '2031-02-07T10:04:05.678Z';
  answer = { approval: { id: 'apr_1', state: 'waiting', amount: '500.00', expiresAt } };
  const { code, written } = await refund('y');
  expect(code).toBe(0);
  expect(written).toBe(
    `The refund of 500.00 of pay_1 waits until another person approves it, at the latest ${expiresAt}. Nothing was sent yet (apr_1).\n`,
  );
});
