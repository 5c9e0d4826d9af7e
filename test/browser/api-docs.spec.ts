import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { findChromium } from '../setup/browser-programs.js';

let gateway: MisbehavingGateway;
let tillfront: Tillfront;
let browser: Browser;
beforeAll(async () => {
  gateway = await startMisbehavingGateway();
  tillfront = await startTillfront({ store: 'embedded', gatewayUrl: gateway.url });
  browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
});
afterAll(async () => {
  await browser?.close();
  await tillfront?.stop();
  await gateway?.close();
});

test('/docs shows the calls, runs nothing inline and loads nothing from elsewhere', async () => {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(tillfront.url) && !request.url().startsWith('data:'))
      faults.push(request.url());
  });
  const answer = await page.goto(`${tillfront.url}/docs`);
  const policy = answer?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toMatch(/script-src|unsafe-eval/);
  await page.getByText('/v1/payments/card').first().waitFor();
  expect(faults).toEqual([]);
});

test('/openapi.json is the description, with the service’s address', async () => {
  const answer = await fetch(`${tillfront.url}/openapi.json`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  const { openapi, servers } = (await answer.json()) as { openapi: string; servers: { url: string }[] };
  expect(openapi).toBe('3.1.0');
  expect(servers).toEqual([{ url: tillfront.url }]);
});
