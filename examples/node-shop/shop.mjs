// A complete shop on Node's own modules. It sells one thing. "Your shop" marks what a real one does differently.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
const { MERCHANT_API_KEY, MERCHANT_WEBHOOK_SECRET, PORT = '8080', NODE_ENV } = process.env;
const { TILLFRONT_URL = 'http://localhost:3000', SHOP_URL = `http://localhost:${PORT}` } = process.env;
const PRODUCT = { name: 'A bag of coffee', amount: '1500.00', currency: 'NGN' };
// Your shop knows its customers. The payer is asked for whatever you leave out here.
const CUSTOMER = {
  payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
  billing: { street: '1 Marina', city: 'Lagos', stateProvince: 'Lagos', postCode: '101001', country: 'NGA' },
};
const orders = new Map(); // Your shop keeps its orders in a database.

/** Calls Tillfront with the merchant key, which no browser ever sees. */
async function tillfront(path, request) {
  const headers = { authorization: `Bearer ${MERCHANT_API_KEY}`, ...request?.headers };
  const answer = await fetch(TILLFRONT_URL + path, { ...request, headers });
  const body = await answer.json();
  if (answer.ok) return body;
  const fields = (body.errors ?? []).map(({ pointer, message }) => `\n  ${pointer} ${message}`);
  throw new Error(`${body.code}: ${body.detail} (${body.requestId})${fields.join('')}`);
}

/** The price is the order's, never the browser's. A key per session makes a repeat harmless: it gives the same session. */
async function createSession(order) {
  const { reference, amount, currency, sessions = 1 } = order;
  const returnUrl = `${SHOP_URL}/thanks?order=${reference}`;
  const session = await tillfront('/v1/checkout-sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `${reference}-${sessions}` },
    body: JSON.stringify({ reference, amount, currency, returnUrl, ...CUSTOMER }),
  });
  if (session.status === 'open' || session.status === 'paid') return session;
  return createSession(Object.assign(order, { sessions: sessions + 1 })); // That one is over, and not paid.
}

/** Whether an order is `paid`, `returned`, `unpaid`, or still `confirming`, by what Tillfront says and not by what a browser says. */
async function stateOf({ reference, amount, currency }) {
  const { data } = await tillfront(`/v1/payments?reference=${reference}`);
  const due = { status: 'succeeded', amount, currency, livemode: NODE_ENV === 'production' };
  // A payment that was given back, in part or in whole, or charged back is still `succeeded`.
  const wanted = { ...due, duplicateOf: null, needsAttention: false, amountRefunded: null, disputed: false };
  if (data.some((payment) => Object.keys(wanted).every((name) => payment[name] === wanted[name])))
    return 'paid';
  if (data.some(({ amountRefunded, disputed }) => amountRefunded !== null || disputed)) return 'returned';
  const over = ['requires_action', 'failed', 'canceled', 'expired', 'voided'];
  return data.every(({ status }) => over.includes(status)) ? 'unpaid' : 'confirming';
}

/** The event, if its signature is genuine and not older than five minutes (Standard Webhooks). */
function verifiedEvent(body, headers) {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  if (!(Math.abs(Date.now() / 1000 - headers['webhook-timestamp']) < 300)) return undefined;
  const key = Buffer.from(MERCHANT_WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(signed).update(body).digest();
  const isGenuine = (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isGenuine ? JSON.parse(body) : undefined;
}

/** An event says that something has changed. The shop asks what holds now, so repeated and late events do no harm. */
async function takeEvent({ data }) {
  const order = orders.get(data.reference);
  const state = order && (await stateOf(order));
  if (order && order.state !== state) console.log(`${order.reference} is ${state}`);
  if (order) order.state = state; // Your shop ships here once an order is paid, and reacts if it is paid no longer.
  return 204;
}

const html = (content) => ({
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  body: `<!doctype html><html lang="en"><title>A shop</title><main>${content}</main></html>`,
});
const productPage = html(`<h1>${PRODUCT.name}</h1><p>${PRODUCT.currency} ${PRODUCT.amount}</p>
  <form method="post" action="/orders"><button>Buy</button></form>`);
const pages = {
  paid: ({ reference }) => `<h1>Thank you</h1><p>Order ${reference} is paid.</p>`,
  returned: ({ reference }) => `<h1>Given back</h1><p>Money of order ${reference} was given back.</p>`,
  confirming: () => '<h1>We are confirming your payment</h1><p>There is nothing you need to do.</p>',
  unpaid: ({ reference }) => `<h1>Not paid yet</h1><p><a href="/orders/${reference}">Try again</a></p>`,
};
const checkout = ({ reference }, { clientToken }) => `<h1>Order ${reference}</h1>
  <script type="module" src="${TILLFRONT_URL}/kit/tillfront.js"></script>
  <tillfront-checkout base-url="${TILLFRONT_URL}" client-token="${clientToken}"></tillfront-checkout>
  <script type="module">
    document.querySelector('tillfront-checkout').addEventListener('tillfront-result', ({ detail }) => {
      if (detail.status === 'succeeded') location.assign('/thanks?order=${reference}');
    });
  </script>`;

async function answer({ method, url, headers }, body) {
  const { pathname, searchParams } = new URL(url, SHOP_URL);
  if (`${method} ${pathname}` === 'GET /') return productPage;
  if (`${method} ${pathname}` === 'POST /orders') {
    const order = { reference: `NODE-${randomBytes(8).toString('hex')}`, ...PRODUCT };
    orders.set(order.reference, order);
    return { status: 303, headers: { location: `/orders/${order.reference}` } };
  }
  if (`${method} ${pathname}` === 'POST /webhooks') {
    const event = verifiedEvent(body, headers);
    return { status: event ? await takeEvent(event) : 400 };
  }
  // The wallet's cashier knows the gateway's reference, which ends with the number of the attempt: ORDER_1.
  const named = searchParams.get('order')?.replace(/_\d+$/, '') ?? pathname.replace('/orders/', '');
  const order = orders.get(named);
  if (!order) return { status: 404, ...html('<h1>There is no such page</h1>') };
  const state = await stateOf(order);
  if (pathname === '/thanks' || state !== 'unpaid') return html(pages[state](order));
  return html(checkout(order, await createSession(order)));
}

createServer(async (request, response) => {
  try {
    const { status = 200, headers, body } = await answer(request, Buffer.concat(await request.toArray()));
    response.writeHead(status, headers).end(body);
  } catch (error) {
    console.error(error.message);
    response.writeHead(500).end('Please try again.'); // Tillfront sends an event again after this answer.
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`The shop is at ${SHOP_URL}`));
