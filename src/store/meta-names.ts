/** Names of rows of `meta` that more than one room knows. */

/** What of the ledger has been summed: see `reports/movement-sums.repository.ts`. */
export const SUMMED_MOVEMENTS = 'summed_movements';
