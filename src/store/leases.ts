import type { Kysely } from 'kysely';
import type { Tables } from './database-types.js';
import type { Lease } from './schema.js';

/**
 * No lease lasts longer. One that seems to was taken before the clock was set back, and would otherwise last longer by
 * as much.
 */
const LONGEST_LEASE_MS = 60_000;

/** Whether anybody holds the lease now. It is taken anew each time, also by the same process. */
export function isHeld(lease: Lease, now: number): boolean {
  return lease.owner !== null && lease.until > now && lease.until - now <= LONGEST_LEASE_MS;
}

/** The lease after `owner` took it, with the next fencing number. */
export function taken(lease: Lease, owner: string, until: number): Lease {
  return { owner, until, fence: lease.fence + 1 };
}

/**
 * Takes or renews the named lease for `milliseconds`. Returns its fencing number, or undefined where another owner
 * holds it. The same statement serves both stores: a conditional upsert is the compare-and-set.
 */
export async function takeNamedLease(
  db: Kysely<Tables>,
  name: string,
  owner: string,
  now: number,
  milliseconds: number,
): Promise<number | undefined> {
  const row = await db
    .insertInto('leases')
    .values({ name, owner, until: now + milliseconds, fence: 1 })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({ owner, until: now + milliseconds, fence: eb('leases.fence', '+', 1) }))
        .where((eb) =>
          eb.or([
            eb('leases.owner', '=', owner),
            eb('leases.owner', 'is', null),
            eb('leases.until', '<', now),
            eb('leases.until', '>', now + LONGEST_LEASE_MS),
          ]),
        ),
    )
    .returning('fence')
    .executeTakeFirst();
  return row?.fence;
}

/** Gives a named lease back early, so that other processes need not wait for its end. */
export async function releaseNamedLease(db: Kysely<Tables>, name: string, owner: string): Promise<void> {
  await db
    .updateTable('leases')
    .set({ owner: null, until: 0 })
    .where('name', '=', name)
    .where('owner', '=', owner)
    .execute();
}
