import { expect, test } from '@jest/globals';
import { Client } from 'pg';
import { expectStatus, TillfrontClient } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { createEmptyStore } from '../harness/test-store.js';
import { startTillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { startWebhookReceiver } from '../harness/webhook-receiver.js';

/** What a migration of the next version may do, by docs/upgrade.md, while replicas of this one are still running. */
const EXPANSION = `
  do $$ declare t text; begin
    for t in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%' loop
      execute format('alter table %I add column next_text text, add column next_number bigint not null default 0', t);
    end loop;
  end $$;
  create table next_table (id text primary key);
  create index next_index on payments (next_text);
  insert into kysely_migration (name, timestamp) values ('9999-next', now()::text)`;

test('a replica that runs goes on while the next version expands the schema; one that starts refuses', async () => {
  const store = await createEmptyStore('postgres');
  const sandbox = await startTestSandbox();
  const receiver = await startWebhookReceiver();
  const env = {
    MERCHANT_WEBHOOK_URL: receiver.url,
    MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  };
  const running = await startTillfront({ store, gatewayUrl: sandbox.url, env });
  const database = new Client({ connectionString: store.databaseUrl });
  await database.connect();
  try {
    const shop = new TillfrontClient(running.url, running.merchantKey);
    const everything = async (name: string): Promise<void> => {
      const paid = expectStatus(
        await shop.payCard(await shop.createSession({ reference: `${name}-PAID` })),
        201,
      ).body;
      expect(paid.status).toBe('succeeded');
      expectStatus(await shop.payWallet(await shop.createSession({ reference: `${name}-WAITS` })), 201);
      expectStatus(await shop.post(`/v1/payments/${paid.id}/refresh`), 200);
      expectStatus(await shop.post(`/v1/payments/${paid.id}/void`), 200);
      expect((await shop.getPayment(paid.id)).status).toBe('voided');
      expect((await shop.getEvents(paid.id)).length).toBeGreaterThan(3);
      await until(() => receiver.received.some(({ text }) => text.includes(`${name}-PAID`)));
    };
    // Twice, so that every connection has its statements prepared.
    await everything('BEFORE-1');
    await everything('BEFORE-2');
    await database.query(EXPANSION);
    await everything('AFTER-1');
    await everything('AFTER-2');
    expect(running.logs()).not.toMatch(/"level":"(?:error|fatal)"/);
    await expect(startTillfront({ store, gatewayUrl: sandbox.url })).rejects.toThrow(/newer/);
  } finally {
    await database.end();
    await running.stop();
    await receiver.close();
    await sandbox.close();
    await store.dispose();
  }
});
