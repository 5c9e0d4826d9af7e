import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { DemoSettings } from '../settings.ts';
import { productOf } from './catalogue.ts';
import { openSession } from './checkout-session.ts';
import {
  allOrders,
  makeOrder,
  orderByReference,
  orderOf,
  stateOf,
  takeEvent,
  type PaymentEvent,
} from './orders.ts';
import { messagePage, orderPage, orderScript, ordersPage, shopPage } from './pages.ts';

const STYLE = readFileSync(new URL('shop.css', import.meta.url), 'utf8');
const ICON = readFileSync(new URL('icon.svg', import.meta.url), 'utf8');
const MAX_BODY = 65_536;

export interface Shop {
  /** Types of the events with a valid signature, in the order of their arrival. */
  received: readonly string[];
  stop(): Promise<void>;
}

/** The answer to a request. */
interface Reply {
  status: number;
  body?: string;
  type?: 'text/html' | 'text/css' | 'text/javascript' | 'image/svg+xml' | 'application/json';
  location?: string;
}

interface Visit {
  request: IncomingMessage;
  url: URL;
  settings: DemoSettings;
  received: string[];
}

/** Starts the shop's own little server. */
export async function startShop(settings: DemoSettings): Promise<Shop> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', settings.shopUrl);
    answer({ request, url, settings, received })
      .catch((): Reply => ({ status: 500, body: messagePage('Please try again', 'Something went wrong.') }))
      .then((reply) => send(response, reply, settings))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(settings.shopPort, '127.0.0.1', resolve);
  });
  return {
    received,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function answer(visit: Visit): Promise<Reply> {
  const { request, url } = visit;
  const [, first = '', id = '', part = ''] = url.pathname.split('/');
  switch (`${request.method ?? 'GET'} /${first}`) {
    case 'GET /':
      return { status: 200, body: shopPage() };
    case 'POST /orders':
      return buy(visit);
    case 'GET /orders':
      return id === '' ? { status: 200, body: ordersPage(allOrders()) } : showOrder(visit, id, part);
    case 'GET /back':
      return comeBack(url);
    case 'POST /webhooks':
      return takeWebhook(visit);
    case 'GET /order.js':
      return { status: 200, body: orderScript, type: 'text/javascript' };
    case 'GET /shop.css':
      return { status: 200, body: STYLE, type: 'text/css' };
    case 'GET /icon.svg':
      return { status: 200, body: ICON, type: 'image/svg+xml' };
    default:
      return notHere();
  }
}

/** The browser only names the item. Its price comes from the catalogue. */
async function buy({ request, settings }: Visit): Promise<Reply> {
  const product = productOf(new URLSearchParams(await body(request)).get('product'));
  if (!product)
    return { status: 400, body: messagePage('Not for sale', 'There is no such thing in this shop.') };
  const order = makeOrder(product);
  const isOpen = await openSession(order, settings).catch(() => false);
  if (!isOpen)
    return { status: 502, body: messagePage('Please try again', 'The payment could not be prepared.') };
  return { status: 303, location: `/orders/${order.id}` };
}

function showOrder({ settings }: Visit, id: string, part: string): Reply {
  const order = orderOf(id);
  if (!order) return notHere();
  if (part === 'state')
    return { status: 200, body: JSON.stringify({ state: stateOf(order) }), type: 'application/json' };
  return { status: 200, body: orderPage(order, settings.tillfrontUrl) };
}

/** Where the wallet's cashier sends the payer. It knows only the reference. */
function comeBack(url: URL): Reply {
  const order = orderByReference(url.searchParams.get('order') ?? '');
  return order ? { status: 303, location: `/orders/${order.id}` } : notHere();
}

/** Events are accepted only with a valid signature. */
async function takeWebhook({ request, settings, received }: Visit): Promise<Reply> {
  const text = await body(request);
  let event: PaymentEvent;
  try {
    const headers = request.headers as Record<string, string>;
    event = new Webhook(settings.webhookSecret).verify(text, headers) as PaymentEvent;
  } catch {
    return { status: 401 };
  }
  received.push(event.type);
  takeEvent(event);
  return { status: 204 };
}

function notHere(): Reply {
  return { status: 404, body: messagePage('Not here', 'There is no such page.') };
}

async function body(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BODY) throw new Error('too much');
  }
  return text;
}

function send(
  response: ServerResponse,
  { status, body: text, type = 'text/html', location }: Reply,
  { tillfrontUrl }: DemoSettings,
): void {
  // everything that a shop's policy must allow for the element: its script, its calls, and the forms that banks ask for
  const policy = [
    "default-src 'self'",
    `script-src 'self' ${tillfrontUrl}`,
    "connect-src 'self'",
    `frame-src ${tillfrontUrl}`,
    "form-action 'self' https: http://localhost:* http://127.0.0.1:*",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
  response
    .writeHead(status, {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      ...(location === undefined ? {} : { Location: location }),
    })
    .end(text);
}
