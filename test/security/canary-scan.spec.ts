import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { cardRequest, TillfrontClient } from '../harness/client.js';
import { startMisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { createTestStore, stores, type StoreKind } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { startWebhookReceiver } from '../harness/webhook-receiver.js';
import { profileFile } from '../profiles/strict-gateway.js';
import { startCollector } from '../telemetry/collector.js';
import { makeCanaries, type Canaries } from './canary/canaries.js';
import { formsOf } from './canary/forms.js';
import {
  dumpPostgres,
  dumpSqlite,
  filesBelow,
  processTitle,
  search,
  type Haystack,
} from './canary/haystacks.js';
import { travel } from './canary/journey.js';

/** Every secret of a run is unique, so wherever one is found it has leaked there. */

/** The built-in profile of a gateway that also asks for the PIN after the card, and gives money back. */
const builtIn = JSON.parse(readFileSync('profiles/built-in.json', 'utf8')) as {
  operations: object;
  answer: { words: object };
};
const PIN_PROFILE = profileFile({
  ...builtIn,
  operations: {
    ...builtIn.operations,
    validatePin: {
      post: '/payment/validate-pin',
      body: { client_ref: '{client_ref}', transactionRef: '{transactionRef}', pin: '{pin}' },
    },
    refund: {
      post: '/payment/refund',
      body: { client_ref: '{client_ref}', refundRef: '{refundRef}', amount: '{amount}' },
    },
  },
  answer: { ...builtIn.answer, words: { ...builtIn.answer.words, pin: ['PIN_REQUIRED'] } },
});

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

function environment(canaries: Canaries, temporary: string, further: Record<string, string>) {
  const { secrets } = canaries;
  return {
    LOG_LEVEL: 'trace',
    TMPDIR: temporary,
    GATEWAY_PROFILE: PIN_PROFILE,
    TRUST_PROXY: '1',
    GATEWAY_TIMEOUT_MS: '3000',
    MAX_DECLINES_PER_SESSION: '50',
    MAX_PAYMENTS_PER_SESSION: '0',
    MERCHANT_API_KEY: secrets.merchantKey,
    MERCHANT_READ_API_KEY: secrets.readKey,
    SECRET_KEY: secrets.secretKey,
    GATEWAY_API_KEY: secrets.gatewayApiKey,
    GATEWAY_ACCESS_TOKEN: secrets.gatewayToken,
    MERCHANT_WEBHOOK_SECRET: `whsec_${secrets.webhookSecret}`,
    NOTIFICATION_SECRET: secrets.notificationSecret,
    ...further,
  };
}

async function scene(kind: StoreKind, canaries: Canaries, further: Record<string, string> = {}) {
  const temporary = await mkdtemp(join(tmpdir(), 'tillfront-canary-'));
  const [gateway, shop, collector, store] = await Promise.all([
    startMisbehavingGateway(),
    startWebhookReceiver(),
    startCollector(),
    createTestStore(kind),
  ]);
  opened.push(
    () => rm(temporary, { recursive: true, force: true }),
    () => store.dispose(),
    () => gateway.close(),
    () => shop.close(),
    () => collector.close(),
  );
  const tillfront = await startTillfront({
    store,
    gatewayUrl: gateway.url,
    env: environment(canaries, temporary, {
      MERCHANT_WEBHOOK_URL: shop.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      ...further,
    }),
  });
  opened.push(() => tillfront.stop());
  return { temporary, gateway, shop, collector, store, tillfront };
}

async function dump(kind: StoreKind, tillfront: Tillfront): Promise<Haystack[]> {
  const files = await filesBelow(tillfront.dataDir, 'store');
  if (kind === 'postgres') return [...files, ...(await dumpPostgres(tillfront.databaseUrl ?? ''))];
  const database = files.find(({ where }) => where.endsWith('.db') && !where.endsWith('lock.db'));
  return [...files, ...dumpSqlite(database?.where ?? '')];
}

/** The database is taken away under the service: its driver's errors quote statements and values. */
async function withoutDatabase(url: string, canaries: Canaries, tillfront: Tillfront): Promise<Haystack[]> {
  const client = new TillfrontClient(tillfront.url, canaries.secrets.merchantKey);
  const session = await client.createSession({ payer: canaries.sessionPayer });
  const name = new URL(url).pathname.slice(1);
  const superuser = new Client({ connectionString: url.replace(`/${name}`, '/postgres') });
  await superuser.connect();
  await superuser.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await superuser.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  try {
    const { verve, amex, nameOnCard } = canaries.secrets;
    const card = { number: amex, cvv: canaries.short.cvv, pin: canaries.short.pin, nameOnCard };
    const answers = [
      await client.payCard(session, { card }),
      await client.payCard(session, { card: { ...card, number: verve, cvv: '111' } }),
      await client.get(`/v1/payments?reference=${session.reference}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    return answers.map(({ text }) => ({
      kind: 'answer',
      where: 'answer without a database',
      bytes: Buffer.from(text),
    }));
  } finally {
    await superuser.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await superuser.end();
  }
}

describe.each(stores)('on the %s store', (kind) => {
  test('no secret of a payer, a merchant or the service is found where it does not belong', async () => {
    const canaries = makeCanaries();
    const { temporary, gateway, shop, collector, tillfront } = await scene(kind, canaries);
    const journey = await travel(tillfront, gateway, canaries);
    await until(() => shop.received.length > 10 && collector.spans().length > 50);

    const haystacks: Haystack[] = [
      ...journey.answers,
      ...(await dump(kind, tillfront)),
      ...(await processTitle(tillfront.pid)),
      {
        kind: 'metrics',
        where: '/metrics',
        bytes: Buffer.from(await (await fetch(`${tillfront.url}/metrics`)).text()),
      },
      ...shop.received.map(({ text, headers }) => ({
        kind: 'event',
        where: 'a delivered event',
        bytes: Buffer.from(text + JSON.stringify(headers)),
      })),
      ...(kind === 'postgres' ? await withoutDatabase(tillfront.databaseUrl ?? '', canaries, tillfront) : []),
    ];
    await tillfront.stop();
    haystacks.push(
      { kind: 'log', where: 'stdout and stderr', bytes: Buffer.from(tillfront.logs()) },
      { kind: 'trace', where: 'exported spans', bytes: Buffer.from(collector.text()) },
      ...(await filesBelow(temporary, 'temporary')),
      ...(await filesBelow(tillfront.dataDir, 'store')),
    );

    // The search looked at something: the gateway did get the secrets, and each place has content.
    expect(journey.calls).toBeGreaterThan(200);
    expect(
      gateway.requests.filter(({ text }) => text.includes(canaries.secrets.verve)).length,
    ).toBeGreaterThan(8);
    expect(gateway.requests.some(({ text }) => text.includes(canaries.secrets.otp))).toBe(true);
    expect(haystacks.find(({ kind: place }) => place === 'log')?.bytes.length).toBeGreaterThan(20_000);
    const payers = canaries.list.filter(({ name }) => name === "the session's email");
    expect(
      search(
        haystacks.filter(({ kind: place }) => place === 'orders'),
        payers.map((canary) => ({ ...canary, allowedIn: new Set() })),
      ),
    ).not.toEqual([]);

    const tokens = journey.tokens.filter(({ name }) => name === 'return token').slice(0, 10);
    const made = journey.tokens.filter(({ name }) => name === 'client token').slice(-10);
    expect([tokens.length, made.length]).toEqual([10, 10]);
    expect(search(haystacks, [...canaries.list, ...tokens, ...made])).toEqual([]);
  }, 300_000);
});

describe('a service that leaks on purpose is caught', () => {
  const preload = pathToFileURL(join(import.meta.dirname, 'canary', 'leaky-preload.mjs')).href;

  test.each([
    ['log', 'stdout and stderr'],
    ['file', 'upload.tmp'],
    ['title', '/proc/<pid>/cmdline'],
  ])('by its %s', async (way, where) => {
    const canaries = makeCanaries();
    const { temporary, gateway, tillfront } = await scene('embedded', canaries, {
      NODE_OPTIONS: `--import=${preload}`,
      LEAK: way,
    });
    gateway.script('POST /payment/card', { do: 'text', status: 500, text: '' });
    const client = new TillfrontClient(tillfront.url, canaries.secrets.merchantKey);
    const card = { number: canaries.secrets.visa, pin: canaries.short.pin };
    const session = await client.createSession();
    await client.payCard(session, cardRequest({ card }));
    const titles = await processTitle(tillfront.pid);
    await tillfront.stop();
    const hits = search(
      [
        ...titles,
        ...(await filesBelow(temporary, 'temporary')),
        { kind: 'log', where: 'stdout and stderr', bytes: Buffer.from(tillfront.logs()) },
      ],
      canaries.list,
    );
    const leaked = hits.filter(({ canary }) => canary === 'visa');
    expect(leaked.length).toBeGreaterThan(0);
    expect(leaked.every((hit) => hit.where.endsWith(where))).toBe(true);
    if (way !== 'title') expect(hits.some(({ canary }) => canary === 'pin')).toBe(true);
  });
});

test('each form of a secret is found in the middle of other content', () => {
  const secret = '4532015112830366';
  const before = ['', 'a', 'ab', 'abc'];
  const wrap: Record<string, (text: string) => Buffer> = {
    hex: (text) => Buffer.from(Buffer.from(text).toString('hex')),
    base64: (text) => Buffer.from(Buffer.from(text).toString('base64')),
    base64url: (text) => Buffer.from(Buffer.from(text).toString('base64url')),
    'UTF-16': (text) => Buffer.from(text, 'utf16le'),
    plain: (text) => Buffer.from(text),
    URL: (text) => Buffer.from(encodeURIComponent(text)),
  };
  for (const [name, encode] of Object.entries(wrap)) {
    for (const head of before) {
      const bytes = encode(`${head}${secret}x`);
      expect([name, head, formsOf(secret).some((form) => bytes.includes(form.bytes))]).toEqual([
        name,
        head,
        true,
      ]);
    }
  }
});
