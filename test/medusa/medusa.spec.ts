import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { expectStatus } from '../harness/client.js';
import { until } from '../harness/until.js';
import { APPROVED, DECLINED, HELD, MedusaShop } from './medusa-shop.js';

/** The payment provider of `examples/medusa` in a real Medusa server on PostgreSQL, paid at through the sandbox. */

let shop: MedusaShop;

beforeAll(async () => {
  shop = await MedusaShop.start();
}, 400_000);
afterAll(() => shop?.stop(), 60_000);
beforeEach(() => shop.faults());

test('an event completes the cart, once, and the order is paid', async () => {
  const cart = await shop.cartToPay(2);
  expect(cart.kept).toMatchObject({ amount: '3000.00', reference: cart.session.replaceAll('_', '-') });
  await shop.pay(cart, APPROVED);
  const order = await shop.orderOf(cart);
  expect(order).toMatchObject({ total: 3000, payment_status: 'captured' });
  await shop.redeliver(cart.kept.reference);
  // What comes after the repeated event shows that it did nothing.
  await shop.orderOfAnother();
  expect((await shop.ordersOf(cart)).length).toBe(1);
});

test('a payer who comes back finds the order, even if no event came', async () => {
  const cart = await shop.cartToPay();
  await shop.pay(cart, APPROVED);
  const back = await fetch(`${shop.url}/tillfront/return?payment_session=${cart.session}&status=failed`, {
    redirect: 'manual',
  });
  expect([back.status, back.headers.get('location')]).toEqual([
    303,
    `https://storefront.example/checkout/return?payment_session=${cart.session}&state=paid`,
  ]);
  expect((await shop.ordersOf(cart)).map(({ payment_status }) => payment_status)).toEqual(['captured']);
});

test('neither a payer’s word nor a declined card makes an order', async () => {
  const cart = await shop.cartToPay();
  expect((await shop.pay(cart, DECLINED)).status).toBe('failed');
  const back = await fetch(`${shop.url}/tillfront/return?payment_session=${cart.session}&status=succeeded`, {
    redirect: 'manual',
  });
  expect(back.headers.get('location')).toMatch(/&state=waiting$/);
  await shop.call('POST', `/store/carts/${cart.id}/complete`, {}).catch(() => undefined);
  expect(await shop.ordersOf(cart)).toEqual([]);
  // The same session is paid by another card.
  await shop.pay(cart, APPROVED);
  await shop.orderOf(cart);
});

test('a forged event makes no order', async () => {
  const cart = await shop.cartToPay();
  const { reference, amount } = cart.kept;
  const body = {
    type: 'payment.succeeded',
    data: { metadata: { medusaSession: cart.session }, reference, amount, currency: 'NGN' },
  };
  await fetch(`${shop.url}/hooks/payment/tillfront_tillfront`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await shop.orderOfAnother();
  expect(await shop.ordersOf(cart)).toEqual([]);
});

test('a changed cart has another price, and the former session takes no money', async () => {
  const cart = await shop.cartToPay();
  await shop.call('POST', `/store/carts/${cart.id}/line-items`, {
    variant_id: shop.seeded.variantId,
    quantity: 2,
  });
  const changed = await shop.toPay(cart.id, cart.collection);
  expect(changed.kept.amount).toBe('4500.00');
  expect(changed.kept.sessionId).not.toBe(cart.kept.sessionId);
  const late = await shop.tryToPay(cart, APPROVED);
  expect(late.status).toBe(409);
  await shop.pay(changed, APPROVED);
  expect((await shop.orderOf(changed)).total).toBe(4500);
});

test('what is given back before Medusa hears of the payment makes no order', async () => {
  const cart = await shop.cartToPay();
  shop.gate.shut();
  const { id } = await shop.pay(cart, APPROVED);
  expectStatus(await shop.client.post(`/v1/payments/${id}/refunds`, {}), 201);
  shop.gate.open();
  await shop.redeliver(cart.kept.reference);
  // Paid, the session is paid, and given back.
  await until(() => shop.gate.taken(cart.kept.reference) >= 3, 30_000);
  await shop.orderOfAnother();
  expect(await shop.ordersOf(cart)).toEqual([]);
});

test('the amount has the digits of its currency', async () => {
  const { productId, variantId } = shop.seeded;
  const prices = [
    { currency_code: 'ngn', amount: 1500 },
    { currency_code: 'jpy', amount: 1500.4 },
    { currency_code: 'kwd', amount: 1.2346 },
  ];
  await shop.call('POST', `/admin/products/${productId}/variants/${variantId}`, { prices });
  for (const [currency, country, amount, paid] of [
    ['jpy', 'jp', '1500', 1500.4],
    ['kwd', 'kw', '1.235', 1.2346],
  ] as const) {
    const region = await shop.call('POST', '/admin/regions', {
      name: currency,
      currency_code: currency,
      countries: [country],
      payment_providers: ['pp_tillfront_tillfront'],
    });
    const cart = await shop.cartToPay(1, region['region']?.id ?? '');
    expect(cart.kept.amount).toBe(amount);
    await shop.pay(cart, APPROVED);
    const order = await shop.orderOf(cart);
    expect(order.payment_status).toBe('captured');
    const id = order.payment_collections[0]?.payments[0]?.id ?? '';
    expect((await shop.refund(id, paid)).status).toBe(200);
    const [payment] = await shop.client.paymentsOf(cart.kept.reference);
    expect(payment?.amountRefunded).toBe(amount);
  }
});

test('a held payment is an order that is captured later', async () => {
  const { cart, medusaPayment, payment } = await shop.bought(HELD);
  expect(payment.status).toBe('authorized');
  expect((await shop.capture(medusaPayment)).status).toBe(200);
  const data = await shop.client.paymentsOf(cart.kept.reference);
  expect(data.map(({ status }) => status)).toEqual(['succeeded']);
});

test('a part is captured once, and Medusa enters no more than that', async () => {
  const { cart, medusaPayment, payment } = await shop.bought(HELD);
  expect((await shop.capture(medusaPayment, 500)).status).toBe(200);
  expect((await shop.client.getPayment(payment.id)).amountCaptured).toBe('500.00');
  await shop.redeliver(cart.kept.reference);
  await shop.orderOfAnother();
  const more = await shop.capture(medusaPayment, 1000);
  expect([more.status, more.json.message]).toEqual([
    400,
    '500.00 NGN of this payment was captured, once and for all: no more can be',
  ]);
  expect((await shop.entered(medusaPayment)).captures).toEqual([500]);
});

test('a part that was captured before Medusa heard of the payment is not taken for the whole', async () => {
  const cart = await shop.cartToPay();
  shop.gate.shut();
  const { id } = await shop.pay(cart, HELD);
  expectStatus(await shop.client.post(`/v1/payments/${id}/complete`, { amount: '500.00' }), 200);
  shop.gate.open();
  const order = await shop.orderOf(cart);
  const medusaPayment = order.payment_collections[0]?.payments[0]?.id ?? '';
  await until(async () => (await shop.entered(medusaPayment)).captures.length > 0);
  expect((await shop.entered(medusaPayment)).captures).toEqual([500]);
});

test('a capture of unknown outcome is entered once it is known', async () => {
  const { medusaPayment, payment } = await shop.bought(HELD);
  const of = { client_ref: payment.gatewayReference };
  await shop.faults({ kind: 'silent', operation: 'complete', processed: true, ...of });
  const unknown = await shop.capture(medusaPayment);
  expect([unknown.status, unknown.json.message]).toEqual([
    500,
    'The outcome of the capture is not known yet: try again later',
  ]);
  await until(async () => (await shop.client.getPayment(payment.id)).status === 'succeeded');
  // Whether Tillfront's event or the person comes first, it is entered once.
  await shop.capture(medusaPayment);
  await until(async () => (await shop.entered(medusaPayment)).captures.length > 0);
  expect((await shop.entered(medusaPayment)).captures).toEqual([1500]);
});

test('a refund of unknown outcome that is tried again is given back once', async () => {
  const { medusaPayment, payment } = await shop.bought();
  const of = { client_ref: payment.gatewayReference };
  await shop.faults(
    { kind: 'silent', operation: 'refund', processed: true, ...of },
    { kind: 'status', operation: 'refundStatus', status: 500, times: 'forever', ...of },
  );
  const unknown = await shop.refund(medusaPayment, 500);
  expect([unknown.status, unknown.json.message]).toEqual([
    500,
    'The outcome of the refund is not known yet: try again later',
  ]);
  for (const amount of [500, 200]) {
    const early = await shop.refund(medusaPayment, amount);
    expect([early.status, early.json.message]).toEqual([
      400,
      'A refund of 500.00 NGN is under way, and its outcome is not known yet: try again later. Nothing is given back twice.',
    ]);
  }
  await shop.faults();
  await until(async () => (await shop.client.getPayment(payment.id)).amountRefunded === '500.00');
  expect((await shop.entered(medusaPayment)).refunds).toEqual([]);

  expect((await shop.refund(medusaPayment, 500)).status).toBe(200);
  expect((await shop.entered(medusaPayment)).refunds).toEqual([500]);
  expect(await shop.givenBack(payment)).toBe(1);
  // The next one of the same amount is a wish of its own.
  expect((await shop.refund(medusaPayment, 500)).status).toBe(200);
  expect((await shop.entered(medusaPayment)).refunds).toEqual([500, 500]);
  expect(await shop.givenBack(payment)).toBe(2);
  expect((await shop.client.getPayment(payment.id)).amountRefunded).toBe('1000.00');
});

test('two refunds of the same amount are both made', async () => {
  const { medusaPayment, payment } = await shop.bought();
  expect((await shop.refund(medusaPayment, 250)).status).toBe(200);
  expect((await shop.refund(medusaPayment, 250)).status).toBe(200);
  expect(await shop.givenBack(payment)).toBe(2);
  const { status, json } = await shop.refund(medusaPayment, 1001);
  expect([status, json.message]).toEqual([
    400,
    expect.stringContaining('You are not allowed to refund more than the captured amount'),
  ]);
});

test('of refunds at the same time each is entered and made, or neither', async () => {
  const { medusaPayment, payment } = await shop.bought();
  const answers = await Promise.all([500, 500, 500].map((amount) => shop.refund(medusaPayment, amount)));
  const refused = answers.filter(({ status }) => status !== 200);
  for (const { status, json } of refused)
    expect([status, json.message]).toEqual([
      400,
      expect.stringMatching(/ is under way, .* try again later\. Nothing is given back twice\.$/),
    ]);
  const done = answers.length - refused.length;
  expect([await shop.givenBack(payment), (await shop.entered(medusaPayment)).refunds.length]).toEqual([
    done,
    done,
  ]);
  for (let tries = done; tries < 3; tries += 1)
    expect((await shop.refund(medusaPayment, 500)).status).toBe(200);
  expect([await shop.givenBack(payment), (await shop.entered(medusaPayment)).refunds]).toEqual([
    3,
    [500, 500, 500],
  ]);
});

test('a refund that the gateway refuses can be tried again', async () => {
  const { medusaPayment, payment } = await shop.bought();
  await shop.faults({ kind: 'status', operation: 'refund', status: 422 });
  const refused = await shop.refund(medusaPayment, 500);
  expect([refused.status, refused.json.message]).toEqual([400, expect.stringMatching(/^gateway-refused: /)]);
  expect((await shop.refund(medusaPayment, 500)).status).toBe(200);
  expect([await shop.givenBack(payment), (await shop.entered(medusaPayment)).refunds]).toEqual([1, [500]]);
});

test('what was given back in Tillfront’s console is entered before anything else is given back', async () => {
  const { medusaPayment, payment } = await shop.bought();
  expectStatus(await shop.client.post(`/v1/payments/${payment.id}/refunds`, { amount: '200.00' }), 201);
  const other = await shop.refund(medusaPayment, 300);
  expect([other.status, other.json.message]).toEqual([
    400,
    '200.00 NGN was given back that Medusa does not know of. Refund this amount first: it is only entered, and not given back again.',
  ]);
  expect((await shop.refund(medusaPayment, 200)).status).toBe(200);
  expect((await shop.refund(medusaPayment, 300)).status).toBe(200);
  expect((await shop.entered(medusaPayment)).refunds).toEqual([200, 300]);
  expect((await shop.client.getPayment(payment.id)).amountRefunded).toBe('500.00');
});

test('a gateway without refunds gives the whole back by a void, once', async () => {
  const { medusaPayment, payment } = await shop.bought();
  await shop.restartTillfront(false);
  expect((await shop.refund(medusaPayment, 500)).status).toBe(400);
  const of = { client_ref: payment.gatewayReference };
  await shop.faults({ kind: 'silent', operation: 'void', processed: true, ...of });
  expect((await shop.refund(medusaPayment, 1500)).status).toBe(500);
  await until(async () => (await shop.client.getPayment(payment.id)).status === 'voided');
  expect((await shop.refund(medusaPayment, 1500)).status).toBe(200);
  expect((await shop.entered(medusaPayment)).refunds).toEqual([1500]);
});
