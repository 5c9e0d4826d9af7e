import { heavy, default as usual } from './jest.config.js';

/**
 * `npm run test:more`: what `npm test` leaves out because it starts browsers, renders charts, or runs the documentation's examples.
 * `.ci/run` runs both.
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
