/**
 * What `npm run test:more` runs: browsers, deployment, drills, packages in other languages, the documentation's examples, and what
 * kills real processes or attacks them for minutes.
 */
export const heavy = [
  '/test/browser/.+\\.spec\\.ts$',
  '/test/chaos/.+\\.spec\\.ts$',
  '/test/deploy/.+\\.spec\\.ts$',
  '/test/docs/(?:commands|examples|receivers)\\.spec\\.ts$',
  '/test/drills/.+\\.spec\\.ts$',
  '/test/packages/(?:other-languages|react|woocommerce)\\.spec\\.ts$',
  '/test/http/api-docs\\.spec\\.ts$',
  '/test/security/budget\\.spec\\.ts$',
  '/test/sandbox/pages-in-browser\\.spec\\.ts$',
];

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // It needs packages of its own: see jest.medusa.config.js.
  testPathIgnorePatterns: ['<rootDir>/test/medusa/', ...heavy],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // Only files with properties load it, which takes a while: most have none.
    '^fast-check$': '<rootDir>/test/setup/properties.ts',
  },
  transform: {
    '/examples/medusa/.+\\.ts$': '<rootDir>/test/setup/strip-types.js',
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
