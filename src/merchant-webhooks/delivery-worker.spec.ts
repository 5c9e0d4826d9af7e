import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { openStore, placeBatchOf, storedEvents, writeEvents } from '../../test/harness/event-store.js';
import { createTestStore, stores, type TestStore } from '../../test/harness/test-store.js';
import { until } from '../../test/harness/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/harness/webhook-receiver.js';
import { NamedKeys } from '../secrets/named-keys.js';
import { Secret } from '../secrets/secret.js';
import { gatewayConfig } from '../../test/harness/gateway-inputs.js';
import type { EventRecord } from '../store/schema.js';
import type { Store } from '../store/store.js';
import { createLogger } from '../telemetry/logger.js';
import { DeliveryTelemetry } from './delivery-telemetry.js';
import { DeliveryWorker, type DeliveryLanes } from './delivery-worker.js';
import { eventBody } from './event.js';
import { EventsRepository } from './events.repository.js';
import { Sequencer } from './sequencer.js';
import { ATTEMPT_TIMEOUT_MS } from './webhook-sender.js';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const HOUR = 3_600_000;

let place: TestStore;
let shop: WebhookReceiver;
let lines: string[];
let running: Replica[];

interface Replica {
  store: Store;
  worker: DeliveryWorker;
  sequencer: Sequencer;
}

beforeEach(async () => {
  shop = await startWebhookReceiver();
  lines = [];
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((replica) => end(replica)));
  await shop.close();
  await place.dispose();
});

async function replica(
  options: { url?: string | undefined; lanes?: DeliveryLanes; leaseMs?: number } = {},
): Promise<Replica> {
  const store = await openStore(place);
  const logger = createLogger({ logLevel: 'info' }, { write: (line: string) => void lines.push(line) });
  const telemetry = new DeliveryTelemetry(logger);
  const sequencer = new Sequencer(store, telemetry);
  const url = 'url' in options ? options.url : shop.url;
  const worker = new DeliveryWorker({
    store,
    repository: new EventsRepository(store),
    sequencer,
    telemetry,
    config: {
      http: {
        port: 0,
        host: '',
        publicBaseUrl: '',
        trustProxy: false,
        allowedOrigins: [],
        allowedReturnOrigins: [],
        rateLimitPerMinute: 0,
        shutdownGraceMs: 10_000,
      },
      gateway: gatewayConfig('http://127.0.0.1:9'),
      merchant: {
        apiKeys: new NamedKeys(undefined),
        readApiKeys: new NamedKeys(undefined),
        booksApiKeys: new NamedKeys(undefined),
        ...(url !== undefined && { webhookUrl: url }),
        webhookSecrets: new Secret([secret]),
      },
    },
    ...(options.lanes && { lanes: options.lanes }),
    ...(options.leaseMs !== undefined && { leaseMs: options.leaseMs }),
  });
  const made = { store, worker, sequencer };
  running.push(made);
  return made;
}

function start({ worker, sequencer }: Replica): void {
  sequencer.start();
  worker.start();
}

async function end({ store, worker, sequencer }: Replica, graceMs = 0): Promise<void> {
  running = running.filter((other) => other.store !== store);
  await worker.stop(graceMs);
  await sequencer.stop();
  await store.close();
}

async function started(options?: Parameters<typeof replica>[0]): Promise<Replica> {
  const made = await replica(options);
  start(made);
  return made;
}

const nameOf = (event: EventRecord) => `${event.aggregateId}:${event.sequence}`;

/** What the shop got, as `payment:sequence`, of all payments or of one. */
function got(aggregateId?: string): string[] {
  return shop.received
    .map(({ json }) => ({ aggregateId: (json.data as { id: string }).id, sequence: json.sequence }))
    .filter((event) => aggregateId === undefined || event.aggregateId === aggregateId)
    .map((event) => `${event.aggregateId}:${event.sequence}`);
}

async function statuses(store: Store): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await storedEvents(store)).map((event) => [nameOf(event), event.deliveryStatus]),
  );
}

const log = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

describe.each(stores)('on the %s store', (kind) => {
  beforeEach(async () => {
    place = await createTestStore(kind);
  });

  test('an event arrives soon after its commit, verifies, and counts as delivered', async () => {
    const { store } = await started();
    const [event] = await writeEvents(store, { aggregateId: 'pay_a', sequence: 1 });
    await until(() => shop.received.length === 1);
    const [request] = shop.received;
    expect(request?.text).toBe(event && eventBody(event));
    expect(() => new Webhook(secret).verify(request?.text ?? '', request?.headers ?? {})).not.toThrow();
    await until(async () => (await storedEvents(store))[0]?.deliveryStatus === 'delivered');
    expect((await storedEvents(store))[0]).toMatchObject({
      attempts: 1,
      lastResult: 'http_200',
      nextAttemptAt: null,
      leaseOwner: null,
    });
    expect(log()).toEqual([
      expect.objectContaining({
        level: 'info',
        event: 'webhook.delivered',
        eventId: event?.id,
        origin: new URL(shop.url).origin,
        reason: 'http_200',
        attempts: 1,
      }),
    ]);
    expect(lines.join()).not.toMatch(/hooks|of=tillfront|whsec_|ORDER/);
  });

  test('events of one payment arrive in order, those of others beside them', async () => {
    const setup = await replica();
    const { store } = setup;
    shop.answerWith({ status: 200, afterMs: 30 });
    for (let sequence = 1; sequence <= 4; sequence++) {
      for (let payment = 1; payment <= 12; payment++) {
        await writeEvents(store, { aggregateId: `pay_${payment}`, sequence });
      }
      // Not before many wait: on a machine that writes slowly none would ever be beside another.
      if (sequence === 1) start(setup);
    }
    await until(() => shop.received.length >= 48);
    for (let payment = 1; payment <= 12; payment++) {
      const id = `pay_${payment}`;
      expect(got(id)).toEqual([1, 2, 3, 4].map((sequence) => `${id}:${sequence}`));
    }
    expect(shop.received).toHaveLength(48);
    expect(shop.mostAtOnce).toBeGreaterThan(4);
  });

  test('a failed one is sent again under the same id after about a second; what follows waits for it', async () => {
    const { store } = await started();
    let failures = 1;
    shop.answerWith(() => ({ status: failures-- > 0 ? 503 : 200 }));
    await writeEvents(store, { aggregateId: 'pay_a', sequence: 1 }, { aggregateId: 'pay_a', sequence: 2 });
    await until(() => shop.received.length === 3);
    expect(got()).toEqual(['pay_a:1', 'pay_a:1', 'pay_a:2']);
    const [first, second] = shop.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.text).toBe(first?.text);
    const wait = (second?.at ?? 0) - (first?.at ?? 0);
    expect(wait).toBeGreaterThanOrEqual(780);
    // The wait after the next failure is five times as long.
    expect(wait).toBeLessThan(4_000);
    expect(log()[0]).toMatchObject({ level: 'warn', event: 'webhook.failed', result: 'http_503' });
    await until(async () => Object.values(await statuses(store)).every((status) => status === 'delivered'));
    expect((await storedEvents(store))[0]?.attempts).toBe(2);
  });

  test('410 ends that event only', async () => {
    const { store } = await started();
    shop.answerWith(({ json }) => ({ status: json.sequence === 1 ? 410 : 200 }));
    await writeEvents(store, { aggregateId: 'pay_a', sequence: 1 }, { aggregateId: 'pay_a', sequence: 2 });
    await until(async () => (await statuses(store))['pay_a:2'] === 'delivered');
    expect(await statuses(store)).toEqual({ 'pay_a:1': 'gone', 'pay_a:2': 'delivered' });
    expect(got()).toEqual(['pay_a:1', 'pay_a:2']);
  });

  test('an event that failed for 72 h is given up, and what follows goes on', async () => {
    const setup = await replica();
    const { store } = setup;
    await writeEvents(store, { aggregateId: 'pay_a', sequence: 1 }, { aggregateId: 'pay_a', sequence: 2 });
    await store.db
      .updateTable('events')
      .set({ first_attempt_at: Date.now() - 72 * HOUR, attempts: 77 })
      .where('sequence', '=', 1)
      .execute();
    shop.answerWith(({ json }) => (json.sequence === 1 ? 'reset' : { status: 200 }));
    start(setup);
    await until(async () => (await statuses(store))['pay_a:2'] === 'delivered');
    expect(await statuses(store)).toEqual({ 'pay_a:1': 'given_up', 'pay_a:2': 'delivered' });
    expect(log()[0]).toMatchObject({ level: 'warn', event: 'webhook.given_up', result: 'no_answer' });
  });

  test('payments that the shop hangs on do not hold up the others', async () => {
    const { store } = await started({ lanes: { prompt: 4, total: 24, slowAfterMs: 100 } });
    shop.answerWith((request) =>
      got().length && idOf(request).startsWith('pay_slow') ? 'hang' : { status: 200 },
    );
    for (let n = 0; n < 16; n++) await writeEvents(store, { aggregateId: `pay_slow_${n}`, sequence: 1 });
    await until(() => shop.received.length === 16);
    const written = Date.now();
    for (let n = 0; n < 20; n++) await writeEvents(store, { aggregateId: `pay_quick_${n}`, sequence: 1 });
    await until(() => shop.received.length === 36);
    // Before the first of those that hang is given up.
    expect(Date.now() - written).toBeLessThan(ATTEMPT_TIMEOUT_MS - 2_000);
    // Never more at once than the lanes have room for.
    expect(shop.mostAtOnce).toBeLessThanOrEqual(24);
  });

  test('what a crashed process had in its hands is sent again', async () => {
    const setup = await replica({ leaseMs: 2_000 });
    const { store } = setup;
    await writeEvents(store, { aggregateId: 'pay_a', sequence: 1 }, { aggregateId: 'pay_a', sequence: 2 });
    const [written] = await storedEvents(store);
    if (written) await placeBatchOf(store, written, 1);
    const claimedAt = performance.now();
    const now = store.clock.now() + 1;
    // By the clock, one ended long ago and the other lasts for a day: neither is a sign of life, or of death.
    const leaseEnds = kind === 'embedded' ? now + 24 * HOUR : now - 24 * HOUR;
    expect(await new EventsRepository(store).claim('own_dead', now, leaseEnds, 1)).toHaveLength(1);
    start(setup);
    await until(() => shop.received.length === 2);
    expect(got()).toEqual(['pay_a:1', 'pay_a:2']);
    // Where another process could still be at it, its lease was waited for.
    if (kind === 'postgres') expect(performance.now() - claimedAt).toBeGreaterThanOrEqual(2_000);
  });

  test('stopping lets an attempt end and records it', async () => {
    const first = await started();
    shop.answerWith({ status: 200, afterMs: 1_500 });
    await writeEvents(
      first.store,
      { aggregateId: 'pay_a', sequence: 1 },
      { aggregateId: 'pay_a', sequence: 2 },
    );
    await until(() => shop.received.length === 1);
    await end(first, 5_000);
    const { store } = await replica();
    expect(await statuses(store)).toEqual({ 'pay_a:1': 'delivered', 'pay_a:2': 'pending' });
  });

  test('stopping interrupts an attempt that takes too long, and the next process makes it at once', async () => {
    const first = await started();
    shop.answerWith('hang');
    await writeEvents(first.store, { aggregateId: 'pay_a', sequence: 1 });
    await until(() => shop.received.length === 1);
    const began = Date.now();
    await end(first, 100);
    // Far sooner than the attempt itself would have ended.
    expect(Date.now() - began).toBeLessThan(ATTEMPT_TIMEOUT_MS / 2);
    shop.answerWith({ status: 200 });
    await started();
    await until(() => shop.received.length === 2);
  });

  test('without an address nothing is sent, and events keep', async () => {
    const { store, worker } = await started({ url: undefined });
    expect(worker.enabled).toBe(false);
    await writeEvents(store, { aggregateId: 'pay_a', sequence: 1 });
    await until(async () => (await storedEvents(store))[0]?.position === 1);
    expect(await statuses(store)).toEqual({ 'pay_a:1': 'pending' });
  });

  test('while the store fails, what was delivered is kept in mind and not sent again', async () => {
    const { store } = await started();
    shop.answerWith({ status: 200, afterMs: 1_000 });
    await writeEvents(store, { aggregateId: 'pay_a', sequence: 1 });
    await until(() => shop.received.length === 1);
    await store.db.schema.alterTable('events').renameTo('elsewhere').execute();
    await until(() => lines.some((line) => line.includes('webhook.delivering_failed')));
    await store.db.schema.alterTable('elsewhere').renameTo('events').execute();
    await until(async () => (await statuses(store))['pay_a:1'] === 'delivered');
    expect(shop.received).toHaveLength(1);
  });

  test('thousands of waiting events of failing payments do not stand before a new one', async () => {
    const setup = await replica();
    const { store } = setup;
    const later = Date.now() + HOUR;
    const bad = Array.from({ length: 50 }, (_, n) => `pay_bad_${n}`);
    for (const aggregateId of bad) {
      await writeEvents(store, ...Array.from({ length: 40 }, (_, n) => ({ aggregateId, sequence: n + 1 })));
    }
    await store.db
      .updateTable('events')
      .set({ attempts: 7, first_attempt_at: Date.now(), next_attempt_at: later })
      .where('sequence', '=', 1)
      .execute();
    shop.answerWith((request) => ({ status: idOf(request) === 'pay_good' ? 200 : 503 }));
    start(setup);
    await writeEvents(store, { aggregateId: 'pay_good', sequence: 1 });
    await until(async () => (await statuses(store))['pay_good:1'] === 'delivered');
    expect(got()[0]).toBe('pay_good:1');
    await until(async () => !(await new EventsRepository(store).outlook(Date.now())).due);
    // Its success has brought two payments forward, and no success has followed.
    expect(got().length).toBeLessThanOrEqual(3);
  });

  test('at the first success all that wait come at once, in order within each payment', async () => {
    const setup = await replica();
    const { store } = setup;
    const names = Array.from({ length: 30 }, (_, n) => `pay_${n}`);
    for (const aggregateId of names)
      await writeEvents(store, ...[1, 2, 3].map((sequence) => ({ aggregateId, sequence })));
    await store.db
      .updateTable('events')
      .set({ attempts: 7, first_attempt_at: Date.now(), next_attempt_at: Date.now() + HOUR })
      .execute();
    start(setup);
    await writeEvents(store, { aggregateId: 'pay_new', sequence: 1 });
    await until(() => shop.received.length === 91);
    expect(got()[0]).toBe('pay_new:1');
    for (const name of names) expect(got(name)).toEqual([1, 2, 3].map((sequence) => `${name}:${sequence}`));
  });
});

function idOf(request: { json: { data: unknown } }): string {
  return (request.json.data as { id: string }).id;
}

describe('with replicas', () => {
  beforeEach(async () => {
    place = await createTestStore('postgres');
  });

  test('each event is sent once, by either of them, in order within its payment', async () => {
    const replicas = [await started(), await started()];
    shop.answerWith({ status: 200, afterMs: 10 });
    await Promise.all(
      replicas.map(async ({ store }, of) => {
        for (let n = 0; n < 40; n++) {
          for (let sequence = 1; sequence <= 3; sequence++) {
            await writeEvents(store, { aggregateId: `pay_${of}_${n}`, sequence });
          }
        }
      }),
    );
    await until(() => shop.received.length >= 240, 60_000);
    // What counts as delivered is not sent again: only now can it be seen that nothing was sent twice.
    const [{ store: reader }] = replicas as [Replica, Replica];
    await until(async () => Object.values(await statuses(reader)).every((status) => status === 'delivered'));
    expect(shop.received).toHaveLength(240);
    for (let of = 0; of < 2; of++) {
      for (let n = 0; n < 40; n++) {
        const id = `pay_${of}_${n}`;
        expect(got(id)).toEqual([1, 2, 3].map((sequence) => `${id}:${sequence}`));
      }
    }
    expect(lines.filter((line) => !line.includes('webhook.delivered'))).toEqual([]);
  });

  test('an event of a replica that died is delivered by another within seconds', async () => {
    await started();
    const dying = await replica();
    await writeEvents(dying.store, { aggregateId: 'pay_a', sequence: 1 });
    await until(() => shop.received.length === 1);
  });
});
