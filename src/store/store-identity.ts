import type { Kysely } from 'kysely';
import type { Tables } from './schema.js';

/** The gateway and mode that a store belongs to: payments of one must never be looked up at another. */
export interface StoreIdentity {
  gatewayOrigin: string;
  mode: 'test' | 'live';
}

/** The store belongs to another gateway or mode. */
export class ForeignStore extends Error {
  constructor(found: string, wanted: string) {
    super(
      `This store belongs to the gateway ${found}, and the configuration names ${wanted}: ` +
        'payments of one gateway must not be mixed with those of another. ' +
        'Correct GATEWAY_BASE_URL or GATEWAY_MODE, or use another DATA_DIR or DATABASE_URL.',
    );
    this.name = 'ForeignStore';
  }
}

/** Writes the identity at the first start. Throws at a later one if it differs. */
export async function claimIdentity(db: Kysely<Tables>, identity: StoreIdentity): Promise<void> {
  const wanted = `${identity.gatewayOrigin} (${identity.mode})`;
  await db
    .insertInto('meta')
    .values({ name: 'gateway', value: wanted })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { value: found } = await db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', 'gateway')
    .executeTakeFirstOrThrow();
  if (found !== wanted) throw new ForeignStore(found, wanted);
}
