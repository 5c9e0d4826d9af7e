import { createServer, type ServerResponse } from 'node:http';

/**
 * The cheapest gateway that there can be: every card is paid at once, or after `DELAY_MS` and whatever `POST /delay/<ms>`
 * says later. Both cores are shared with what is measured, so it does as little as possible.
 */
let delayMs = Number(process.env['DELAY_MS'] ?? 0);
let answered = 0;

function answer(outgoing: ServerResponse, body: string): void {
  const amount = /"amount":"([0-9.]+)"/.exec(body)?.[1] ?? '';
  const reference = /"client_ref":"([^"]+)"/.exec(body)?.[1] ?? '';
  answered++;
  const text = `{"error":false,"message":"Approved","data":{"status":"SUCCESSFUL","transactionRef":"T${String(answered)}","client_ref":"${reference}","amount":"${amount}","currency":"NGN"}}`;
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  outgoing.end(text);
}

createServer({ keepAliveTimeout: 120_000 }, (incoming, outgoing) => {
  const delay = /^\/delay\/(\d+)$/.exec(incoming.url ?? '');
  if (delay) {
    delayMs = Number(delay[1]);
    outgoing.end();
    return;
  }
  let body = '';
  incoming.setEncoding('latin1').on('data', (text: string) => (body += text));
  incoming.on('end', () => {
    if (delayMs === 0) answer(outgoing, body);
    else setTimeout(answer, delayMs, outgoing, body);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
