import { expect, test } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { anchorOf, documents } from './markdown.js';

const files = [
  ...documents().map((path) => join('docs', path)),
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'examples/README.md',
  ...globSync('packages/{,*/}README.md'),
].filter((path) => existsSync(path));

/** A document without its code, where brackets mean other things. */
const prose = (path: string): string =>
  readFileSync(path, 'utf8')
    .replaceAll(/^```[^]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '');

const anchors = (path: string): string[] =>
  [
    ...readFileSync(path, 'utf8')
      .replaceAll(/^```[^]*?^```$/gm, '')
      .matchAll(/^#{1,6} (.+)$/gm),
  ].map(([, heading = '']) => anchorOf(heading));

test.each(files)('every link of %s leads somewhere', (path) => {
  for (const [, target = ''] of prose(path).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^(?:https?|mailto):/.test(target)) continue;
    const [file = '', anchor] = target.split('#', 2);
    const linked = file === '' ? path : normalize(join(dirname(path), file));
    expect({ target, there: existsSync(linked) }).toEqual({ target, there: true });
    if (anchor !== undefined && linked.endsWith('.md')) {
      expect({ target, anchors: anchors(linked) }).toEqual({
        target,
        anchors: expect.arrayContaining([anchor]),
      });
    }
  }
});

/** A link whose address was torn off, as `[the rules] in force(configuration.md#rules)`: it is shown as it is written. */
test.each(files)('no link of %s has words between its text and its address', (path) => {
  expect(
    prose(path).match(/\] [\w ,]+\((?:[\w./-]+\.md)?#[\w-]*\)|\] [\w ,]+\([\w./-]+\.md\)/g) ?? [],
  ).toEqual([]);
});

/** Without the row of dashes below its heading, a table is shown as the text that it is written as. */
test.each(files)('every table of %s has a row of dashes below its heading', (path) => {
  const tables = readFileSync(path, 'utf8')
    .replaceAll(/^```[^]*?^```$/gm, '')
    .match(/(?:^\|.*\n)+/gm);
  for (const table of tables ?? []) {
    const [heading = '', dashes = ''] = table.split('\n');
    expect({ heading, dashes }).toEqual({ heading, dashes: expect.stringMatching(/^\|(?: *:?-+:? *\|)+$/) });
  }
});

test('the index leads to every document', () => {
  const index = readFileSync('docs/README.md', 'utf8');
  for (const path of documents()) {
    if (path === 'README.md' || path.startsWith('decisions')) continue;
    expect(index).toContain(`(${path})`);
  }
});
