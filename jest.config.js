/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // It needs packages of its own: see jest.medusa.config.js.
  testPathIgnorePatterns: ['<rootDir>/test/medusa/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '/examples/medusa/.+\\.ts$': '<rootDir>/test/setup/strip-types.js',
    '^.+\\.ts$': ['ts-jest', { useESM: true, tsconfig: 'tsconfig.test.json', diagnostics: false }],
  },
  globalSetup: '<rootDir>/test/setup/global-setup.ts',
  globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
  setupFiles: ['<rootDir>/test/setup/properties.ts'],
  testSequencer: '<rootDir>/test/setup/long-first.js',
  reporters: ['default', '<rootDir>/test/setup/slowest-files.ts'],
  // Only for what hangs: a busy machine may take its time.
  testTimeout: 120_000,
  // More than a small machine has cores, because most files wait most of the time: for a process, a browser, a lease.
  maxWorkers: 4,
};
