import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { DemoSettings } from '../settings.ts';
import { productOf } from './catalogue.ts';
import { allOrders, makeOrder, orderOf, takeEvent } from './orders.ts';
import { messagePage, ordersPage, payPage, payScript, shopPage } from './pages.ts';

const STYLE = readFileSync(new URL('shop.css', import.meta.url), 'utf8');
const MAX_BODY = 65_536;

/** Starts the shop's own little server. Returns what stops it. */
export async function startShop(settings: DemoSettings): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    answer(request, response, settings).catch(() => {
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(settings.shopPort, 'localhost', resolve);
  });
  return () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => {
        resolve();
      });
    });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  settings: DemoSettings,
): Promise<void> {
  const url = new URL(request.url ?? '/', settings.shopUrl);
  switch (`${request.method ?? 'GET'} ${url.pathname}`) {
    case 'GET /':
      return send(response, 200, shopPage());
    case 'GET /orders':
      return send(response, 200, ordersPage(allOrders()));
    case 'POST /buy':
      return buy(request, response, settings);
    case 'GET /pay':
      return showPayPage(url, response, settings);
    case 'POST /webhooks':
      return takeWebhook(request, response, settings);
    case 'GET /pay.js':
      return send(response, 200, payScript, 'text/javascript');
    case 'GET /shop.css':
      return send(response, 200, STYLE, 'text/css');
    default:
      return send(response, 404, messagePage('Not here', 'There is no such page.'));
  }
}

/** The price comes from the catalogue; the browser has only said what it wants. */
async function buy(
  request: IncomingMessage,
  response: ServerResponse,
  settings: DemoSettings,
): Promise<void> {
  const product = productOf(new URLSearchParams(await body(request)).get('product'));
  if (!product)
    return send(response, 400, messagePage('Not for sale', 'There is no such thing in this shop.'));
  const order = makeOrder(product);
  const made = await fetch(`${settings.tillfrontUrl}/v1/checkout-sessions`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${settings.merchantKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': order.reference,
    },
    body: JSON.stringify({
      reference: order.reference,
      amount: product.price,
      currency: 'NGN',
      payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
      returnUrl: `${settings.shopUrl}/orders`,
    }),
  });
  const session = (await made.json()) as { clientToken?: string };
  if (!made.ok || session.clientToken === undefined) {
    return send(response, 502, messagePage('Please try again', 'The payment could not be prepared.'));
  }
  order.clientToken = session.clientToken;
  response.writeHead(303, { Location: `/pay?order=${order.reference}` }).end();
}

function showPayPage(url: URL, response: ServerResponse, settings: DemoSettings): void {
  const order = orderOf(url.searchParams.get('order'));
  if (!order) return send(response, 404, messagePage('Not here', 'There is no such order.'));
  send(response, 200, payPage(order, settings.tillfrontUrl));
}

/** Events are believed only with their signature. */
async function takeWebhook(
  request: IncomingMessage,
  response: ServerResponse,
  settings: DemoSettings,
): Promise<void> {
  const text = await body(request);
  try {
    const headers = request.headers as Record<string, string>;
    takeEvent(new Webhook(settings.webhookSecret).verify(text, headers) as Parameters<typeof takeEvent>[0]);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}

async function body(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BODY) throw new Error('too much');
  }
  return text;
}

function send(response: ServerResponse, status: number, text: string, type = 'text/html'): void {
  response
    .writeHead(status, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' })
    .end(text);
}
