import { expect, test } from '@jest/globals';
import { readStartConfiguration, StartRefused } from './start-configuration.js';

function refusal(env: NodeJS.ProcessEnv): string {
  try {
    readStartConfiguration({ ...env, PORT: 'x' });
    return '';
  } catch (error) {
    return error instanceof StartRefused ? error.message : '';
  }
}

test.each([
  [{ GATEWAY_MODE: 'live' }, /^Production's rules are in force \(GATEWAY_MODE=live\)\.\n/],
  [{ NODE_ENV: 'production' }, /^Production's rules are in force \(NODE_ENV=production\)\.\n/],
  [{ NODE_ENV: 'test' }, /^Production's rules are not in force: neither /],
])('a start that is refused says by which rules: %j', (env, first) => {
  expect(refusal(env)).toMatch(first);
  expect(refusal(env)).toContain('  PORT must be a whole number');
});
