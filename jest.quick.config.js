import usual from './jest.config.js';

/**
 * `npm run test:quick`: the units, and the service over HTTP on the embedded store alone. What needs a browser, crashes, load
 * or PostgreSQL is left to `npm test`, which runs everything.
 *
 * @type {import('jest').Config}
 */
export default {
  ...usual,
  globals: { testStores: ['embedded'] },
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/{e2e,http}/**/*.spec.ts'],
};
