import { expect, test } from '@jest/globals';
import { Client } from 'pg';
import { StoreUnavailable } from '../../src/store/store-unavailable.js';
import { TcpProxy } from '../chaos/tcp-proxy.js';
import { openStore } from '../harness/event-store.js';
import { paymentRecord } from '../harness/records.js';
import { createTestStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';

/**
 * A process sent a commit and lost its connection, while the database had only begun with it. Whoever writes the reference
 * afterwards has the last word: the lost commit comes to nothing, although nobody holds a lock.
 */
test('a commit whose sender has gone counts for nothing once its reference was written', async () => {
  const place = await createTestStore('postgres');
  const direct = await openStore(place);
  const address = new URL(place.databaseUrl ?? '');
  const proxy = new TcpProxy({ host: address.hostname, port: Number(address.port) });
  await proxy.start();
  address.port = String(proxy.port);
  const sender = await openStore({ ...place, databaseUrl: address.href });
  const holder = new Client({ connectionString: place.databaseUrl });
  await holder.connect();
  try {
    const reference = 'LOST';
    await direct.writer.write({ reference, createReference: true }, (snapshot) => ({
      changes: { reference: snapshot.reference },
      result: undefined,
    }));
    await holder.query('begin');
    // Reading goes on; the statement that writes the payment waits before it has claimed the reference.
    await holder.query('lock table payments in share mode');
    const payment = paymentRecord({
      id: 'pay_lost',
      reference,
      gatewayReference: 'LOST_1',
      timelineSequence: 0,
    });
    const lost = sender.writer.write({ reference, paymentId: payment.id }, (snapshot) => ({
      changes: { reference: { ...snapshot.reference, attempts: 1 }, payment },
      result: undefined,
    }));
    const outcome = lost.catch((error: unknown) => error);
    const waiting = async (): Promise<number> => {
      const { rows } = await holder.query<{ count: number }>(
        `select count(*)::int as count from pg_locks where not granted and relation = 'payments'::regclass`,
      );
      return rows[0]?.count ?? 0;
    };
    /** Statements that write a batch and have not ended. */
    const saving = async (): Promise<number> => {
      const { rows } = await holder.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and state = 'active' and query like 'with claimed%'`,
      );
      return rows[0]?.count ?? 0;
    };
    await until(async () => (await waiting()) === 1);
    expect(await saving()).toBe(1);
    proxy.cut();
    expect(await outcome).toBeInstanceOf(StoreUnavailable);
    // The database has not noticed, and goes on with it as soon as it can.
    expect(await waiting()).toBe(1);

    const found = await direct.writer.write({ reference, paymentId: payment.id }, (snapshot) => ({
      changes: { reference: snapshot.reference },
      result: snapshot.payment,
    }));
    expect(found).toBeUndefined();
    await holder.query('commit');
    await until(async () => (await saving()) === 0);
    const after = await direct.writer.write({ reference, paymentId: payment.id }, (snapshot) => ({
      changes: {},
      result: [snapshot.payment, snapshot.reference.attempts],
    }));
    expect(after).toEqual([undefined, 0]);
  } finally {
    await holder.end();
    await sender.close();
    await proxy.stop();
    await direct.close();
    await place.dispose();
  }
});
