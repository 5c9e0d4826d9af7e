import { catalogue, type Product } from './catalogue.ts';
import { stateOf, type Order } from './orders.ts';
import { SHOPPER } from './shopper.ts';

/** The sandbox gateway's cards that are most useful in a demo. */
const TEST_CARDS: readonly [number: string, effect: string][] = [
  ['5060 9905 8000 0217 499', 'Verve, approved with PIN 1111'],
  ['4111 1111 1111 1111', 'approved'],
  ['4000 0000 0000 0309', 'declined'],
  ['4000 0000 0000 0804', '3-D Secure'],
  ['4000 0000 0000 0705', 'one-time code 123456'],
  ['4000 0000 0000 2404', 'outcome unknown at first'],
];

export function shopPage(): string {
  const items = catalogue
    .map(
      (product) => `
      <li class="product">
        ${picture(product)}
        <h2>${escape(product.name)}</h2>
        <p>${escape(product.about)}</p>
        <form method="post" action="/orders">
          <input type="hidden" name="product" value="${product.id}">
          <span class="price">${naira(product.price)}</span>
          <button aria-label="Buy ${escape(product.name)}">Buy</button>
        </form>
      </li>`,
    )
    .join('');
  return page(
    'Good things from all over Nigeria',
    `<h1>Good things from all over Nigeria</h1><ul class="products">${items}</ul>`,
  );
}

/** One order: its item, its state, and Tillfront's element, which is all that a shop's page needs. */
export function orderPage(order: Order, tillfrontUrl: string): string {
  const { product, reference } = order;
  const cards = TEST_CARDS.map(([number, effect]) => `<li><code>${number}</code> ${effect}</li>`).join('');
  return page(
    `Order ${reference}`,
    `<h1>Your order</h1>
    <div class="order-columns">
      <section class="order" aria-label="Order">
        ${picture(product)}
        <h2>${escape(product.name)}</h2>
        <p class="price">${naira(product.price)}</p>
        <p>To ${escape(SHOPPER.payer.firstName)} ${escape(SHOPPER.payer.lastName)}, ${escape(SHOPPER.billing.street)}, ${escape(SHOPPER.billing.city)}</p>
        <p class="state" role="status" data-state="${stateOf(order)}">${stateOf(order)}</p>
        <details><summary>Test cards</summary><ul>${cards}</ul><p>Any date to come, any code.</p></details>
        <p><a href="${escape(order.checkoutUrl ?? '')}">Pay on Tillfront’s own page instead</a></p>
      </section>
      <section class="till" aria-label="Payment">
        <tillfront-checkout base-url="${tillfrontUrl}" client-token="${order.clientToken ?? ''}" appearance="accent: #8a4b1f; radius: 12px"></tillfront-checkout>
      </section>
    </div>
    <script type="module" src="${tillfrontUrl}/kit/tillfront.js"></script>
    <script type="module" src="/order.js"></script>`,
  );
}

export const orderScript = `
// The event that the shop's server receives decides. This only asks the server for the order's state.
const state = document.querySelector('.state');
let asked = 0;

async function look() {
  const answer = await fetch(location.pathname + '/state');
  const { state: now } = await answer.json();
  if (state.textContent !== now) {
    state.textContent = now;
    state.dataset.state = now;
  }
  if (now !== 'paid' && now !== 'refunded') again();
}

function again() {
  if (asked++ < 600) setTimeout(() => look().catch(again), 1500);
}

document.querySelector('tillfront-checkout').addEventListener('tillfront-result', () => {
  asked = 0;
  look().catch(again);
});
again();
`;

export function ordersPage(orders: readonly Order[]): string {
  const rows = orders
    .map(
      (order) => `
      <li class="order">
        <h2><a href="/orders/${order.id}">${escape(order.product.name)}</a> <small>${order.reference}</small></h2>
        <p class="state" data-state="${stateOf(order)}">${stateOf(order)}</p>
        <ol>${order.events.map(({ type, timestamp }) => `<li><code>${escape(type)}</code> <time>${escape(timestamp)}</time></li>`).join('')}</ol>
      </li>`,
    )
    .join('');
  const list = rows === '' ? '<p>Nothing has been ordered yet.</p>' : `<ul class="orders">${rows}</ul>`;
  return page('Your orders', `<h1>Your orders</h1>${list}<p><a href="/">Back to the shop</a></p>`);
}

export function messagePage(title: string, text: string): string {
  return page(
    title,
    `<h1>${escape(title)}</h1><p>${escape(text)}</p><p><a href="/">Back to the shop</a></p>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escape(title)} · Marina Market</title>
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/shop.css">
</head>
<body>
  <header><a href="/">Marina Market</a><nav aria-label="Shop"><a href="/orders">Your orders</a></nav></header>
  <main>${body}</main>
  <footer>A demonstration. Nothing is sold, and the money is the sandbox’s.</footer>
</body>
</html>`;
}

function picture({ colour, drawing }: Product): string {
  return `<svg class="picture" viewBox="0 0 120 64" aria-hidden="true"><rect width="120" height="64" rx="6" fill="${colour}" /><path d="${drawing}" /></svg>`;
}

function naira(price: string): string {
  return new Intl.NumberFormat('en-NG', {
    style: 'currency',
    currency: 'NGN',
    currencyDisplay: 'narrowSymbol',
  }).format(price as Intl.StringNumericLiteral);
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
