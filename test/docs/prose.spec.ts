import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { badPhrases, PHRASES } from './phrases.js';

/** What people read is plain English: a list of phrases that read badly, looked for in every text. */

const PROSE = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', '.env.example', 'docs/openapi.json'],
  ...globSync('docs/**/*.md'),
  ...globSync('examples/**/*.{md,mjs,php,py,ts}', { exclude: ['**/node_modules/**'] }),
  ...globSync('packages/**/*.{md,php,py,ts}', { exclude: ['**/{node_modules,dist}/**'] }),
  ...globSync('browser/messages/*.json'),
  'profiles/profile.schema.json',
];

/** Code whose texts people read: commands, refused starts, problems, the console's words. */
const CODE = globSync(
  [
    'src/cli/**/*.ts',
    'src/config/*.ts',
    'src/*.ts',
    'src/http/problems/*.ts',
    'src/openapi/*.ts',
    'browser/console/*.ts',
    'demo/*.ts',
  ],
  { exclude: ['**/*.spec.ts'] },
);

/** A program's texts at their places, and blanks for everything else. */
function textsOf(path: string, code: string): string {
  const lines = code.split('\n').map(() => '');
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      lines[line] = `${lines[line] ?? ''} | ${node.text.replaceAll('\n', ' ')}`;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines.join('\n');
}

test.each(PROSE)('%s is plain English', (path) => {
  expect(badPhrases(path, readFileSync(path, 'utf8'))).toEqual([]);
});

test('what programs say is plain English', () => {
  expect(CODE.length).toBeGreaterThan(50);
  expect(CODE.flatMap((path) => badPhrases(path, textsOf(path, readFileSync(path, 'utf8'))))).toEqual([]);
});

test('a bad phrase is named with its file, its line and better words', () => {
  expect(badPhrases('docs/some.md', 'One line.\nThen it is made anew.\n')).toEqual([
    'docs/some.md:2: "anew" reads better as "again"',
  ]);
  const code = "const said =\n  'It is all there but for one.';\n// but for comments\n";
  expect(badPhrases('src/some.ts', textsOf('some.ts', code))).toEqual([
    'src/some.ts:2: "but for" reads better as "except"',
  ]);
});

test('no phrase is listed twice', () => {
  const sources = PHRASES.map(({ pattern }) => pattern.source);
  expect(new Set(sources).size).toBe(sources.length);
});
