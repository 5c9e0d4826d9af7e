import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { oldNodeRemedy } from './node-version.js';

test.each(['20.20.2', '22.18.0', '24.8.9'])('%s is too old', (version) => {
  expect(oldNodeRemedy(version)?.fault).toBe(`Node.js ${version} is older than 24.9.`);
});

test.each(['24.9.0', '24.10.1', '26.10.0', '30.0.0'])('%s will do', (version) => {
  expect(oldNodeRemedy(version)).toBeUndefined();
});

test('it is the version that package.json names', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe('>=24.9');
  expect(oldNodeRemedy('24.8.0')?.fault).toContain(engines.node.replace('>=', 'older than '));
});
