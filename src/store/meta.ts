import type { Store } from './store.js';

/** What of the ledger has been summed: see `reports/movement-sums.repository.ts`. More rooms than one know it. */
export const SUMMED_MOVEMENTS = 'summed_movements';

type Meta = Pick<Store, 'db'>;

/** What a row of `meta` says; undefined: there is none of this name. */
export async function readMeta({ db }: Meta, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Writes a row of `meta` in place of the former one. */
export async function writeMeta({ db }: Meta, name: string, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
