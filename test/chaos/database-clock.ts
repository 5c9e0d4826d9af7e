import { Client } from 'pg';

/**
 * A database whose clock runs as fast as the harness's processes, and can be set: by a function that stands before
 * PostgreSQL's own where names are looked up. It holds for connections that are made from now on.
 */
export async function quickenDatabase(
  url: string,
  { since, speed }: { since: number; speed: number },
): Promise<void> {
  await withClient(url, async (client) => {
    const name = client.escapeIdentifier(new URL(url).pathname.slice(1));
    await client.query(`
      create schema harness;
      create table harness.clock (offset_seconds float8 not null);
      insert into harness.clock values (0);
      create function public.clock_timestamp() returns timestamptz language sql volatile as $$
        select to_timestamp(
          ${since / 1000} + (extract(epoch from pg_catalog.clock_timestamp()) - ${since / 1000}) * ${speed}
            + (select offset_seconds from harness.clock)
        )
      $$;
      alter database ${name} set search_path = public, pg_catalog;
    `);
  });
}

/** Sets the clock of such a database forward, or back. */
export async function stepDatabaseClock(url: string, milliseconds: number): Promise<void> {
  await withClient(url, (client) =>
    client.query('update harness.clock set offset_seconds = offset_seconds + $1', [milliseconds / 1000]),
  );
}

async function withClient(url: string, use: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}
