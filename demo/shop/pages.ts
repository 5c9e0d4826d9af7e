import { catalogue } from './catalogue.ts';
import type { Order } from './orders.ts';

export function shopPage(): string {
  const items = catalogue
    .map(
      ({ id, name, about, price, picture }) => `
      <li class="product">
        <span class="picture" aria-hidden="true">${picture}</span>
        <h2>${escape(name)}</h2>
        <p>${escape(about)}</p>
        <form method="post" action="/buy">
          <input type="hidden" name="product" value="${id}">
          <span class="price">${naira(price)}</span>
          <button>Buy</button>
        </form>
      </li>`,
    )
    .join('');
  return page(
    'Marina Market',
    `<h1>Good things from all over Nigeria</h1><ul class="products">${items}</ul>`,
  );
}

/** The page with Tillfront's element: all that a shop's page needs. */
export function payPage(order: Order, tillfrontUrl: string): string {
  return page(
    `Pay ${order.reference}`,
    `
    <h1>Pay for your order</h1>
    <p class="summary"><span>${escape(order.product.name)}</span><strong>${naira(order.product.price)}</strong></p>
    <tillfront-checkout base-url="${tillfrontUrl}" client-token="${order.clientToken ?? ''}"></tillfront-checkout>
    <script type="module" src="${tillfrontUrl}/kit/tillfront.js"></script>
    <script type="module" src="/pay.js"></script>`,
  );
}

export const payScript = `
document.querySelector('tillfront-checkout').addEventListener('tillfront-result', () => {
  // What counts for the shop is the event that its server gets; this only tells the payer where to look.
  const link = document.createElement('a');
  link.href = '/orders';
  link.textContent = 'See your orders';
  const line = document.createElement('p');
  line.append(link);
  document.querySelector('main').append(line);
}, { once: true });
`;

export function ordersPage(orders: readonly Order[]): string {
  const rows = orders
    .map(
      (order) => `
      <li class="order">
        <h2>${escape(order.product.name)} <small>${order.reference}</small></h2>
        <p class="state" data-state="${order.state}">${order.state}</p>
        <ol>${order.events.map(({ type, at }) => `<li><code>${escape(type)}</code> <time>${escape(at)}</time></li>`).join('')}</ol>
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
  <link rel="stylesheet" href="/shop.css">
</head>
<body>
  <header><a href="/">Marina Market</a><nav><a href="/orders">Your orders</a></nav></header>
  <main>${body}</main>
  <footer>A demonstration. Nothing is sold, and the money is the sandbox's.</footer>
</body>
</html>`;
}

function naira(price: string): string {
  return new Intl.NumberFormat('en-NG', {
    style: 'currency',
    currency: 'NGN',
    currencyDisplay: 'narrowSymbol',
  }).format(Number(price));
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
