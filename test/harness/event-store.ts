import { Secret } from '../../src/secrets/secret.js';
import { makeEvent, type NewEvent } from '../../src/merchant-webhooks/event.js';
import { decodeRow } from '../../src/store/table.js';
import { type EventRecord, events } from '../../src/store/schema.js';
import { Store } from '../../src/store/store.js';
import type { TestStore } from './test-store.js';

/** Opens the store in the test's own process. On PostgreSQL it can be opened once for each replica. */
export async function openStore({ databaseUrl, dataDir }: TestStore): Promise<Store> {
  const store = Store.connect({
    config:
      databaseUrl === undefined
        ? { kind: 'embedded', dataDir }
        : {
            kind: 'postgres',
            url: new Secret(databaseUrl),
            currentUrl: () => databaseUrl,
            dataDir,
          },
    migrate: true,
    identity: { gatewayOrigin: 'https://gateway.example', mode: 'test' },
  });
  await store.prepare();
  return store;
}

/** Writes events in a commit of their own, through the payment writer, as a change of a payment does. */
export async function writeEvents(
  store: Store,
  ...wanted: (Partial<NewEvent> & Pick<NewEvent, 'aggregateId' | 'sequence'>)[]
): Promise<EventRecord[]> {
  const records = wanted.map((event) =>
    makeEvent({
      type: 'payment.succeeded',
      data: { id: event.aggregateId },
      livemode: false,
      at: Date.now(),
      epoch: 0,
      deliver: true,
      ...event,
    }),
  );
  const reference = `ORDER-${records[0]?.aggregateId}`;
  await store.writer.write({ reference, createReference: true }, () => ({
    changes: { events: records },
    result: undefined,
  }));
  return records;
}

/** An event with the position of its batch in the one order; null where it has none yet. */
export type StoredEvent = EventRecord & { position: number | null };

/** All stored events, in their order. */
export async function storedEvents(store: Store): Promise<StoredEvent[]> {
  const rows = await store.db
    .selectFrom('events')
    .innerJoin('event_batches', 'event_batches.id', 'events.batch')
    .selectAll('events')
    .select('event_batches.position')
    .orderBy('event_batches.position')
    .orderBy('events.batch')
    .orderBy('events.ordinal')
    .execute();
  return rows.map((row) => ({ ...decodeRow(events, row), position: row.position }));
}

/** Gives an event's batch this position, or takes it away: as it stands between the commit and the sequencer's look. */
export async function placeBatchOf(
  store: Store,
  { batch }: EventRecord,
  position: number | null,
): Promise<void> {
  await store.db
    .updateTable('event_batches')
    .set({ position })
    .where('id', '=', batch ?? 0)
    .execute();
}
