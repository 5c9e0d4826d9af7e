import fc from 'fast-check';

/**
 * The same cases in every run, so that a red test is red for everybody: `PROPERTY_SEED` draws others, `PROPERTY_RUNS` more of them.
 */
const seed = Number(process.env['PROPERTY_SEED'] ?? 1);
const runs = process.env['PROPERTY_RUNS'];

fc.configureGlobal({ seed, ...(runs !== undefined && { numRuns: Number(runs) }) });
