import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Env, VARIABLE_NAMES } from './env.js';
import { SECRET_VARIABLES } from './secret-variables.js';

const example = readFileSync('.env.example', 'utf8');
const guide = readFileSync('docs/configuration.md', 'utf8');
const source = readFileSync('src/config/env.ts', 'utf8');

const exampleLines = [...example.matchAll(/^(?:# )?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => ({
  name,
  value,
}));
const guideRows = [
  ...guide.slice(guide.indexOf('## Variables')).matchAll(/^\| `([A-Z_]+)` \| (.*?) \| (.*) \|$/gm),
].map(([, name = '', initial = '', meaning = '']) => ({ name, initial, meaning }));
const defaults = new Map<string, unknown>(Object.entries(new Env()));

/** A default as an operator would write it. */
const written = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value));

describe('the documentation', () => {
  test('has every variable, and no other, in the template and in the guide', () => {
    const names = [...VARIABLE_NAMES].sort();
    expect(exampleLines.map(({ name }) => name).sort()).toEqual(names);
    expect(guideRows.map(({ name }) => name).sort()).toEqual(names);
  });

  test.each(exampleLines.map(({ name, value }) => [name, value]))(
    'shows the real default of %s',
    (name, value) => {
      expect(value).toBe(defaults.has(name) ? written(defaults.get(name)) : '');
      const row = guideRows.find((entry) => entry.name === name);
      if (defaults.has(name)) expect(row?.initial).toBe(`\`${written(defaults.get(name))}\``);
    },
  );

  test('marks the secrets, which alone may come by file', () => {
    expect(
      guideRows
        .filter(({ meaning }) => meaning.startsWith('**secret**'))
        .map(({ name }) => name)
        .sort(),
    ).toEqual(Object.keys(SECRET_VARIABLES).sort());
    const marked = [...example.matchAll(/^#(.*)\n(?:# )?([A-Z_]+)=/gm)].filter(([, text = '']) =>
      /\bSecret\./.test(text),
    );
    expect(marked.map(([, , name]) => name).sort()).toEqual(Object.keys(SECRET_VARIABLES).sort());
  });

  test('says at each property what it means', () => {
    const documented = [...source.matchAll(/^ {2}\/\*\* .+ \*\/\n {2}@.+\n {2}([A-Z_]+)[?:]?/gm)].map(
      ([, name]) => name,
    );
    expect(documented).toEqual([...VARIABLE_NAMES]);
  });
});
