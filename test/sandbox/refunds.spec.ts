import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { expectStatus, problemOf, TillfrontClient, type PaymentBody } from '../harness/client.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { SandboxClient } from './sandbox-client.js';

const GATEWAY_PROFILE = fileURLToPath(new URL('../../sandbox/refunds.profile.json', import.meta.url));

let sandbox: SandboxClient;
let tillfront: Tillfront;
let client: TillfrontClient;

beforeAll(async () => {
  sandbox = await SandboxClient.start({});
  tillfront = await startTillfront({
    store: 'embedded',
    gatewayUrl: sandbox.sandbox.url,
    env: {
      GATEWAY_API_KEY: 'sandbox-key',
      GATEWAY_ACCESS_TOKEN: 'sandbox-token',
      GATEWAY_PROFILE,
      GATEWAY_TIMEOUT_MS: '1500',
    },
  });
  client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
}, 120_000);
afterAll(async () => {
  await tillfront?.stop();
  await sandbox?.close();
});

interface Refund {
  amount: string;
  status: string;
}
const giveBack = ({ id }: PaymentBody, body: object = {}) =>
  client.post<Refund>(`/v1/payments/${id}/refunds`, body);
const refundsOf = async ({ id }: PaymentBody): Promise<Refund[]> =>
  (await client.get<{ data: Refund[] }>(`/v1/payments/${id}/refunds`)).body.data;

async function paid(): Promise<PaymentBody> {
  const { body } = await client.payCard(await client.createSession(), {
    card: { number: '4111111111111111' },
  });
  expect(body.status).toBe('succeeded');
  return body;
}

const ledgerOf = async ({ gatewayReference }: PaymentBody): Promise<{ entry?: string; kind?: string }[]> => {
  const answer = await fetch(`${sandbox.sandbox.url}/sandbox/transactions/${gatewayReference}`);
  return ((await answer.json()) as { entries: { kind: string }[] }).entries;
};
const given = async (payment: PaymentBody): Promise<number> =>
  (await ledgerOf(payment)).filter(({ kind }) => kind === 'refund').length;

test('the sandbox gives money back with the profile that is beside it', async () => {
  const payment = await paid();
  expect(expectStatus(await giveBack(payment, { amount: '500.00' }), 201).body.status).toBe('succeeded');
  expect(expectStatus(await giveBack(payment), 201).body.amount).toBe('1000.00');
  expect(await client.getPayment(payment.id)).toMatchObject({
    status: 'succeeded',
    amountRefunded: '1500.00',
  });
  expect(problemOf(expectStatus(await giveBack(payment), 409)).code).toBe('invalid-state');
  expect(await given(payment)).toBe(2);
});

test.each([
  [true, 'succeeded', 1],
  [false, 'processing', 0],
])('an answer that never comes, done: %s, is asked about', async (processed, status, times) => {
  const payment = await paid();
  const fault = { kind: 'silent', operation: 'refund', client_ref: payment.gatewayReference, processed };
  const set = await fetch(`${sandbox.sandbox.url}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  expect(set.status).toBe(200);
  expectStatus(await giveBack(payment, { amount: '500.00' }), 202);
  const asked = async (): Promise<boolean> => {
    expectStatus(await client.post(`/v1/payments/${payment.id}/refresh`, {}), 200);
    return (await refundsOf(payment))[0]?.status === status;
  };
  await until(asked, 30_000);
  expect(await given(payment)).toBe(times);
});
