import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Scene } from '../harness/scene.js';

/** What a statement gives of the store of a running service. */
export async function storedRows(
  { tillfront }: Pick<Scene, 'tillfront'>,
  statement: string,
): Promise<Record<string, unknown>[]> {
  if (tillfront.databaseUrl === undefined) {
    const database = new DatabaseSync(join(tillfront.dataDir, 'tillfront.db'), { timeout: 5_000 });
    const rows = database.prepare(statement).all();
    database.close();
    return rows.map((row) => ({ ...row }));
  }
  const client = new Client({ connectionString: tillfront.databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Moves times in the store, for what else takes hours. */
async function execute(scene: Pick<Scene, 'tillfront'>, statement: string): Promise<void> {
  await storedRows(scene, statement);
}

/** The session's time is over, so many seconds ago. */
export function endSession(
  scene: Pick<Scene, 'tillfront'>,
  { id }: { id: string },
  secondsAgo = 1,
): Promise<void> {
  const ended = Date.now() - secondsAgo * 1000;
  return execute(scene, `update checkout_sessions set expires_at = ${ended} where id = '${id}'`);
}

/** Nothing conclusive has been heard of the payment for so long. */
export function silenceSince(
  scene: Pick<Scene, 'tillfront'>,
  { id }: { id: string },
  milliseconds: number,
): Promise<void> {
  const since = Date.now() - milliseconds;
  return execute(
    scene,
    `update payments set open_since = ${since}, created_at = ${since} where id = '${id}'`,
  );
}

/** The money has been held for so long, and the payment is due to be asked about. */
export function heldFor(
  scene: Pick<Scene, 'tillfront'>,
  { id }: { id: string },
  milliseconds: number,
): Promise<void> {
  const now = Date.now();
  return execute(
    scene,
    `update payments set held_since = ${now - milliseconds}, next_status_check_at = ${now} where id = '${id}'`,
  );
}

/** The payment was closed so long ago, and is due to be asked about. */
export function closedAgo(
  scene: Pick<Scene, 'tillfront'>,
  { id }: { id: string },
  milliseconds: number,
): Promise<void> {
  const now = Date.now();
  return execute(
    scene,
    `update payments set closed_at = ${now - milliseconds}, next_status_check_at = ${now} where id = '${id}' and closed_at is not null`,
  );
}

/** Settles what the payment's open operation was, as another process would that had found out how the payment stands. */
export async function settleMeanwhile(
  scene: Pick<Scene, 'tillfront'>,
  { id, reference }: { id: string; reference: string },
  status: 'failed' | 'succeeded' | 'authorized',
): Promise<void> {
  const facts = {
    failed: `amount_captured = null, failure = '{"code":"gateway_never_received","message":"x","retryable":true}'`,
    succeeded: 'amount_captured = amount, failure = null',
    authorized: 'amount_captured = null, failure = null',
  }[status];
  const none = '[]';
  const ids = JSON.stringify([id]);
  await execute(
    scene,
    `update operations set status = 'refused' where payment_id = '${id}' and status = 'intended'`,
  );
  await execute(
    scene,
    `update payments set status = '${status}', ${facts}, pay_status = case pay_status when 'intended' then 'refused' else pay_status end, lease_owner = null, lease_until = 0, lease_fence = lease_fence + 1, closed_at = ${Date.now()}, next_status_check_at = ${Date.now() + 3_600_000} where id = '${id}'`,
  );
  await execute(
    scene,
    `update payment_references set live_payment_ids = '${status === 'authorized' ? ids : none}', paid_payment_ids = '${status === 'succeeded' ? ids : none}', version = version + 1 where reference = '${reference}'`,
  );
}
