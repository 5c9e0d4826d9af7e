import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { TillfrontClient } from '../harness/client.js';
import {
  answer,
  approved,
  cardAnswer,
  notFoundAnswer,
  redirectRequired,
  walletStarted,
} from '../harness/gateway-answers.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { startWebhookReceiver } from '../harness/webhook-receiver.js';

/** Whom the service calls: the gateway and the merchant's server, whatever anybody tells it. */

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function recorded(
  gateway: MisbehavingGateway,
  env: Record<string, string>,
): Promise<{ tillfront: Tillfront; connections: () => Promise<string[]> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tillfront-outbound-'));
  const file = join(folder, 'connections');
  const preload = pathToFileURL(join(import.meta.dirname, 'outbound', 'record-connections.mjs')).href;
  const tillfront = await startTillfront({
    store: 'embedded',
    gatewayUrl: gateway.url,
    env: { NODE_OPTIONS: `--import=${preload}`, CONNECTIONS_FILE: file, ...env },
  });
  opened.push(
    () => rm(folder, { recursive: true }),
    () => tillfront.stop(),
  );
  return {
    tillfront,
    connections: async () =>
      (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== ''),
  };
}

const hostOf = (url: string): string => new URL(url).host;

test('only the gateway and the merchant’s server are called, whatever addresses others name', async () => {
  const [gateway, shop, elsewhere] = await Promise.all([
    startMisbehavingGateway(),
    startWebhookReceiver(),
    startMisbehavingGateway(),
  ]);
  opened.push(
    () => gateway.close(),
    () => shop.close(),
    () => elsewhere.close(),
  );
  const { tillfront, connections } = await recorded(gateway, {
    MERCHANT_WEBHOOK_URL: shop.url,
    MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
    ALLOWED_RETURN_ORIGINS: elsewhere.url,
    // those who read them would send card numbers there
    HTTP_PROXY: elsewhere.url,
    HTTPS_PROXY: elsewhere.url,
    ALL_PROXY: elsewhere.url,
    http_proxy: elsewhere.url,
    NODE_USE_ENV_PROXY: '1',
  });
  const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  gateway.script('GET /ussd/banks', answer({ error: false, data: [] }));
  gateway.script('GET /transaction/*', answer(notFoundAnswer));
  gateway.script('POST /init-partner', walletStarted({ cashierUrl: `${elsewhere.url}/cashier` }));
  gateway.script(
    'POST /payment/card',
    answer(approved),
    answer(redirectRequired),
    answer(cardAnswer({ status: 'REDIRECT_REQUIRED', redirectUrl: `${elsewhere.url}/acs` })),
    { do: 'redirect', status: 302, location: `${elsewhere.url}/moved` },
    { do: 'redirect', status: 307, location: `${elsewhere.url}/moved` },
    { do: 'redirect', status: 308, location: `${elsewhere.url}/moved` },
    answer(approved),
  );
  for (let index = 0; index < 7; index++) {
    const session = await client.createSession({ returnUrl: `${elsewhere.url}/back` });
    const { id } = (await client.payCard(session)).body;
    await client.post(`/v1/payments/${id}/refresh`);
  }
  const session = await client.createSession({ returnUrl: `${elsewhere.url}/back` });
  await client.payWallet(session);
  await client.get('/v1/ussd/banks', { token: session.clientToken });
  shop.answerWith({ status: 307, headers: { location: `${elsewhere.url}/hooks` } });
  for (const path of ['/checkout', '/console', '/docs', '/openapi.json', '/metrics', '/kit/tillfront.js']) {
    await client.get(path, {
      headers: { host: hostOf(elsewhere.url), 'x-forwarded-host': hostOf(elsewhere.url) },
    });
  }
  const returning =
    /"(http[^"]*\/return\/[^"]+)"/.exec(gateway.requests.map(({ text }) => text).join())?.[1] ?? '';
  expect((await fetch(returning, { redirect: 'manual' })).status).toBe(303);
  await until(() => shop.received.length >= 3);

  // an address is "looked up" too, without asking anybody
  const allowed = new Set([
    'lookup 127.0.0.1',
    ...[gateway.url, shop.url].map((url) => `connect ${hostOf(url)}`),
  ]);
  const made = await connections();
  expect(made.length).toBeGreaterThan(2);
  expect(made.filter((line) => !allowed.has(line))).toEqual([]);
  expect(elsewhere.connections()).toBe(0);
});
