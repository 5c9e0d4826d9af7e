import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands between Tillfront and Medusa, and can hold events back, as an outage of Medusa would. */
export interface EventGate {
  readonly url: string;
  /** Events are refused until `open`. Tillfront tries again. */
  shut(): void;
  open(): void;
  /** How many events of a reference Medusa has taken. */
  taken(reference: string): number;
  close(): Promise<void>;
}

export async function startEventGate(target: string): Promise<EventGate> {
  let isOpen = true;
  const references: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      if (!isOpen) return response.writeHead(503).end();
      const answer = await fetch(target, { method: 'POST', headers: headersOf(request), body });
      const { data } = JSON.parse(body) as { data: { reference: string } };
      if (answer.ok) references.push(data.reference);
      return response.writeHead(answer.status).end(await answer.text());
    })().catch(() => response.writeHead(502).end());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut: () => (isOpen = false),
    open: () => (isOpen = true),
    taken: (wanted) => references.filter((reference) => reference === wanted).length,
    close: () => new Promise((done) => server.close(() => done())),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  let body = '';
  for await (const part of request) body += String(part);
  return body;
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}
