import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { sql } from 'kysely';
import { openStore, storedEvents, writeEvents } from '../../test/harness/event-store.js';
import { createTestStore, type TestStore } from '../../test/harness/test-store.js';
import { until } from '../../test/harness/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/harness/webhook-receiver.js';
import { ConfigModule } from '../config/config.module.js';
import { readConfig } from '../config/read-config.js';
import { ProblemFilter } from '../http/problem-reply.js';
import { HttpEdge } from '../http/server.js';
import { DeliveryWorker } from '../merchant-webhooks/delivery-worker.js';
import { DtoValidationPipe } from '../http/check.js';
import { EPOCH } from '../store/history/epoch.js';
import type { Store } from '../store/store.js';
import { AuthModule } from '../auth/auth.module.js';
import { StoreModule } from '../store/store.module.js';
import { createLogger } from '../telemetry/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { Tracing } from '../telemetry/traces.js';
import type { EventDto, EventListDto } from './events.dto.js';
import { AuditModule } from '../audit/audit.module.js';
import { Sequencer } from '../merchant-webhooks/sequencer.js';
import { EventsModule } from './events.module.js';

const KEY = 'merchant-key-0123456789abcdef';
const READ_KEY = 'merchant-read-key-0123456789abcdef';

let place: TestStore;
let shop: WebhookReceiver;
let store: Store;
let app: NestFastifyApplication | undefined;

beforeEach(async () => {
  place = await createTestStore('embedded');
  shop = await startWebhookReceiver();
  store = await openStore(place);
});

afterEach(async () => {
  await app?.close();
  // What runs by itself is ended by the whole application's list, of which this is the part that is here.
  for (const part of [Sequencer, DeliveryWorker])
    await app?.get<{ stop: () => unknown }>(part, { strict: false }).stop();
  app = undefined;
  await store.close();
  await shop.close();
  await place.dispose();
});

@Module({})
class TestApp {}

/** The whole of it as the application has it, with a store that the test looks into. */
async function start(env: Record<string, string> = { MERCHANT_WEBHOOK_URL: shop.url }): Promise<void> {
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: place.dataDir,
    GATEWAY_BASE_URL: 'https://gateway.example',
    GATEWAY_API_KEY: 'key',
    GATEWAY_ACCESS_TOKEN: 'token',
    MERCHANT_API_KEY: KEY,
    MERCHANT_READ_API_KEY: READ_KEY,
    MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    ...env,
  }).complete();
  const telemetry = {
    logger: createLogger({ logLevel: 'silent' }, { write: () => undefined }),
    metrics: new Metrics(),
    tracing: new Tracing(),
  };
  app = await NestFactory.create<NestFastifyApplication>(
    {
      module: TestApp,
      imports: [
        ConfigModule.forRoot(config),
        TelemetryModule.forRoot(telemetry),
        StoreModule.forRoot(store),
        AuditModule,
        AuthModule,
        EventsModule,
      ],
    },
    new HttpEdge(config),
    { bodyParser: false, logger: false },
  );
  app.useGlobalPipes(new DtoValidationPipe());
  app.useGlobalFilters(new ProblemFilter());
  await app.listen(0, '127.0.0.1');
}

async function call<T>(
  method: 'GET' | 'POST',
  path: string,
  key?: string,
): Promise<{ status: number; body: T }> {
  const response = await fetch(`${await app?.getUrl()}${path}`, {
    method,
    headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }) },
  });
  return { status: response.status, body: (await response.json()) as T };
}

const list = async (query = '') => (await call<EventListDto>('GET', `/v1/events${query}`, KEY)).body;

async function written(count: number): Promise<string[]> {
  for (let n = 1; n <= count; n++) await writeEvents(store, { aggregateId: `pay_${n}`, sequence: 1 });
  await until(async () => (await storedEvents(store)).every((event) => event.position !== null));
  return (await storedEvents(store)).map((event) => event.id);
}

describe('the list of events', () => {
  test('shows each as it was delivered, and how that went', async () => {
    await start();
    await writeEvents(store, {
      aggregateId: 'pay_1',
      sequence: 1,
      late: true,
      data: { id: 'pay_1', status: 'x' },
    });
    await until(async () => (await storedEvents(store))[0]?.deliveryStatus === 'delivered');
    const { data } = await list();
    expect(data).toEqual([
      {
        ...shop.received[0]?.json,
        delivery: { status: 'delivered', attempts: 1, nextAttemptAt: null, lastResult: 'http_200' },
      },
    ]);
    expect(data[0]).toMatchObject({ apiVersion: 'v1', livemode: false, late: true, sequence: 1 });
  });

  test('is read on page by page, without gaps', async () => {
    await start();
    const ids = await written(7);
    const seen: string[] = [];
    let after = '';
    for (;;) {
      const page = await list(`?limit=3${after}`);
      seen.push(...page.data.map((event) => event.id));
      if (page.nextCursor === null) break;
      expect(page.nextCursor).toBe(seen.at(-1));
      after = `&after=${page.nextCursor}`;
    }
    expect(seen).toEqual(ids);
  });

  test('can be of one payment only', async () => {
    await start();
    const ids = await written(3);
    expect((await list('?paymentId=pay_2')).data.map((event) => event.id)).toEqual([ids[1]]);
    expect(await list(`?paymentId=pay_2&after=${ids[1]}`)).toEqual({ data: [], nextCursor: null });
    expect((await list('?paymentId=pay_9')).data).toEqual([]);
  });

  test('has 50 events unless asked for another number', async () => {
    await start();
    await written(52);
    expect((await list()).data).toHaveLength(50);
    expect((await list('?limit=100')).data).toHaveLength(52);
  });

  test.each([
    ['?limit=0'],
    ['?limit=101'],
    ['?limit=ten'],
    ['?limit=1&limit=2'],
    ['?after='],
    ['?paymentId='],
    ['?before=evt_1'],
  ])('refuses %s', async (query) => {
    await start();
    const { status, body } = await call<{ code: string }>('GET', `/v1/events${query}`, KEY);
    expect([status, body.code]).toEqual([400, 'validation-failed']);
  });

  test('knows no event after an unknown one', async () => {
    await start();
    const ask = () => call<{ code: string; detail: string }>('GET', '/v1/events?after=evt_unknown', KEY);
    const { status, body } = await ask();
    expect([status, body.code]).toEqual([404, 'not-found']);
    expect(body.detail).toMatch(/its id is wrong, or it was removed .* Ask again .* without after/);
  });

  test('says after an accepted loss that the event may be lost, and what to ask for instead', async () => {
    await sql`insert into meta (name, value) values (${EPOCH}, '1 1000')`.execute(store.db);
    await store.close();
    store = await openStore(place);
    await start();
    const lost = await call<{ code: string; detail: string }>('GET', '/v1/events?after=evt_unknown', KEY);
    expect([lost.status, lost.body.code]).toEqual([404, 'not-found']);
    expect(lost.body.detail).toMatch(
      /the database has lost it, .* Ask again .* skip the events whose id you have/,
    );
  });
});

describe('redelivering', () => {
  test('sends the event again under its id', async () => {
    await start();
    const [id = ''] = await written(1);
    await until(() => shop.received.length === 1);
    await until(async () => (await storedEvents(store))[0]?.deliveryStatus === 'delivered');
    const { status, body } = await call<EventDto>('POST', `/v1/events/${id}/redeliver`, KEY);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, delivery: { status: 'pending', attempts: 0 } });
    await until(() => shop.received.length === 2);
    const [first, second] = shop.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.text).toBe(first?.text);
  });

  test('sends what was written while there was no address', async () => {
    await start();
    const [{ id } = { id: '' }] = await writeEvents(store, {
      aggregateId: 'pay_1',
      sequence: 1,
      deliver: false,
    });
    await until(async () => (await list()).data.length === 1);
    expect((await list()).data[0]?.delivery).toEqual({
      status: 'none',
      attempts: 0,
      nextAttemptAt: null,
      lastResult: null,
    });
    await call('POST', `/v1/events/${id}/redeliver`, KEY);
    await until(() => shop.received.length === 1);
  });

  test('needs an address, and an event', async () => {
    await start({});
    const [id = ''] = await written(1);
    const answers = await Promise.all(
      [id, 'evt_unknown'].map((event) =>
        call<{ code: string }>('POST', `/v1/events/${event}/redeliver`, KEY),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'invalid-state'],
      [404, 'not-found'],
    ]);
  });
});

test.each([
  ['GET', '/v1/events', undefined, 401],
  ['GET', '/v1/events', READ_KEY, 200],
  ['POST', '/v1/events/evt_1/redeliver', undefined, 401],
  ['POST', '/v1/events/evt_1/redeliver', READ_KEY, 403],
  ['POST', '/v1/events/evt_1/redeliver', KEY, 404],
] as const)('%s %s with the key %s: %i', async (method, path, key, expected) => {
  await start();
  expect((await call(method, path, key)).status).toBe(expected);
});

test('whoever stops delivering lets the delivery under way end first', async () => {
  await start();
  shop.answerWith({ status: 200, afterMs: 500 });
  await writeEvents(store, { aggregateId: 'pay_1', sequence: 1 });
  await until(() => shop.received.length === 1);
  await app?.get(DeliveryWorker, { strict: false }).stop();
  expect((await storedEvents(store))[0]?.deliveryStatus).toBe('delivered');
});
