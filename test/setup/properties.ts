import fc from '../../node_modules/fast-check/lib/fast-check.js';

/**
 * What tests get for `fast-check` (jest.config.js): it uses the same cases in every run, so that a failing test fails for everybody.
 * `PROPERTY_SEED` draws other cases, `PROPERTY_RUNS` more of them.
 */
const seed = Number(process.env['PROPERTY_SEED'] ?? 1);
const runs = process.env['PROPERTY_RUNS'];

fc.configureGlobal({ seed, ...(runs !== undefined && { numRuns: Number(runs) }) });

export * from '../../node_modules/fast-check/lib/fast-check.js';
export default fc;
