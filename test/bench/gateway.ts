import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A gateway that costs next to nothing: it says yes to every card, after as long as its parent has told it to wait. A process of
 * its own, so that its work is nobody's.
 */

let delayMs = 0;
let payments = 0;
process.on('message', (message: { delayMs: number }) => (delayMs = message.delayMs));

const server = createServer((request, response) => {
  let body = '';
  request
    .setEncoding('utf8')
    .on('data', (text: string) => (body += text))
    .once('end', () => {
      // A card of 13.00 gets no answer.
      if (body.includes('"13.00"') && request.url === '/payment/card') return void request.socket.destroy();
      const asked = /^\/transaction\/(.+)_\d+$/.exec(request.url ?? '')?.[1];
      if (asked !== undefined) process.send?.({ asked });
      // Cards are paid at once, all else is waited for.
      const status = request.url === '/payment/card' ? 'SUCCESSFUL' : 'PENDING';
      const transactionRef = `TX${process.pid}-${(payments += 1)}`;
      const answer = JSON.stringify({
        error: false,
        message: 'Approved',
        data: { transactionRef, transaction: { status } },
      });
      const send = (): void => void response.setHeader('content-type', 'application/json').end(answer);
      if (delayMs > 0) setTimeout(send, delayMs);
      else send();
    });
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
