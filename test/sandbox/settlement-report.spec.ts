import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SandboxClient } from './sandbox-client.js';

let client: SandboxClient;
beforeEach(async () => {
  client = await SandboxClient.start();
});
afterEach(() => client.close());

async function rows(plant = ''): Promise<string[][]> {
  const answer = await fetch(`${client.sandbox.url}/sandbox/settlement.csv?plant=${plant}`);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  return (await answer.text())
    .trim()
    .split('\n')
    .map((line) => line.split(','));
}

test('the report has what was paid, refunded and charged back, and not what was voided', async () => {
  const [kept, refunded, voided] = [await client.pay(), await client.pay(), await client.pay()];
  await client.post(`/sandbox/transactions/${refunded.ref}/refund`, { amount: '400.00' });
  await client.post(`/sandbox/transactions/${voided.ref}/reverse`);
  await client.post(`/sandbox/transactions/${kept.ref}/chargeback`);
  const [header, ...found] = await rows();
  expect(header?.join()).toBe('reference,transactionRef,type,amount,fee,currency,status,settledAt');
  expect(found.map(([reference, , type, amount]) => [reference, type, amount])).toEqual([
    [kept.ref, 'PAYMENT', '1500.00'],
    [refunded.ref, 'PAYMENT', '1500.00'],
    [refunded.ref, 'REFUND', '400.00'],
    [kept.ref, 'CHARGEBACK', '1500.00'],
  ]);
});

test('differences are planted on request', async () => {
  const { ref } = await client.pay();
  await client.pay({ cardNumber: '4000000000000200' });
  const planted = await rows('amount,unknown,notpaid,refund,chargeback');
  expect(planted[1]?.slice(0, 4)).toEqual([ref, expect.any(String), 'PAYMENT', '91500.00']);
  expect(planted.map(([reference, , type]) => [reference, type])).toContainEqual([
    'SANDBOX-NOBODY-KNOWS_1',
    'PAYMENT',
  ]);
  expect(planted).toHaveLength(6);
  expect(await rows('twice')).toHaveLength(3);
  expect(await rows('missing')).toHaveLength(1);
  const refused = await fetch(`${client.sandbox.url}/sandbox/settlement.csv?plant=money`);
  expect(refused.status).toBe(400);
});
