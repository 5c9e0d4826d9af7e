interface Payment {
  id: string;
  status: string;
  amount: string;
  currency: string;
  livemode: boolean;
  duplicateOf: string | null;
  amountRefunded: string | null;
  disputed: boolean;
  needsAttention: boolean;
}

/** The payment that pays an order, if there is one. */
async function paidBy(order: {
  number: string;
  total: string;
  currency: string;
}): Promise<Payment | undefined> {
  const query = new URLSearchParams({ reference: order.number, status: 'succeeded' });
  const response = await fetch(`${process.env.TILLFRONT_URL}/v1/payments?${query.toString()}`, {
    headers: { authorization: `Bearer ${process.env.MERCHANT_API_KEY}` },
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const { data } = (await response.json()) as { data: Payment[] };
  return data.find(
    (payment) =>
      payment.amount === order.total &&
      payment.currency === order.currency &&
      payment.duplicateOf === null &&
      !payment.needsAttention &&
      // Money that was given back, or charged back, leaves it `succeeded`.
      payment.amountRefunded === null &&
      !payment.disputed &&
      // Test money ships nothing.
      payment.livemode === (process.env.NODE_ENV === 'production'),
  );
}

const payment = await paidBy({ number: process.argv[2] ?? '', total: '1500.00', currency: 'NGN' });
console.log(payment ? `ship: paid by ${payment.id}` : 'wait: not paid');
