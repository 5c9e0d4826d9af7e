import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

/** What a peer's store holds. Counted over all rows with the right amount and currency. */
export interface Kept {
  /** Written before the gateway was asked, without an answer yet. */
  begun: number;
  /** Paid, with the gateway's own reference, and changed after they were made. */
  settled: number;
}

/** Where a peer stores payments, and how the bench looks into it. */
export interface PeerStore {
  /** How the peer finds it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether a commit there is synced to disk before it is acknowledged. `port` is the peer's. */
  isSynced(port: number): Promise<boolean>;
  kept(): Promise<Kept>;
  remove(): void;
}

/** One table that the peer has made. */
const COUNTS = `select
  count(case when status = 'SENT' and transaction_ref is null then 1 end) as begun,
  count(case when status = 'SUCCESSFUL' and transaction_ref like 'T%' and updated_at >= created_at then 1 end) as settled
  from payments where currency = 'NGN'`;

/** A database in PostgreSQL. `counting` asks for `Kept`, where the tables are not the peer's own. */
export function postgresPeerStore(databaseUrl: string, counting = `${COUNTS} and amount = 1500`): PeerStore {
  const ask = async (text: string): Promise<Record<string, string>> => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      return (await client.query<Record<string, string>>(text)).rows[0] ?? {};
    } finally {
      await client.end();
    }
  };
  return {
    environment: { DATABASE_URL: databaseUrl },
    isSynced: async () => {
      const settings = await ask(
        "select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits",
      );
      return settings['fsync'] === 'on' && settings['commits'] === 'on';
    },
    kept: async () => {
      const counts = await ask(counting);
      return { begun: Number(counts['begun']), settled: Number(counts['settled']) };
    },
    remove: () => undefined,
  };
}

const SYNCHRONOUS_FULL = 2;

/** A file of SQLite in a folder of its own. */
export function sqlitePeerStore(): PeerStore {
  const folder = mkdtempSync(join(tmpdir(), 'tillfront-bench-'));
  return {
    environment: { DATA_DIR: folder },
    isSynced: async (port) => {
      const answer = (await (await fetch(`http://127.0.0.1:${port}/ready`)).json()) as {
        synchronous?: number;
      };
      return answer.synchronous === SYNCHRONOUS_FULL;
    },
    kept: () => {
      const database = new DatabaseSync(join(folder, 'payments.db'), { readOnly: true });
      try {
        const counts = database.prepare(`${COUNTS} and amount = '1500.00'`).get();
        return Promise.resolve({ begun: Number(counts?.['begun']), settled: Number(counts?.['settled']) });
      } finally {
        database.close();
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
