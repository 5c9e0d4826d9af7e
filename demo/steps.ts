import { randomUUID } from 'node:crypto';
import type { DemoSettings } from './settings.ts';
import type { Shop } from './shop/server.ts';
import { SHOPPER } from './shop/shopper.ts';

type Json = Record<string, unknown>;

/** Events normally arrive at once. This limit is for a busy machine. */
const EVENTS_WITHIN_MS = 10_000;

/** A step had an unexpected result. */
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

/** With `--verbose` each step shows its whole JSON, of the request too. */
const verbose = process.argv.includes('--verbose');

/** What each step shows of its answer without `--verbose`: these names at any depth, where they are not null. */
const BRIEF = new Set(
  'id status amount currency amountCaptured nextAction type url failure code message'.split(' '),
);

/** Makes an approved card payment, a declined one and a wallet payment over HTTP, and shows each step with its JSON: in one line, or whole with `--verbose`. */
export async function showPayments(settings: DemoSettings, shop: Shop): Promise<void> {
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

  title('4. What the shop’s server was told, each event with a good signature');
  await showEvents(shop, [
    'payment.succeeded',
    'payment.failed',
    'payment.requires_action',
    'payment.succeeded',
  ]);
}

/** Waits until all of these have arrived, and shows them. */
async function showEvents(shop: Shop, wanted: readonly string[]): Promise<void> {
  const missing = (): string[] => {
    const left = [...shop.received];
    return wanted.filter((type) => {
      const place = left.indexOf(type);
      if (place >= 0) left.splice(place, 1);
      return place < 0;
    });
  };
  const deadline = Date.now() + EVENTS_WITHIN_MS;
  while (missing().length > 0 && Date.now() < deadline) await pause(50);
  say(shop.received.join(', '));
  if (missing().length > 0) throw new Unexpected(`the shop was not told: ${missing().join(', ')}`);
  say('✔ the shop knows of everything');
}

/** Creates a session to be paid by hand. Returns the address of its checkout page. */
export async function openCheckout(settings: DemoSettings): Promise<string> {
  const answer = await fetch(`${settings.tillfrontUrl}/v1/checkout-sessions`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${settings.merchantKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
    },
    body: JSON.stringify(owed(`DEMO-${Date.now().toString(36).toUpperCase()}`)),
  });
  return String(((await answer.json()) as Json)['checkoutUrl']);
}

function owed(reference: string): Json {
  return { reference, amount: '1500.00', currency: 'NGN', ...SHOPPER };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function session(settings: DemoSettings, reference: string): Promise<string> {
  const path = '/v1/checkout-sessions';
  const made = await call(settings, 'POST', path, settings.merchantKey, owed(reference), 201);
  return String(made['clientToken']);
}

async function pay(settings: DemoSettings, token: string, method: string, body: Json): Promise<Json> {
  return call(settings, 'POST', `/v1/payments/${method}`, token, body, 201);
}

/** Does what the payer would do on the cashier's page, through the sandbox's control API. */
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
  const answer = await fetch(settings.tillfrontUrl + path, {
    method,
    headers: {
      Authorization: `Bearer ${bearer}`,
      ...(body && { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json = (await answer.json()) as Json;
  showCall(`${method} ${path}`, body, answer.status, json);
  if (answer.status !== status)
    throw new Unexpected(`${method} ${path} answered ${answer.status}, not ${status}`);
  return json;
}

function expect(payment: Json, field: string, value: string): void {
  if (payment[field] !== value) throw new Unexpected(`${field} is ${String(payment[field])}, not ${value}`);
  if (verbose) say(`✔ ${field} is ${value}`);
}

function title(text: string): void {
  process.stdout.write(`\n${bold(text)}\n`);
}

function say(text: string): void {
  process.stdout.write(`  ${text}\n`);
}

function showCall(what: string, body: Json | undefined, status: number, answer: Json): void {
  if (!verbose) {
    say(`${what} → ${status} ${JSON.stringify(answer, brief)}`);
    return;
  }
  say(what);
  if (body) show(body);
  say(`→ ${status}`);
  show(answer);
}

/** Prints JSON without card number, security code, PIN and tokens. */
function show(json: Json): void {
  const text = JSON.stringify(json, masked, 2).replaceAll('\n', '\n    ');
  process.stdout.write(`    ${text}\n`);
}

function brief(name: string, value: unknown): unknown {
  return value !== null && (name === '' || BRIEF.has(name)) ? value : undefined;
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
