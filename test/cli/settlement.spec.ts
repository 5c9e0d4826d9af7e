import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectStatus, type PaymentBody } from '../harness/client.js';
import { answer, approved } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { runCli, type Finished } from './run-cli.js';

/** `tillfront settlement compare`, against a running service. */

const HEADER = 'reference,transactionRef,type,amount,fee,currency,status,settledAt';
let scene: Scene;
let payment: PaymentBody;

beforeAll(async () => {
  scene = await startScene('embedded');
  scene.gateway.script('POST /payment/card', answer(approved));
  payment = expectStatus(await scene.client.payCard(await scene.client.createSession()), 201).body;
});
afterAll(() => scene?.stop());

const row = (amount: string, reference = payment.gatewayReference): string =>
  `${reference},T-${amount},PAYMENT,${amount},10.00,NGN,SETTLED,2026-11-30`;

async function compare(lines: string[], ...more: string[]): Promise<Finished> {
  const file = join(scene.tillfront.dataDir, 'report.csv');
  await writeFile(file, [HEADER, ...lines, ''].join('\n'));
  return runCli(['settlement', 'compare', file, ...more], {
    TILLFRONT_URL: scene.tillfront.url,
    TILLFRONT_API_KEY: scene.tillfront.merchantKey,
  });
}

test('is 1 where something differs, and names it', async () => {
  const { code, stdout, stderr } = await compare([row('1400.00')]);
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toContain('NGN: gross 1400.00, fees 10.00, net 1390.00, payouts 0.00');
  expect(stdout).toContain(
    `amount_differs ${payment.gatewayReference}: expected 1500.00 NGN, found 1400.00 NGN`,
  );
  const asJson = await compare([row('1400.00')], '--json');
  const { settlement, differences } = JSON.parse(asJson.stdout) as Record<string, object>;
  expect(asJson.code).toBe(1);
  expect(settlement).toMatchObject({ rows: 1, counts: { amount_differs: 1 } });
  expect(differences).toEqual([expect.objectContaining({ kind: 'amount_differs', state: 'open' })]);
});

test('is 0 where everything agrees', async () => {
  const { code, stdout } = await compare([row('100.00')]);
  expect(stdout).toContain('No open difference.');
  expect(code).toBe(0);
  const asJson = await compare([row('100.00')], '--json');
  expect([asJson.code, JSON.parse(asJson.stdout)]).toMatchObject([0, { differences: [] }]);
});

test('is 1 where a row was set aside, or none is ours', async () => {
  const unread = await compare([row('1400.00'), row('100.00'), row('x')]);
  expect(unread.stdout).toContain('line 4: amount cannot be read');
  const ofOthers = await compare([row('7.00', 'somebody-else')]);
  expect(ofOthers.stdout).toContain('No row has a reference of this shop.');
  expect([unread.code, ofOthers.code]).toEqual([1, 1]);
});

test('is 4 where the file is refused, cannot be read, or the key may not upload', async () => {
  const refused = await compare(['"never closed']);
  expect(refused).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('/2 ') });
  const missing = await runCli(['settlement', 'compare', '/nowhere.csv'], { TILLFRONT_API_KEY: 'x' });
  expect(missing).toMatchObject({ code: 4, stderr: expect.stringContaining('/nowhere.csv') });
  const mayNot = await runCli(['settlement', 'compare', join(scene.tillfront.dataDir, 'report.csv')], {
    TILLFRONT_URL: scene.tillfront.url,
    TILLFRONT_API_KEY: scene.tillfront.merchantReadKey,
  });
  expect(mayNot).toMatchObject({ code: 4, stdout: '' });
});
