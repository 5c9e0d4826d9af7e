import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newReference, TillfrontClient, type PaymentBody } from '../harness/client.js';
import { answer, approved } from '../harness/gateway-answers.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { createTestStore, anyStore, type TestStore } from '../harness/test-store.js';
import { startTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';
import {
  report,
  reportRow,
  says,
  type DifferenceBody,
  type SettlementBody,
} from '../settlement/settlement-scene.js';
import { runCli } from './run-cli.js';

interface Printed {
  settlement: SettlementBody;
  differences: DifferenceBody[];
}

describe.each(anyStore)('tillfront settlement, on the %s store', (kind) => {
  let gateway: MisbehavingGateway;
  let store: TestStore;
  let tillfront: Tillfront;
  let folder: string;
  let paid: PaymentBody;
  let env: Record<string, string>;

  beforeAll(async () => {
    gateway = await startMisbehavingGateway();
    store = await createTestStore(kind);
    const bound = { APPROVAL_ABOVE: 'NGN:100000.00' };
    tillfront = await startTillfront({ store, gatewayUrl: gateway.url, env: bound });
    folder = await mkdtemp(join(tmpdir(), 'tillfront-settlement-'));
    gateway.script('POST /payment/card', answer(approved));
    const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
    paid = (await client.payCard(await client.createSession({ reference: newReference() }))).body;
    env = {
      PORT: String(tillfront.port),
      DATA_DIR: store.dataDir,
      ...(store.databaseUrl !== undefined && { DATABASE_URL: store.databaseUrl }),
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_API_KEY: testKeys.apiKey,
      GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
      MERCHANT_API_KEY: testKeys.merchant,
    };
  });

  beforeEach(() => {
    says(gateway, new Map());
  });

  afterAll(async () => {
    await tillfront.stop();
    await gateway.close();
    await store.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const file = async (text: string): Promise<string> => {
    const path = join(folder, `${newReference()}.csv`);
    await writeFile(path, text);
    return path;
  };

  test('ends with 0 where nothing differs, with 1 where something does', async () => {
    const agrees = await runCli(
      ['settlement', 'compare', await file(report(reportRow(paid.gatewayReference))), '--json'],
      env,
    );
    expect([agrees.code, agrees.json<Printed>().differences]).toEqual([0, []]);
    const unknown = `${newReference()}_1`;
    const differs = await file(report(reportRow(unknown)));
    const orders = await file(`reference,amount,currency,status\n${paid.reference},1500.00,NGN,paid\n`);
    const compared = await runCli(['settlement', 'compare', differs, '--orders', orders], env);
    expect(compared.code).toBe(1);
    expect(compared.stdout).toMatch(/Differences\s+1 unknown_here/);
    expect(compared.stdout).toContain(unknown);
    const list = await runCli(['settlement', 'list', '--json', '--limit', '1'], env);
    const [{ id } = { id: '' }] = list.json<{ data: SettlementBody[] }>().data;
    const shown = await runCli(['settlement', 'show', id, '--kind', 'unknown_here', '--json'], env);
    expect(shown.json<Printed>().differences).toMatchObject([{ row: 2, reference: unknown }]);
    const adopted = await runCli(['settlement', 'adopt', id], env);
    expect([adopted.code, adopted.stdout]).toEqual([
      0,
      expect.stringContaining('1 confirmed by the gateway.'),
    ]);
  });

  test('ends with 1 and says so where a row waits for another person', async () => {
    const csv = report(reportRow(`${newReference()}_1`, { amount: '200000.00' }));
    const compared = await runCli(['settlement', 'compare', await file(csv), '--json'], env);
    const { id } = compared.json<Printed>().settlement;
    const adopted = await runCli(['settlement', 'adopt', id], env);
    expect([adopted.code, adopted.stdout]).toEqual([
      1,
      expect.stringMatching(/wait until another person approves them.* \(apr_/),
    ]);
  });

  test('ends with 4 for a faulty file, a missing one and one of nothing', async () => {
    const bad = reportRow('A_1', { amount: 'x' });
    const faulty = await runCli(['settlement', 'compare', await file(report(bad, bad))], env);
    expect(faulty.code).toBe(4);
    expect(faulty.stderr).toContain('line 2, column amount');
    expect((await runCli(['settlement', 'compare', join(folder, 'none.csv')], env)).code).toBe(4);
    expect((await runCli(['settlement', 'show', 'stl_none'], env)).code).toBe(4);
  });

  test('opens the store where no service runs', async () => {
    await tillfront.stop();
    const unknown = newReference();
    const path = await file(report(reportRow(paid.gatewayReference), reportRow(`${unknown}_1`)));
    const orders = await file('reference,amount,currency,status\n');
    const compared = await runCli(['settlement', 'compare', path, '--orders', orders, '--json'], env);
    expect(compared.code).toBe(1);
    expect(compared.json<Printed>().settlement).toMatchObject({
      rows: 2,
      actor: expect.stringMatching(/^cli:/),
    });
    const found = compared.json<Printed>().differences;
    expect(found).toContainEqual(expect.objectContaining({ kind: 'unknown_here', row: 3 }));
    expect(found).toContainEqual(expect.objectContaining({ kind: 'order_unknown', paymentId: paid.id }));
    const again = await runCli(['settlement', 'compare', path, '--json'], env);
    expect(again.json<Printed>().settlement.id).toBe(compared.json<Printed>().settlement.id);
    const faulty = await runCli(['settlement', 'compare', await file('x')], env);
    expect([faulty.code, faulty.stderr]).toEqual([4, expect.stringContaining('line 1, column reference')]);
    const elsewhere = await runCli(['settlement', 'compare', path], {
      ...env,
      TILLFRONT_URL: 'http://127.0.0.1:1',
    });
    expect(elsewhere.code).toBe(4);
    tillfront = await startTillfront({ store, gatewayUrl: gateway.url, port: tillfront.port });
    const { id } = compared.json<Printed>().settlement;
    expect((await runCli(['settlement', 'adopt', id], env)).code).toBe(0);
  });
});
