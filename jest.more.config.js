import { heavy, default as usual } from './jest.config.js';

/**
 * `npm run test:more`: what `npm test` leaves out because it starts browsers, renders charts, runs the documentation's examples,
 * kills processes at every boundary, or attacks the service for minutes.
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
