import fc from 'fast-check';

/**
 * Uses the same cases in every run, so that a failing test fails for everybody. `PROPERTY_SEED` draws other cases,
 * `PROPERTY_RUNS` more of them.
 */
const seed = Number(process.env['PROPERTY_SEED'] ?? 1);
const runs = process.env['PROPERTY_RUNS'];

fc.configureGlobal({ seed, ...(runs !== undefined && { numRuns: Number(runs) }) });
