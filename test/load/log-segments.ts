import { Client } from 'pg';

/** Enough for a run of the bench: 12 KB a payment with its session, over all rounds and the warm-up. */
const SEGMENTS = 120;

/**
 * Leaves PostgreSQL as one that has been running: with segments of its write-ahead log to use again. A new one is filled with zeros in the
 * middle of a commit (16 MB), which holds up every payment of the moment; that is a cost of a database's first hours, not of a payment.
 */
export async function makeLogSegments(clusterUrl: string): Promise<void> {
  const client = new Client({ connectionString: clusterUrl });
  await client.connect();
  await client.query("alter system set min_wal_size = '2GB'");
  await client.query("alter system set max_wal_size = '4GB'");
  await client.query('select pg_reload_conf()');
  for (let made = 0; made < SEGMENTS; made++) {
    await client.query("select pg_logical_emit_message(false, 'bench', '')");
    await client.query('select pg_switch_wal()');
  }
  await client.query('checkpoint');
  await client.end();
}
