import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../setup/browser.js';
import { type Json, SandboxClient, transactionOf } from './sandbox-client.js';

let browser: Browser;
let client: SandboxClient;
let shop: Server;
let shopUrl: string;
/** What the shop's return address was asked for. */
const returns: { method: string; body: string }[] = [];

beforeAll(async () => {
  browser = await launchChromium();
  client = await SandboxClient.start();
  shop = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.url === '/return') returns.push({ method: request.method ?? '', body });
      response.setHeader('content-type', 'text/html').end('<title>Shop</title>');
    });
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  // Another host name than the sandbox's: another site to the browser.
  shopUrl = `http://localhost:${(shop.address() as AddressInfo).port}/return`;
});
afterAll(async () => {
  await browser.close();
  await client.close();
  shop.closeAllConnections();
  await new Promise((resolve) => shop.close(resolve));
});

/** Opens an address and answers the messages of the page that a strict policy would cause. */
const visit = async (url: string): Promise<{ page: Page; refusals: string[] }> => {
  const page = await browser.newPage();
  const refusals: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) refusals.push(message.text());
  });
  await page.goto(url);
  return { page, refusals };
};

test.each([
  ['4000000000000804', 'GET'],
  ['5500000000000806', 'POST'],
])('3-D Secure with %s brings the browser back by %s', async (cardNumber, method) => {
  returns.length = 0;
  const { json, ref } = await client.pay({ cardNumber, authNotifyUrl: shopUrl });
  const { page, refusals } = await visit(String(transactionOf(json).redirectUrl));
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.waitForURL(shopUrl);
  expect(returns.map((one) => one.method)).toEqual([method]);
  if (method === 'POST') expect(returns[0]?.body).toContain(`client_ref=${ref}`);
  expect(refusals).toEqual([]);
  expect(transactionOf(await client.status(ref)).status).toBe('SUCCESS');
  await page.close();
});

test('the cashier declines an order, and the bank pays a transfer with another amount', async () => {
  const order = {
    client_ref: 'W_1',
    txnType: 'PARTNER_PAY',
    payerEmail: 'a@b.example',
    amount: '1500.00',
    currency: 'NGN',
  };
  const { json } = await client.post('/init-partner', order);
  const { page, refusals } = await visit(String(((json.data as Json).data as Json).cashierUrl));
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('The order was declined.').waitFor();
  expect(transactionOf(await client.status('W_1')).status).toBe('FAIL');

  const payer = {
    payerEmail: 'a@b.example',
    payerPhone: '+2348012345678',
    firstName: 'Ada',
    lastName: 'Obi',
  };
  await client.post('/payment/transfer', { client_ref: 'T_1', amount: '1500.00', currency: 'NGN', ...payer });
  await page.goto(`${client.sandbox.url}/bank`);
  await page.getByLabel('Amount to send').fill('1400.00');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Done. Go back to the shop.').waitFor();
  expect(await client.truth('T_1')).toMatchObject({ state: 'succeeded', charged: '1400.00' });
  await page.goto(client.sandbox.url);
  expect(refusals).toEqual([]);
  await page.close();
});
