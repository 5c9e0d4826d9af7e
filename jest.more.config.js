import { heavy, default as usual } from './jest.config.js';

/**
 * `npm run test:more`: what `npm test` leaves out, for the reasons in jest.config.js. `.ci/run` runs both.
 *
 * @type {import('jest').Config}
 */
export default {
  ...usual,
  testMatch: undefined,
  testRegex: heavy,
  testPathIgnorePatterns: [],
  maxConcurrency: 2,
};
