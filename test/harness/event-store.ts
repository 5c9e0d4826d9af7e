import { FixedSecret } from '../../src/secrets/secret-source.js';
import { Secret } from '../../src/secrets/secret.js';
import { makeEvent, type NewEvent } from '../../src/merchant-webhooks/event.js';
import type { EventRecord } from '../../src/store/schema.js';
import { Store } from '../../src/store/store.js';
import { decodeRow, events } from '../../src/store/tables.js';
import type { TestStore } from './test-store.js';

/** Opens the store in the test's own process; on PostgreSQL as often as replicas are wanted. */
export async function openStore({ databaseUrl, dataDir }: TestStore): Promise<Store> {
  const store = Store.connect({
    config:
      databaseUrl === undefined
        ? { kind: 'embedded', dataDir }
        : {
            kind: 'postgres',
            url: new Secret(databaseUrl),
            currentUrl: new FixedSecret(databaseUrl),
            dataDir,
          },
    migrate: true,
    identity: { gatewayOrigin: 'https://gateway.example', mode: 'test' },
  });
  await store.prepare();
  return store;
}

/** Writes events as a move of a payment does: in a commit of their own, through the payment writer. */
export async function writeEvents(
  store: Store,
  ...wanted: (Partial<NewEvent> & Pick<NewEvent, 'aggregateId' | 'sequence'>)[]
): Promise<EventRecord[]> {
  const records = wanted.map((event) =>
    makeEvent({
      type: 'payment.succeeded',
      reference: `ORDER-${event.aggregateId}`,
      data: { id: event.aggregateId },
      livemode: false,
      at: Date.now(),
      deliver: true,
      ...event,
    }),
  );
  const reference = records[0]?.reference ?? '';
  await store.writer.write({ reference, createReference: true }, () => ({
    changes: { events: records },
    result: undefined,
  }));
  return records;
}

/** All events as they are stored, in the order of their positions. */
export async function storedEvents(store: Store): Promise<EventRecord[]> {
  const rows = await store.db.selectFrom('events').selectAll().orderBy('position').execute();
  return rows.map((row) => decodeRow(events, row));
}
