import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import type { Sandbox } from '../../sandbox/server.ts';
import { TRIGGERS } from '../../src/cli/choices.js';
import { TillfrontClient } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.js';
import { freePort } from '../setup/free-port.js';
import { runCli, type Finished } from './run-cli.js';

/** `listen` and `trigger`: a shop is connected on a developer's machine. */

const SECRET = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.alloc(24, 6).toString('base64')}`;
let sandbox: Sandbox;
let tillfront: Tillfront;
let client: TillfrontClient;
let shop: WebhookReceiver;

beforeAll(async () => {
  [sandbox, shop] = await Promise.all([startTestSandbox(), startWebhookReceiver()]);
  // It has no address for events: a developer's machine cannot be reached from everywhere.
  tillfront = await startTillfront({
    store: 'embedded',
    gatewayUrl: sandbox.url,
    env: { GATEWAY_PROFILE: resolve('sandbox/refunds.profile.json') },
  });
  client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
});
afterAll(async () => {
  await tillfront?.stop();
  await Promise.all([sandbox?.close(), shop?.close()]);
});
beforeEach(() => {
  shop.answerWith({ status: 204 });
  shop.received.length = 0;
});

const cli = (args: string[], env: Record<string, string | undefined> = {}): Promise<Finished> =>
  runCli(args, {
    ...{ TILLFRONT_URL: tillfront.url, MERCHANT_API_KEY: tillfront.merchantKey },
    ...{ MERCHANT_WEBHOOK_SECRET: SECRET, ...env },
  });

interface Event {
  id: string;
  type: string;
  data: { reference: string };
}

const events = async (): Promise<Event[]> =>
  (await client.get<{ data: Event[] }>('/v1/events?limit=100')).body.data;

async function newestEvent(): Promise<string> {
  await until(async () => (await events()).length > 0);
  return (await events()).at(-1)?.id ?? '';
}

describe('trigger', () => {
  test.each(TRIGGERS)('%s happens to the payment whose reference it says', async (type) => {
    const { code, json, stdout } = await cli(['trigger', type, '--json']);
    expect([code, stdout]).toEqual([0, expect.stringContaining(type)]);
    const { reference } = json<{ reference: string }>();
    await until(async () =>
      (await events()).some((event) => event.type === type && event.data.reference === reference),
    );
  });

  test('says it in a line for people', async () => {
    const { code, stdout } = await cli(['trigger', 'payment.succeeded']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^payment\.succeeded: TRIGGER-\S+ \(pay_\w+\)\n$/),
    ]);
  });

  test('lists what it can make where it cannot make something', async () => {
    const { code, stderr } = await cli(['trigger', 'payment.eaten']);
    expect(code).toBe(2);
    for (const type of TRIGGERS) expect(stderr).toContain(type);
  });
});

describe('listen', () => {
  test('posts new events as the service would, and says what became of each', async () => {
    await cli(['trigger', 'payment.failed']);
    const after = await newestEvent();
    const { reference } = (await cli(['trigger', 'payment.succeeded', '--json'])).json<{
      reference: string;
    }>();
    shop.answerWith(({ json }) => ({ status: json.type === 'payment.succeeded' ? 204 : 500 }));
    const { code, stdout, stderr } = await cli(
      ['listen', '--forward', shop.url, '--after', after, '--count', '2'],
      { MERCHANT_WEBHOOK_SECRET: `${SECRET},${OLD_SECRET}` },
    );
    expect([code, stdout]).toEqual([1, '2 events forwarded, 1 of them not accepted.\n']);
    expect(stderr).toMatch(new RegExp(`evt_\\w+ payment\\.succeeded ${reference} -> 204 \\(\\d+ ms\\)`));
    expect(stderr).toMatch(new RegExp(`evt_\\w+ checkout_session\\.paid ${reference} -> 500`));
    for (const { headers, text, json } of shop.received) {
      for (const secret of [SECRET, OLD_SECRET]) {
        expect(new Webhook(secret).verify(text, headers)).toEqual(json);
      }
      expect(headers).toMatchObject({ 'webhook-id': json.id, 'content-type': 'application/json' });
      expect(json).not.toHaveProperty('delivery');
    }
  });

  test('begins with the next event, and ends when it is interrupted', async () => {
    await cli(['trigger', 'payment.succeeded']);
    await newestEvent();
    const listening = cli(['listen', '--forward', shop.url, '--json']);
    let made = 0;
    // It may not have begun yet.
    await until(async () => {
      made += (await cli(['trigger', 'payment.authorized'])).code === 0 ? 1 : 0;
      return shop.received.length > 0;
    });
    process.emit('SIGINT');
    const { code, json } = await listening;
    expect(code).toBe(0);
    const { forwarded } = json<{ forwarded: { type: string }[] }>();
    expect(forwarded.length).toBeLessThanOrEqual(made);
    expect(new Set(forwarded.map(({ type }) => type))).toEqual(new Set(['payment.authorized']));
  });

  test('a shop that is away is named, and nothing is repeated', async () => {
    const after = await newestEvent();
    await cli(['trigger', 'payment.failed']);
    const nobody = `http://127.0.0.1:${await freePort()}/webhooks`;
    const { code, stderr } = await cli(['listen', '--forward', nobody, '--after', after, '--count', '1']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('-> no answer (ECONNREFUSED)')]);
  });

  test.each([
    ['no address', ['listen'], {}, 2, '--forward'],
    ['no web address', ['listen', '--forward', 'localhost:8080'], {}, 2, 'http or https'],
    [
      'no secret',
      ['listen', '--forward', 'http://127.0.0.1:9'],
      { MERCHANT_WEBHOOK_SECRET: undefined },
      4,
      'Set MERCHANT_WEBHOOK_SECRET',
    ],
    [
      'a malformed secret',
      ['listen', '--forward', 'http://127.0.0.1:9'],
      { MERCHANT_WEBHOOK_SECRET: 'hush' },
      4,
      'whsec_',
    ],
  ])('does not begin with %s', async (_what, args, env, code, said) => {
    const finished = await cli(args, env);
    expect([finished.code, finished.stderr]).toEqual([code, expect.stringContaining(said)]);
    expect(finished.stderr).not.toContain('hush');
  });
});

describe('a service in live mode', () => {
  let live: Server;
  const posts: string[] = [];

  // Ours would not start in live mode with a sandbox, so this answers as it would.
  beforeAll(async () => {
    live = createServer((request, response) => {
      if (request.method === 'POST') posts.push(request.url ?? '');
      const session = { id: 'cs_1', reference: 'R', livemode: true, clientToken: 'cst_1', methods: ['card'] };
      const event = { id: 'evt_1', type: 'payment.succeeded', livemode: true, data: {} };
      const isNew = !request.url?.includes('after=');
      const list = { data: isNew ? [event] : [], nextCursor: isNew ? 'evt_1' : null };
      response.writeHead(200).end(JSON.stringify(request.method === 'POST' ? session : list));
    });
    await new Promise<void>((done) => live.listen(0, '127.0.0.1', done));
  });
  afterAll(async () => {
    live.closeAllConnections();
    await new Promise((done) => live.close(done));
  });

  test('gets no test card, and its events go nowhere', async () => {
    const env = { TILLFRONT_URL: `http://127.0.0.1:${(live.address() as AddressInfo).port}` };
    const triggered = await cli(['trigger', 'payment.succeeded', '--json'], env);
    expect([triggered.code, triggered.json()]).toMatchObject([4, { error: { code: 'live-mode' } }]);
    expect(posts).toEqual(['/v1/checkout-sessions', '/v1/checkout-sessions/cs_1/close']);
    const listened = await cli(['listen', '--forward', shop.url, '--json'], env);
    expect([listened.code, listened.json()]).toMatchObject([4, { error: { code: 'live-mode' } }]);
    expect(shop.received).toEqual([]);
  });
});
