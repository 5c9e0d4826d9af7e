import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

export type Row = { readonly [column: string]: string | number | null };

/** Reads the store past the service, for what its interface does not show. */
export interface StoreReader {
  read(sql: string): Promise<Row[]>;
  close(): Promise<void>;
}

/** `postgres://…`, or the path of the embedded store's file. Opened at the first question. */
export function openReader(place: string): StoreReader {
  return place.startsWith('postgres') ? postgresReader(place) : sqliteReader(place);
}

function sqliteReader(path: string): StoreReader {
  let database: DatabaseSync | undefined;
  return {
    read: (sql) => {
      database ??= new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
      return Promise.resolve(database.prepare(sql).all() as Row[]);
    },
    close: () => {
      database?.close();
      return Promise.resolve();
    },
  };
}

function postgresReader(url: string): StoreReader {
  let client: Promise<Client> | undefined;
  const connect = async (): Promise<Client> => {
    const made = new Client({ connectionString: url });
    made.on('error', () => undefined);
    await made.connect();
    return made;
  };
  return {
    read: async (sql) => {
      client ??= connect();
      return (await (await client).query<Row>(sql)).rows;
    },
    close: async () => {
      await (await client)?.end();
    },
  };
}
