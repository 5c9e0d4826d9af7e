import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import { paymentRecord } from '../../../test/harness/records.js';
import { createTestStore, type TestStore } from '../../../test/harness/test-store.js';
import { PostgresClock } from '../clock/postgres-clock.js';
import { PostgresHistory } from '../history/postgres-history.js';
import { WitnessFile } from '../history/witness-file.js';
import { PaymentWriter } from '../payment-writer.js';
import { Batches } from '../batch.js';
import { PostgresConnections } from './connections.js';
import { PostgresDriver } from './session.js';

let place: TestStore;

beforeAll(async () => {
  place = await createTestStore('postgres');
});
afterAll(() => place.dispose());

/** What a batch sends, each statement with how many before it had no answer yet. */
interface Sent {
  text: string;
  unanswered: number;
}

function watched(client: PoolClient, sent: Sent[]): PoolClient {
  let unanswered = 0;
  const query = client.query.bind(client) as (asked: string | { text: string }) => Promise<unknown>;
  const watching = async (asked: string | { text: string }): Promise<unknown> => {
    sent.push({ text: typeof asked === 'string' ? asked : asked.text, unanswered });
    unanswered += 1;
    try {
      return await query(asked);
    } finally {
      unanswered -= 1;
    }
  };
  return new Proxy(client, {
    get: (target, name) => (name === 'query' ? watching : (Reflect.get(target, name, target) as unknown)),
  });
}

test.each([
  ['a server itself gets what follows a transaction with its end', false, 1],
  ['behind a pooler nothing follows the end of a transaction before its answer', true, 0],
])('%s', async (_, pooler, beforeSave) => {
  const history = new PostgresHistory('own_1', new WitnessFile(place.dataDir));
  const connections = new PostgresConnections({
    url: () => place.databaseUrl ?? '',
    pooler,
    history,
  });
  const sent: Sent[] = [];
  const pool = { connect: async () => watched(await connections.connect(), sent) };
  const clock = new PostgresClock(connections, pooler ? history : undefined);
  const writer = new PaymentWriter(new Batches(new PostgresDriver(pool, { clock, history, pooler })));
  const reference = `BATCH-${String(pooler)}`;
  const payment = paymentRecord({ id: `pay_${reference}`, reference, gatewayReference: `${reference}_1` });
  const look = { reference, createReference: true, paymentId: payment.id };
  await writer.write(look, () => ({ changes: { payment }, result: undefined }));
  const again = await writer.write(look, (snapshot) => ({ changes: {}, result: snapshot.payment?.id }));
  expect(again).toBe(payment.id);
  const commits = sent.filter(({ text }) => text === 'commit');
  expect(commits.length).toBe(2);
  const save = sent.find(({ text }) => text.startsWith('with '));
  expect(save?.unanswered).toBe(beforeSave);
  await connections.end();
});
