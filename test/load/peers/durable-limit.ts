import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Pool } from 'undici';

/**
 * The limit of a durable server on Node.js: a bare `node:http` server and an undici pool, with one row of SQLite inserted before the gateway
 * is asked and updated after it has answered. Rows that wait at the same time share one commit with its fsync (`synchronous=FULL`), and
 * each is answered after its own. It checks nothing and logs nothing.
 */
const database = new DatabaseSync(join(process.env['DATA_DIR'] ?? '.', 'payments.db'));
database.exec('pragma journal_mode = wal');
database.exec('pragma synchronous = full');
database.exec(`create table if not exists payments (
  reference text primary key, amount text not null, currency text not null, status text not null,
  transaction_ref text, created_at integer not null, updated_at integer) without rowid`);
const insert = database.prepare(
  "insert into payments (reference, amount, currency, status, created_at) values (?, ?, ?, 'SENT', ?)",
);
const update = database.prepare(
  'update payments set status = ?, transaction_ref = ?, updated_at = ? where reference = ?',
);

interface Waiting {
  write: () => void;
  resolve: () => void;
  reject: (error: Error) => void;
}
let waiting: Waiting[] = [];

function commit(): void {
  const batch = waiting;
  waiting = [];
  const written: Waiting[] = [];
  database.exec('begin immediate');
  for (const one of batch) {
    try {
      one.write();
      written.push(one);
    } catch (error) {
      // SQLite undoes the statement alone: one bad row does not fail the others.
      one.reject(error as Error);
    }
  }
  database.exec('commit');
  for (const one of written) one.resolve();
}

/** Resolves after the commit that holds what `write` has written. */
function durably(write: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) setImmediate(commit);
    waiting.push({ write, resolve, reject });
  });
}

const gateway = new Pool(new URL(process.env['GATEWAY_BASE_URL'] ?? '').origin, { connections: 256 });
const headers = {
  'content-type': 'application/json',
  'x-api-key': process.env['GATEWAY_API_KEY'] ?? '',
  'access-token': process.env['GATEWAY_ACCESS_TOKEN'] ?? '',
};

interface CardPayment {
  client_ref: string;
  amount: string;
  currency: string;
}
interface GatewayAnswer {
  data?: { status?: string; transactionRef?: string };
}

async function pay(text: string): Promise<{ status: number; body: string }> {
  const payment = JSON.parse(text) as CardPayment;
  await durably(() => insert.run(payment.client_ref, payment.amount, payment.currency, Date.now()));
  const { statusCode, body } = await gateway.request({
    method: 'POST',
    path: '/api/v1/payment/card',
    headers,
    body: JSON.stringify(payment),
  });
  const answer = JSON.parse(await body.text()) as GatewayAnswer;
  await durably(() =>
    update.run(
      answer.data?.status ?? 'UNKNOWN',
      answer.data?.transactionRef ?? null,
      Date.now(),
      payment.client_ref,
    ),
  );
  return { status: statusCode, body: JSON.stringify(answer) };
}

createServer((incoming, outgoing) => {
  const send = ({ status, body }: { status: number; body: string }): void => {
    outgoing.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    outgoing.end(body);
  };
  if (incoming.method !== 'POST') {
    // Settings of a connection, which nobody else can see: the bench asks whether a commit is synced.
    const { synchronous } = database.prepare('pragma synchronous').get() as { synchronous: number };
    send({ status: 200, body: JSON.stringify({ synchronous }) });
    return;
  }
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    pay(Buffer.concat(chunks).toString('utf8')).then(send, () =>
      send({ status: 502, body: '{"error":true}' }),
    );
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
