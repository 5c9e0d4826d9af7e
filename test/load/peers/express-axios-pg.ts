import axios from 'axios';
import express from 'express';
import { Pool } from 'pg';

/**
 * What a competent merchant writes who wants to know afterwards what was sent: Express, axios, and one row of PostgreSQL, inserted before
 * the gateway is asked and updated after it has answered. A pool, prepared statements with parameters, each its own transaction. It checks
 * nothing and logs nothing.
 */
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
await pool.query(`create table if not exists payments (
  reference text primary key, amount numeric(14, 2) not null, currency text not null, status text not null,
  transaction_ref text, created_at timestamptz not null default now(), updated_at timestamptz)`);

interface CardPayment {
  client_ref: string;
  amount: string;
  currency: string;
}
interface GatewayAnswer {
  data?: { status?: string; transactionRef?: string };
}

const app = express();
app.use(express.json());

app.get('/ready', (_request, response) => {
  response.json({});
});

app.post('/pay', async (request, response) => {
  const payment = request.body as CardPayment;
  try {
    await pool.query({
      name: 'insert-payment',
      text: "insert into payments (reference, amount, currency, status) values ($1, $2, $3, 'SENT')",
      values: [payment.client_ref, payment.amount, payment.currency],
    });
    const { status, data } = await axios.post<GatewayAnswer>(
      `${process.env['GATEWAY_BASE_URL'] ?? ''}/payment/card`,
      payment,
      {
        headers: {
          'x-api-key': process.env['GATEWAY_API_KEY'],
          'access-token': process.env['GATEWAY_ACCESS_TOKEN'],
        },
      },
    );
    await pool.query({
      name: 'update-payment',
      text: 'update payments set status = $2, transaction_ref = $3, updated_at = now() where reference = $1',
      values: [payment.client_ref, data.data?.status ?? 'UNKNOWN', data.data?.transactionRef ?? null],
    });
    response.status(status).json(data);
  } catch {
    response.status(502).json({ error: true });
  }
});

app.listen(Number(process.env['PORT']), '127.0.0.1');
