/**
 * What `npm run test:more` runs and `npm test` leaves out, by reason. A new test belongs here if it takes more than half a minute
 * alone, or if it has one of the reasons.
 */
export const heavy = [
  // Browsers, deployment, other languages, the documentation's examples.
  '/test/browser/.+\\.spec\\.ts$',
  '/test/deploy/.+\\.spec\\.ts$',
  '/test/docs/(?:commands|examples|receivers)\\.spec\\.ts$',
  '/test/packages/.+\\.spec\\.ts$',
  '/test/sandbox/(?:faults|pages-in-browser|process)\\.spec\\.ts$',
  // Processes that are killed or cut off, several replicas, starts from every state of a store.
  '/test/cli/.+\\.spec\\.ts$',
  '/test/e2e/(?:gateway-unreachable|main-job|start|uncaught)\\.spec\\.ts$',
  '/test/store/restored\\.spec\\.ts$',
  '/test/simulation/real/.+\\.spec\\.ts$',
  // Attacks.
  '/test/security/(?:canary-scan|card-testing|hostile-http|listeners|outbound|process|strange-requests)\\.spec\\.ts$',
];

/** Whether the simulation finds each rule that is missing: half an hour, on demand (`npm run mutants`). */
export const onDemand = ['/test/simulation/mutants\\.spec\\.ts$'];

/** Who names a path gets it, wherever it belongs: `npm test -- test/security/canary-scan`. */
const named = process.argv.some((argument) => /^(?:src|test)\//.test(argument));

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: named ? [] : [...heavy, ...onDemand],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // Only files with properties load it, which takes a while: most have none.
    '^fast-check$': '<rootDir>/test/setup/properties.ts',
  },
  transform: {
    '^.+\\.ts$': ['ts-jest', { useESM: true, tsconfig: 'tsconfig.test.json', diagnostics: false }],
  },
  globalSetup: '<rootDir>/test/setup/global-setup.ts',
  globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
  testSequencer: '<rootDir>/test/setup/long-first.js',
  reporters: ['default', '<rootDir>/test/setup/slowest-files.ts'],
  // Only for what hangs: a busy machine may take its time.
  testTimeout: 120_000,
  // More than a small machine has cores, because most files wait most of the time: for a process, a browser, a lease.
  maxWorkers: 4,
};
