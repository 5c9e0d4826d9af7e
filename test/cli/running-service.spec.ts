import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sandbox } from '../../sandbox/server.ts';
import { expectStatus, TillfrontClient, type PaymentBody } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { freePort } from '../setup/free-port.js';
import { until } from '../harness/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.js';
import { runCli, type Finished } from './run-cli.js';

let sandbox: Sandbox;
let shop: WebhookReceiver;
let tillfront: Tillfront;
let client: TillfrontClient;
const outputs: string[] = [];

beforeAll(async () => {
  [sandbox, shop] = await Promise.all([startTestSandbox(), startWebhookReceiver()]);
  tillfront = await startTillfront({
    store: 'embedded',
    gatewayUrl: sandbox.url,
    env: {
      MERCHANT_WEBHOOK_URL: shop.url,
      MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
    },
  });
  client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
});
afterAll(async () => {
  await tillfront?.stop();
  await Promise.all([sandbox?.close(), shop?.close()]);
});

/** The command as the operator of this service calls it. */
async function cli(...args: string[]): Promise<Finished> {
  const finished = await runCli(args, {
    TILLFRONT_URL: tillfront.url,
    MERCHANT_API_KEY: tillfront.merchantKey,
  });
  outputs.push(finished.stdout, finished.stderr);
  return finished;
}

async function paid(overrides: object = {}): Promise<PaymentBody> {
  return expectStatus(await client.payCard(await client.createSession(overrides)), 201).body;
}

/** The gateway's word by hand, as if its own people had acted. */
async function atGateway(payment: PaymentBody, move: string): Promise<void> {
  const response = await fetch(`${sandbox.url}/sandbox/transactions/${payment.gatewayReference}/${move}`, {
    method: 'POST',
    body: '{}',
  });
  expect(response.status).toBe(200);
}

describe('payments', () => {
  test('are listed and shown, for people and for programs', async () => {
    const payment = await paid();
    const listed = await cli('payments', 'list', '--reference', payment.reference);
    expect(listed.code).toBe(0);
    expect(listed.stdout).toMatch(/^CREATED +PAYMENT +REFERENCE +METHOD +AMOUNT +STATUS$/m);
    expect(listed.stdout).toMatch(
      new RegExp(`${payment.id} +${payment.reference} +card +1500\\.00 NGN +succeeded`),
    );
    const json = (await cli('payments', 'list', '--reference', payment.reference, '--json')).json();
    expect(json).toEqual({ data: [await client.getPayment(payment.id)] });

    const shown = await cli('payments', 'show', payment.id);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('card, verve ending in 7499');
    expect(shown.stdout).toMatch(/Timeline:\n.*created.*\n.*operation_intended/);
    expect(shown.stdout).toMatch(/status_changed +processing -> succeeded/);
    const byReference = (await cli('payments', 'show', payment.reference, '--json')).json<{
      payment: unknown;
    }>();
    expect(byReference.payment).toEqual(await client.getPayment(payment.id));
  });

  test('are filtered by status, page by page up to the limit', async () => {
    await Promise.all([paid(), paid(), paid()]);
    const { data } = (await cli('payments', 'list', '--status', 'succeeded', '--limit', '2', '--json')).json<{
      data: unknown[];
    }>();
    expect(data).toHaveLength(2);
    expect((await cli('payments', 'list', '--status', 'voided')).stdout).toBe('No payments.\n');
  });

  test('of one reference are told apart', async () => {
    const session = await client.createSession();
    const declined = { card: { number: '4000000000000200', pin: undefined } };
    await client.payCard(session, declined);
    await client.payCard(session, declined);
    const { code, stderr } = await cli('payments', 'show', session.reference);
    expect(code).toBe(2);
    expect(stderr.match(/pay_/g)).toHaveLength(2);
  });

  test('that do not exist are an error, for programs too', async () => {
    const { code, stderr } = await cli('payments', 'show', 'pay_nothing');
    expect([code, stderr]).toEqual([4, expect.stringContaining('not-found')]);
    const failed = await cli('payments', 'show', 'pay_nothing', '--json');
    expect(failed.json()).toEqual({ error: { code: 'not-found', message: expect.any(String) } });
    expect([failed.code, failed.stderr]).toEqual([4, '']);
  });
});

describe('reconcile', () => {
  test('asks about what is open, and says what changed', async () => {
    const waiting = expectStatus(await client.payWallet(await client.createSession()), 201).body;
    const held = expectStatus(
      await client.payCard(await client.createSession(), {
        card: { number: '4000000000000903', pin: undefined },
      }),
      201,
    ).body;
    expect([waiting.status, held.status]).toEqual(['requires_action', 'authorized']);
    await atGateway(waiting, 'approve');
    const { code, stdout } = await cli('reconcile');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Asked about \d+ payments: 1 changed, 0 could not be asked about\./);
    expect(stdout).toMatch(new RegExp(`${waiting.id} +requires_action -> succeeded`));
    expect(stdout).not.toContain(held.id);
  });

  test('asks about the given ones, and goes on where one cannot be asked about', async () => {
    const payment = await paid();
    const { code, json } = await cli('reconcile', 'pay_nothing', payment.id, '--json');
    expect(code).toBe(1);
    expect(json()).toEqual({
      asked: 1,
      changed: [],
      refused: [expect.objectContaining({ id: 'pay_nothing', refused: 'not-found' })],
    });
  });
});

describe('redeliver', () => {
  const eventsOf = (payment: PaymentBody) =>
    shop.received.filter(({ json }) => (json.data as { id: string }).id === payment.id);

  const deliveryOf = async (id: string | undefined) => {
    const { body } = await client.get<{ data: { id: string; delivery: { status: string } }[] }>(
      '/v1/events?limit=100',
    );
    return body.data.find((event) => event.id === id)?.delivery.status;
  };

  test('sends named events again, under their ids', async () => {
    const payment = await paid();
    await until(() => eventsOf(payment).length === 1);
    const [first] = eventsOf(payment);
    // one that is still on its way would stay as it is
    await until(async () => (await deliveryOf(first?.json.id)) === 'delivered');
    const { code, stdout } = await cli('redeliver', first?.json.id ?? '', 'evt_nothing');
    expect(code).toBe(1);
    expect(stdout).toBe('1 events are being sent again, 1 cannot be.\n  evt_nothing  not-found\n');
    await until(() => eventsOf(payment).length === 2);
    expect(eventsOf(payment)[1]?.json.id).toBe(first?.json.id);
  });

  test('finds those that were refused for good', async () => {
    shop.answerWith({ status: 410 });
    const payment = await paid();
    await until(() => eventsOf(payment).length === 1);
    await until(async () => (await deliveryOf(eventsOf(payment)[0]?.json.id)) === 'gone');
    shop.answerWith({ status: 200 });
    const { redelivered } = (await cli('redeliver', '--undelivered', '--json')).json<{
      redelivered: string[];
    }>();
    expect(redelivered).toContain(eventsOf(payment)[0]?.json.id);
    await until(() => eventsOf(payment).length === 2);
  });

  test('hurries those that wait, which is an entry of the audit', async () => {
    shop.answerWith({ status: 503 });
    const payment = await paid();
    // The next wait is 48 s at least.
    await until(() => eventsOf(payment).length === 4, 90_000);
    shop.answerWith({ status: 200 });
    let hurried = 0;
    await until(async () => {
      hurried += (await cli('redeliver', '--waiting', '--json')).json<{ hurried: number }>().hurried;
      return (await deliveryOf(eventsOf(payment)[0]?.json.id)) === 'delivered';
    }, 40_000);
    expect(hurried).toBeGreaterThan(0);
    const { body } = await client.get<{ data: object[] }>('/v1/audit?limit=100');
    expect(body.data.at(-1)).toMatchObject({ action: 'redeliver', object: null, outcome: 'ok' });
  });

  test.each([[[]], [['evt_1', '--undelivered']], [['evt_1', '--waiting']], [['--waiting', '--undelivered']]])(
    'needs one kind of choice, not %j',
    async (args) => {
      expect((await cli('redeliver', ...args)).code).toBe(2);
    },
  );
});

describe('the way to the service', () => {
  test.each([
    ['a wrong key', { MERCHANT_API_KEY: 'wrong-key-of-nobody-0123456789' }, 'unauthorized'],
    ['no key', { MERCHANT_API_KEY: undefined }, 'no-merchant-key'],
    ['a malformed address', { TILLFRONT_URL: 'not an address' }, 'configuration'],
    [
      'a file that is not there',
      { MERCHANT_API_KEY: undefined, MERCHANT_API_KEY_FILE: '/nowhere' },
      'configuration',
    ],
  ])('%s is named, and its value is not', async (_what, env, code) => {
    const given = { TILLFRONT_URL: tillfront.url, MERCHANT_API_KEY: tillfront.merchantKey, ...env };
    const finished = await runCli(['payments', 'list', '--json'], given);
    expect(finished.code).toBe(4);
    expect(finished.json()).toMatchObject({ error: { code } });
    expect(finished.stdout).not.toContain('wrong-key');
    expect(finished.stdout).not.toContain('not an address');
  });

  test('nobody there, and somebody else there', async () => {
    const nobody = {
      TILLFRONT_URL: `http://127.0.0.1:${await freePort()}`,
      MERCHANT_API_KEY: 'k'.repeat(30),
    };
    expect((await runCli(['payments', 'list', '--json'], nobody)).json()).toMatchObject({
      error: { code: 'service-unreachable', message: expect.stringContaining('ECONNREFUSED') },
    });
    const other: Server = createServer((_request, response) => response.end('<html>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const somebody = { ...nobody, TILLFRONT_URL: `http://127.0.0.1:${port}` };
    expect((await runCli(['payments', 'list', '--json'], somebody)).json()).toMatchObject({
      error: { code: 'not-the-service' },
    });
    await new Promise((resolve) => other.close(resolve));
  });

  test('PUBLIC_BASE_URL and a read key are enough to look', async () => {
    const env = { PUBLIC_BASE_URL: tillfront.url, MERCHANT_READ_API_KEY: tillfront.merchantReadKey };
    expect((await runCli(['payments', 'list'], env)).code).toBe(0);
    const { id } = await paid();
    expect((await runCli(['reconcile', id, '--json'], env)).json()).toMatchObject({
      error: { code: 'forbidden' },
    });
  });
});

describe('the command line', () => {
  test.each([
    [['nonsense']],
    [['payments', 'nonsense']],
    [['payments', 'list', '--limit', '0']],
    [['payments', 'list', '--status', 'lost']],
    [['payments', 'show']],
    [['payments', 'list', 'surplus']],
    [['doctor', '--nonsense']],
  ])('%j is refused with 2 and an explanation', async (args) => {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: /);
  });

  test.each([[[]], [['--help']], [['payments', '--help']], [['go-live', '--help']]])(
    '%j explains itself',
    async (args) => {
      const { code, stdout } = await runCli(args);
      expect(code).toBe(0);
      expect(stdout).toContain('Usage: tillfront');
    },
  );

  test('no output has shown a key', () => {
    expect(outputs.length).toBeGreaterThan(20);
    for (const output of outputs) {
      expect(output).not.toContain(tillfront.merchantKey);
      expect(output).not.toContain('cst_');
    }
  });
});
