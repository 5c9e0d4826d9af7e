interface Session {
  id: string;
  clientToken: string;
  checkoutUrl: string;
}

interface Problem {
  code: string;
  detail: string;
  requestId: string;
  /** Which fields were refused. */
  errors?: { pointer: string; message: string }[];
}

async function createSession(order: { number: string; total: string; email: string }): Promise<Session> {
  const response = await fetch(`${process.env.TILLFRONT_URL}/v1/checkout-sessions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${process.env.MERCHANT_API_KEY}`,
      'content-type': 'application/json',
      // One key per session. After it has expired or was closed, use a new one: order-…-2.
      'idempotency-key': `order-${order.number}-1`,
    },
    body: JSON.stringify({
      reference: order.number,
      amount: order.total,
      currency: 'NGN',
      payer: { email: order.email },
      returnUrl: 'https://shop.example/thanks',
    }),
  });
  if (!response.ok) {
    const problem = (await response.json()) as Problem;
    const fields = (problem.errors ?? []).map(({ pointer, message }) => `\n  ${pointer} ${message}`);
    throw new Error(`${problem.code}: ${problem.detail} (${problem.requestId})${fields.join('')}`);
  }
  return (await response.json()) as Session;
}

const session = await createSession({ number: 'TS-1001', total: '1500.00', email: 'ada@example.com' });
console.log(session.checkoutUrl);
