import { randomUUID } from 'node:crypto';
import type { DemoSettings } from './settings.ts';

type Json = Record<string, unknown>;

/** A step came out otherwise than it should. */
export class Unexpected extends Error {}

const DEVICE = {
  javaEnabled: false,
  language: 'en-NG',
  screenHeight: 1080,
  screenWidth: 1920,
  colorDepth: 24,
  timeZone: 'Africa/Lagos',
  userAgent: 'Mozilla/5.0 (the demo)',
};
const PAYER = { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' };
const BILLING = {
  street: '1 Marina',
  city: 'Lagos',
  stateProvince: 'Lagos',
  postCode: '101001',
  country: 'NGA',
};

/** Makes an approved card payment, a declined one and a wallet payment over HTTP, showing each step and its JSON. */
export async function showPayments(settings: DemoSettings): Promise<void> {
  const run = Date.now().toString(36).toUpperCase();
  title('1. A card that is approved');
  const first = await session(settings, `DEMO-${run}-1`);
  const paid = await pay(settings, first, 'card', card('5060990580000217499'));
  expect(paid, 'status', 'succeeded');

  title('2. A card that its issuer declines');
  const second = await session(settings, `DEMO-${run}-2`);
  const declined = await pay(settings, second, 'card', card('4000000000000200'));
  expect(declined, 'status', 'failed');

  title('3. The partner wallet: the payer is sent to its cashier');
  const third = await session(settings, `DEMO-${run}-3`);
  const waiting = await pay(settings, third, 'wallet', {});
  expect(waiting, 'status', 'requires_action');
  await approveAtCashier(settings, waiting);
  const approved = await settle(settings, String(waiting['id']));
  expect(approved, 'status', 'succeeded');
}

async function session(settings: DemoSettings, reference: string): Promise<string> {
  const body = { reference, amount: '1500.00', currency: 'NGN', payer: PAYER, billing: BILLING };
  const made = await call(settings, 'POST', '/v1/checkout-sessions', settings.merchantKey, body, 201);
  return String(made['clientToken']);
}

async function pay(settings: DemoSettings, token: string, method: string, body: Json): Promise<Json> {
  return call(settings, 'POST', `/v1/payments/${method}`, token, body, 201);
}

/** What the payer would do with the cashier's page, by the sandbox's own control. */
async function approveAtCashier(settings: DemoSettings, payment: Json): Promise<void> {
  const reference = String(payment['gatewayReference']);
  say(
    `The payer approves at the cashier (${settings.sandboxUrl}); the gateway notifies Tillfront, which asks.`,
  );
  const answer = await fetch(`${settings.sandboxUrl}/sandbox/transactions/${reference}/approve`, {
    method: 'POST',
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Unexpected(`the sandbox answered ${answer.status}`);
}

async function settle(settings: DemoSettings, id: string): Promise<Json> {
  return call(settings, 'GET', `/v1/payments/${id}?wait=10`, settings.merchantKey, undefined, 200);
}

function card(number: string): Json {
  return {
    card: { number, expiryMonth: '12', expiryYear: '2030', cvv: '111', pin: '1111', nameOnCard: 'Ada Obi' },
    device: DEVICE,
  };
}

async function call(
  settings: DemoSettings,
  method: 'GET' | 'POST',
  path: string,
  bearer: string,
  body: Json | undefined,
  status: number,
): Promise<Json> {
  say(`${method} ${path}`);
  if (body) show(body);
  const answer = await fetch(settings.tillfrontUrl + path, {
    method,
    headers: {
      Authorization: `Bearer ${bearer}`,
      ...(body && { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json = (await answer.json()) as Json;
  say(`→ ${answer.status}`);
  show(json);
  if (answer.status !== status)
    throw new Unexpected(`${method} ${path} answered ${answer.status}, not ${status}`);
  return json;
}

function expect(payment: Json, field: string, value: string): void {
  if (payment[field] !== value) throw new Unexpected(`${field} is ${String(payment[field])}, not ${value}`);
  say(`✔ ${field} is ${value}`);
}

function title(text: string): void {
  process.stdout.write(`\n${bold(text)}\n`);
}

function say(text: string): void {
  process.stdout.write(`  ${text}\n`);
}

/** Prints JSON as it should be seen by others: without card number, security code, PIN and tokens. */
function show(json: Json): void {
  const text = JSON.stringify(json, masked, 2).replaceAll('\n', '\n    ');
  process.stdout.write(`    ${text}\n`);
}

function masked(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'number') return `•••• ${value.slice(-4)}`;
  if (name === 'cvv' || name === 'pin') return '•••';
  if (name === 'clientToken' || name === 'checkoutUrl')
    return `${value.slice(0, value.lastIndexOf('.') + 5)}…`;
  return value;
}

function bold(text: string): string {
  return process.stdout.isTTY ? `\u001b[1m${text}\u001b[22m` : text;
}
