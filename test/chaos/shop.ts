import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './calls.ts';
import type { History } from './history.ts';

/** An event as it came in. */
export interface Delivered {
  id: string;
  type: string;
  aggregate: string;
  sequence: number;
  reference: string;
  body: string;
  /** Whether it was answered with 2xx as a whole. */
  accepted: boolean;
  signed: boolean;
  /** Its place among all that came. */
  order: number;
  /** When it was sent, by its stamp: milliseconds of the service's own clock, in whole seconds. */
  sentAt: number;
}

/** How the shop treats a delivery: accepts it, or is broken in one of the usual ways. */
export type ShopMood = 'accept' | 'fail' | 'reset' | 'accept-then-reset' | 'slow';

/** The merchant's server: takes events, checks their signature, and breaks on request. */
export interface Shop {
  readonly url: string;
  readonly path: string;
  readonly secret: string;
  readonly delivered: readonly Delivered[];
  /** The mood of the next deliveries about a reference, one after the other; then it accepts. */
  expect(reference: string, moods: readonly ShopMood[]): void;
  forget(): void;
  close(): Promise<void>;
}

export async function startShop(history: History): Promise<Shop> {
  const secret = `whsec_${Buffer.from('a shop secret of thirty-two bytes').toString('base64')}`;
  const moods = new Map<string, ShopMood[]>();
  let delivered: Delivered[] = [];
  let order = 0;

  const take = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const event = JSON.parse(body) as { id: string; type: string; sequence: number; data: Json };
    const reference = String(event.data['reference']);
    const mood = moods.get(reference)?.shift() ?? 'accept';
    order += 1;
    const record: Delivered = {
      id: event.id,
      type: event.type,
      aggregate: String(event.data['id']),
      sequence: event.sequence,
      reference,
      body,
      accepted: false,
      signed: isSigned(request, body, secret),
      order,
      sentAt: Number(request.headers['webhook-timestamp']) * 1_000,
    };
    delivered.push(record);
    history.note('shop', `${event.type} #${event.sequence} of ${record.aggregate}: ${mood}`);
    const accept = (): void => {
      record.accepted = true;
      response.writeHead(204).end();
    };
    if (mood === 'accept') accept();
    else if (mood === 'slow') setTimeout(accept, 150).unref();
    else if (mood === 'fail') response.writeHead(503).end();
    else {
      // The shop has done its part of the work in one of the two cases; nobody can tell.
      record.accepted = mood === 'accept-then-reset';
      request.socket.resetAndDestroy();
    }
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => take(request, response, Buffer.concat(chunks).toString('utf8')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const path = '/hooks';
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    path,
    secret,
    get delivered() {
      return delivered;
    },
    expect: (reference, next) => void moods.set(reference, [...next]),
    forget: () => {
      delivered = [];
      moods.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The signature alone: what time it names is the service's clock, which a trial may have moved. */
function isSigned({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}
