import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { runCli } from '../cli/run-cli.js';

const text = readFileSync('docs/cli.md', 'utf8');

/** The documented commands with their options. */
const documented = [...text.matchAll(/^## `tillfront ([a-z -]+)`\n([^]*?)(?=^## |$(?![^]))/gm)].map(
  ([, command = '', section = '']) => ({
    command,
    options: [...section.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, option = '']) => option).sort(),
  }),
);

const commandsIn = (help: string): string[] =>
  [...(help.split('Commands:')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');

test('docs/cli.md has every command with its options, and no other', async () => {
  const found: typeof documented = [];
  const look = async (words: string[]): Promise<void> => {
    const { stdout } = await runCli([...words, '--help']);
    const below = commandsIn(stdout);
    for (const name of below) await look([...words, name]);
    if (below.length > 0) return;
    const options = [...stdout.matchAll(/^ {2}(?:-h, )?(--[a-z-]+)/gm)]
      .map(([, option = '']) => option)
      .filter((option) => option !== '--help')
      .sort();
    found.push({ command: words.join(' '), options });
  };
  await look([]);
  const byName = (a: { command: string }, b: { command: string }) => (a.command < b.command ? -1 : 1);
  expect(documented.toSorted(byName)).toEqual(found.toSorted(byName));
});

test('it has every exit code', () => {
  const codes = [...text.matchAll(/^\| ([0-9]) \|/gm)].map(([, code]) => Number(code));
  expect(codes).toEqual([0, 1, 2, 4]);
});
