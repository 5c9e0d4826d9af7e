import usual from './jest.config.js';

/**
 * `npm run test:quick`: the units, and the service over HTTP on the embedded store alone. PostgreSQL and everything else is left
 * to `npm test` and `npm run test:more`.
 *
 * @type {import('jest').Config}
 */
export default {
  ...usual,
  globals: { testStores: ['embedded'] },
  // They wait for the timeouts of slow clients.
  testPathIgnorePatterns: [
    ...usual.testPathIgnorePatterns,
    '/test/(?:e2e/raw-http|http/before-the-framework)\\.spec\\.ts$',
  ],
  // Each worker costs a second of processor time before its first test.
  maxWorkers: 3,
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/{e2e,http}/**/*.spec.ts'],
};
