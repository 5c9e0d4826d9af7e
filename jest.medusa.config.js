import config from './jest.config.js';

/** The example for Medusa alone: its packages are heavy, so the usual run leaves it out. `npm run examples:medusa` runs it. */
/** @type {import('jest').Config} */
export default { ...config, roots: ['<rootDir>/test/medusa'], testPathIgnorePatterns: [] };
