import express from 'express';
import type { AddressInfo } from 'node:net';
import { charge } from './card-payment.ts';

/** What merchants copy: Express and axios, nothing stored. */
const app = express().use(express.json());
app.post('/pay', async (request, response) => {
  response.status(201).json(await charge(request.body as never));
});
const server = app.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
