import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * The cheapest gateway that there can be: every card is paid at once, or after `DELAY_MS` and whatever `POST /delay/<ms>`
 * says later. Both cores are shared with what is measured, so it does as little as possible. What a reference begins with can say
 * otherwise: `open` stays open, and of `lost` the answer never comes.
 */
let delayMs = Number(process.env['DELAY_MS'] ?? 0);
let answered = 0;
/** When the state of a lost payment was first asked about, in milliseconds since the epoch. */
const asked = new Map<string, number>();

function answer(outgoing: ServerResponse, body: string): void {
  const amount = /"amount":"([0-9.]+)"/.exec(body)?.[1] ?? '';
  const reference = /"client_ref":"([^"]+)"/.exec(body)?.[1] ?? '';
  if (reference.startsWith('lost')) {
    outgoing.destroy();
    return;
  }
  answered++;
  const status = reference.startsWith('open') ? 'PENDING' : 'SUCCESSFUL';
  send(
    outgoing,
    `{"error":false,"message":"Approved","data":{"status":"${status}","transactionRef":"T${String(answered)}","client_ref":"${reference}","amount":"${amount}","currency":"NGN"}}`,
  );
}

function send(outgoing: ServerResponse, text: string): void {
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  outgoing.end(text);
}

/** What is not a payment: the bench's own questions, and the service's about a payment. Says whether it was one of them. */
function isQuestion({ url = '' }: IncomingMessage, outgoing: ServerResponse): boolean {
  const delay = /^\/delay\/(\d+)$/.exec(url);
  if (delay) {
    delayMs = Number(delay[1]);
    outgoing.end();
    return true;
  }
  const when = /^\/asked\/([\w.-]+)$/.exec(url)?.[1];
  if (when !== undefined) {
    send(outgoing, JSON.stringify(asked.get(when) ?? null));
    return true;
  }
  const reference = /\/transaction\/([\w.-]+)$/.exec(url)?.[1];
  if (reference === undefined) return false;
  if (reference.startsWith('lost') && !asked.has(reference)) asked.set(reference, Date.now());
  send(
    outgoing,
    `{"error":false,"message":"Pending","data":{"status":"PENDING","client_ref":"${reference}","amount":"1500.00","currency":"NGN"}}`,
  );
  return true;
}

createServer({ keepAliveTimeout: 120_000 }, (incoming, outgoing) => {
  if (isQuestion(incoming, outgoing)) return;
  let body = '';
  incoming.setEncoding('latin1').on('data', (text: string) => (body += text));
  incoming.on('end', () => {
    if (delayMs === 0) answer(outgoing, body);
    else setTimeout(answer, delayMs, outgoing, body);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
