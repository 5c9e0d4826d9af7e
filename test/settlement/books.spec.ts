import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { Sandbox } from '../../sandbox/server.ts';
import { runCli, type Finished } from '../cli/run-cli.js';
import { newReference, TillfrontClient, type PaymentBody } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import type { DifferenceBody, SettlementBody } from './settlement-scene.js';

interface Printed {
  settlement: SettlementBody;
  differences: DifferenceBody[];
}

/** The ways that docs/books.md and docs/scale.md describe, walked with the sandbox's own report. */
describe.each(stores)('on the %s store', (kind) => {
  let sandbox: Sandbox;
  let store: TestStore;
  let restored: TestStore;
  let folder: string;
  let tillfront: Tillfront | undefined;

  beforeEach(async () => {
    sandbox = await startTestSandbox();
    store = await createTestStore(kind);
    restored = await createTestStore(kind);
    folder = await mkdtemp(join(tmpdir(), 'tillfront-books-'));
  });

  afterEach(async () => {
    await tillfront?.stop();
    await sandbox.close();
    await store.dispose();
    await restored.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (on: TestStore): Promise<TillfrontClient> => {
    tillfront = await startTillfront({ store: on, gatewayUrl: sandbox.url });
    return new TillfrontClient(tillfront.url, tillfront.merchantKey);
  };
  const pay = async (client: TillfrontClient, reference = newReference()): Promise<PaymentBody> => {
    const { body } = await client.payCard(await client.createSession({ reference }));
    expect(body.status).toBe('succeeded');
    return body;
  };
  const tillfrontCommand = (...args: string[]): Promise<Finished> =>
    runCli(['settlement', ...args, '--json'], {
      TILLFRONT_URL: tillfront?.url,
      MERCHANT_API_KEY: tillfront?.merchantKey,
    });
  const reportFile = async (plant = ''): Promise<string> => {
    const answer = await fetch(`${sandbox.url}/sandbox/settlement.csv?plant=${plant}`);
    const path = join(folder, `report${plant}.csv`);
    await writeFile(path, await answer.text());
    return path;
  };
  /** Copies a store that no service uses. */
  const backUp = async (from: TestStore, to: TestStore): Promise<void> => {
    if (kind === 'embedded') {
      await cp(from.dataDir, to.dataDir, { recursive: true });
      return;
    }
    const [source, target] = [from, to].map(({ databaseUrl }) =>
      new URL(databaseUrl ?? '').pathname.slice(1),
    );
    const superuser = new URL(from.databaseUrl ?? '');
    superuser.pathname = '/postgres';
    const client = new Client({ connectionString: superuser.href });
    await client.connect();
    await client.query(`DROP DATABASE ${target} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${target} TEMPLATE ${source}`);
    await client.end();
  };

  test('a month’s end agrees with the sandbox’s report, and finds what was planted', async () => {
    const client = await start(store);
    await pay(client);
    await pay(client);
    const agrees = await tillfrontCommand('compare', await reportFile());
    expect([agrees.code, agrees.json<Printed>().differences]).toEqual([0, []]);
    const differs = await tillfrontCommand('compare', await reportFile('amount,unknown,twice'));
    expect(differs.code).toBe(1);
    expect(differs.json<Printed>().settlement.counts).toMatchObject({
      // What the first report has settled whole is settled again, with another amount; the other twice in this one.
      amount_differs: 0,
      settled_twice: 2,
      twice_there: 1,
      unknown_here: 1,
      missing_there: 0,
    });
  });

  test('after an old backup, what the gateway was paid is taken over from its report', async () => {
    const client = await start(store);
    await pay(client);
    await tillfront?.stop();
    await backUp(store, restored);
    const later = await start(store);
    const lost = [await pay(later), await pay(later)];
    await tillfront?.stop();

    const again = await start(restored);
    for (const { reference } of lost) expect(await again.paymentsOf(reference)).toEqual([]);
    const compared = await tillfrontCommand('compare', await reportFile());
    const { settlement } = compared.json<Printed>();
    expect([compared.code, settlement.counts]).toEqual([1, expect.objectContaining({ unknown_here: 2 })]);
    const adopted = await tillfrontCommand('adopt', settlement.id);
    expect(adopted.code).toBe(0);
    for (const { reference, gatewayReference } of lost) {
      expect(await again.paymentsOf(reference)).toMatchObject([
        { gatewayReference, status: 'succeeded', method: 'unknown', needsAttention: false },
      ]);
      const order = { reference, amount: '1500.00', currency: 'NGN' };
      expect((await again.post('/v1/checkout-sessions', order)).status).toBe(409);
    }
    const next = await tillfrontCommand('compare', await reportFile('twice'));
    expect(next.json<Printed>().settlement.counts).toMatchObject({ unknown_here: 0, twice_there: 1 });
  });
});
