import { expect, test } from '@jest/globals';
import { format, inspect } from 'node:util';
import { Secret } from './secret.js';

test.each<[string, (value: unknown) => string]>([
  ['a template', (value) => `${String(value)}`],
  ['concatenation', (value) => 'x' + String(value)],
  ['JSON', (value) => JSON.stringify({ value })],
  ['inspect', (value) => inspect(value, { showHidden: true, depth: 9 })],
  ['format', (value) => format('%s %j %o %O', value, value, value, value)],
  ['an error message', (value) => new Error(String(value)).message],
  ['its own members', (value) => JSON.stringify(Object.getOwnPropertyDescriptors(value))],
])('%s does not show a secret', (_name, show) => {
  for (const secret of [new Secret('hunter2'), new Secret({ deep: 'hunter2' }), new Secret(['hunter2'])]) {
    expect(show(secret)).not.toContain('hunter2');
  }
});

test('what a secret shows instead says what it is', () => {
  expect(`${new Secret('x').toString()} ${JSON.stringify(new Secret('x'))} ${inspect(new Secret('x'))}`).toBe(
    '[secret] "[secret]" [secret]',
  );
});

test('only unwrap hands the value out', () => {
  expect(new Secret('hunter2').unwrap()).toBe('hunter2');
});
