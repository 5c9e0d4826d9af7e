/**
 * What a card payment that is paid at once may write, with all features on. Each bound stands just above what is measured: a change that
 * writes more fails, and one that writes less lowers its bound here. `oneByOne`: payments one after the other. `together`: 32 under way at once.
 * How many share a commit depends on how busy the machine is, so SQLite's pages have more room there (5 to 14 were seen; 27 to 31 one after the other, 38 with the ledger's entry and its indexes), and the rows
 * of payments one after the other too (16.3 to 17.6): on a slow machine each gets a round of the sequencer for itself.
 */
export const BOUNDS = {
  postgres: {
    oneByOne: { rows: 12, logBytes: 8_100 },
    together: { rows: 10, logBytes: 7_600 },
  },
  embedded: {
    oneByOne: { frames: 39 },
    together: { frames: 18 },
  },
} as const;
