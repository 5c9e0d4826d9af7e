import usual from '../../jest.config.js';

/** The unit tests of the code that is mutated: they start nothing, so thousands of mutants can be tried. */
const rest = { ...usual };
for (const started of ['globalSetup', 'globalTeardown', 'maxWorkers']) delete rest[started];

/** @type {import('jest').Config} */
export default {
  ...rest,
  rootDir: '../..',
  roots: ['<rootDir>/src'],
  testMatch: [
    '**/src/money/*.spec.ts',
    '**/src/idempotency/*.spec.ts',
    '**/src/payments/(state|interpret|apply)/*.spec.ts',
    '**/src/gateway/answers/outcome.spec.ts',
    '**/src/merchant-webhooks/signature.spec.ts',
  ],
};
