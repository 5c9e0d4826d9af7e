import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { CLOSED, STOPPED } from './shutdown.js';

const listed = new Set(
  [...STOPPED, ...CLOSED].flat().map((part) => (part as unknown as { name: string }).name),
);
const sources = globSync('src/**/*.ts', { exclude: (name) => name.endsWith('.spec.ts') }).map((file) => ({
  file,
  text: readFileSync(file, 'utf8'),
}));

test('whatever runs again and again is stopped', () => {
  const tasks = sources.flatMap(({ text }) => [...text.matchAll(/class (\w+) extends PeriodicTask\b/g)]);
  expect(tasks.length).toBeGreaterThan(0);
  for (const [, name] of tasks) expect(listed).toContain(name);
});

test('nothing ends by itself, in an order that stands nowhere', () => {
  const own = sources.filter(({ text }) =>
    /\b(before|on)ApplicationShutdown\b|\bonModuleDestroy\b/.test(text),
  );
  expect(own.map(({ file }) => file)).toEqual(['src/shutdown.ts']);
});
