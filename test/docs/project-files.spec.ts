import { describe, expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

describe('decisions', () => {
  const folder = 'docs/decisions';
  const records = readdirSync(folder)
    .filter((name) => name !== 'README.md')
    .sort();
  const index = readFileSync(join(folder, 'README.md'), 'utf8');

  test('have a number each', () => {
    const numbers = records.map((name) => /^(\d{4})-[a-z0-9.-]+\.md$/.exec(name)?.[1]);
    expect(numbers).not.toContain(undefined);
    expect(new Set(numbers).size).toBe(records.length);
  });

  test('stand in the index, in order', () => {
    const listed = [...index.matchAll(/^\| \[(\d{4})\]\((\S+)\) \| .+ \|$/gm)];
    expect(listed.map(([, number, file]) => [number, file])).toEqual(
      records.map((file) => [file.slice(0, 4), file]),
    );
  });

  test.each(records)('%s begins with its number', (file) => {
    expect(readFileSync(join(folder, file), 'utf8')).toMatch(new RegExp(`^# ${file.slice(0, 4)}: .`));
  });

  test.each(records)('%s has its status and its four parts', (file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text).toMatch(/^Status: (?:accepted|replaced by \[\d{4}\])/m);
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      ...['Context', 'Decision', 'Consequences', 'Considered'],
    ]);
  });
});

describe('forms for issues', () => {
  const folder = '.github/ISSUE_TEMPLATE';
  interface Field {
    type: string;
    id?: string;
    attributes: { label?: string; value?: string; options?: string[] };
  }

  test.each(readdirSync(folder).filter((name) => name !== 'config.yml'))('%s is one, and warns', (name) => {
    const form = parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown> & {
      body: Field[];
    };
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    const [warning, ...fields] = form.body;
    expect(warning?.attributes.value).toMatch(/card numbers/);
    for (const { type, id, attributes } of fields) {
      expect(['input', 'textarea', 'dropdown', 'checkboxes']).toContain(type);
      expect(id).toMatch(/^[a-z_-]+$/);
      expect(attributes.label).toBeTruthy();
      if (type === 'dropdown') expect(attributes.options).not.toEqual([]);
    }
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  });
});
