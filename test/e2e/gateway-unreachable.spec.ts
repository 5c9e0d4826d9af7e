import { afterEach, expect, test } from '@jest/globals';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expectStatus, problemOf, TillfrontClient } from '../harness/client.js';
import { startMisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { freePort } from '../setup/free-port.js';

/** Nothing was sent, so nothing can have been paid: the payment fails at once and may be tried again. */

let tillfront: Tillfront | undefined;
afterEach(async () => {
  await tillfront?.stop();
  tillfront = undefined;
});

async function expectUnavailable(gatewayUrl: string): Promise<void> {
  tillfront = await startTillfront({ store: 'embedded', gatewayUrl, env: { GATEWAY_TIMEOUT_MS: '4000' } });
  const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  const session = await client.createSession();
  for (const pay of [client.payCard(session), undefined]) {
    const problem = problemOf(expectStatus(await (pay ?? client.payWallet(session)), 503));
    expect(problem.code).toBe('gateway-unavailable');
    const payment = await client.getPayment(problem.paymentId ?? '');
    expect(payment).toMatchObject({
      status: 'failed',
      failure: { code: 'gateway_unavailable', retryable: true },
      pendingOperation: null,
    });
  }
  const references = (await client.paymentsOf(session.reference)).map((payment) => payment.gatewayReference);
  expect(references.sort()).toEqual([`${session.reference}_1`, `${session.reference}_2`]);
}

test('the connection is refused', async () => {
  await expectUnavailable(`http://127.0.0.1:${await freePort()}`);
});

test('the name does not resolve', async () => {
  await expectUnavailable('http://gateway.invalid');
});

test('the other side does not speak TLS', async () => {
  const gateway = await startMisbehavingGateway();
  await expectUnavailable(gateway.url.replace('http:', 'https:'));
  await gateway.close();
});

test('the TLS handshake is cut off', async () => {
  const server: Server = createServer((socket) =>
    socket.once('data', () => socket.resetAndDestroy()).on('error', () => socket.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await expectUnavailable(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await new Promise((resolve) => server.close(resolve));
});
