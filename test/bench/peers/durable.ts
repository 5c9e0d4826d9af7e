import express from 'express';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';
import { charge } from './card-payment.ts';

/** The same promise as Tillfront's in its smallest form: a row before the gateway is called, and its outcome after it. */
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
await pool.query(
  'create table payments (id uuid primary key, reference text not null unique, amount text not null, currency text not null, status text not null, transaction_ref text, created_at timestamptz not null default now(), updated_at timestamptz not null default now())',
);

const app = express().use(express.json());
app.post('/pay', async (request, response) => {
  const body = request.body as Parameters<typeof charge>[0];
  const id = randomUUID();
  await pool.query({
    name: 'begin',
    text: "insert into payments (id, reference, amount, currency, status) values ($1, $2, $3, $4, 'processing')",
    values: [id, body.reference, body.amount, body.currency],
  });
  const { status, transactionRef } = await charge(body);
  await pool.query({
    name: 'end',
    text: 'update payments set status = $2, transaction_ref = $3, updated_at = now() where id = $1',
    values: [id, status, transactionRef],
  });
  response.status(201).json({ id, status, transactionRef });
});
const server = app.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
