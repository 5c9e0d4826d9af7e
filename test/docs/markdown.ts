import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced block of a document. */
export interface Block {
  document: string;
  line: number;
  language: string;
  /** What follows the language: `from=examples/node-shop/shop.mjs`, `background`, `not-here: why`. */
  info: string;
  code: string;
  /** What its output must have, in order: `<!-- expect: … -->` below it, `\n` standing for further output between. */
  expected: string[];
  /** `<!-- expect-file: NAME TEXT -->`: what a file must have afterwards. */
  expectedFile: { name: string; text: string } | undefined;
}

/** Every document of the folder, decisions included, relative to it. */
export function documents(): string[] {
  return readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
}

export function readDocument(path: string): string {
  return readFileSync(join('docs', path), 'utf8');
}

export function blocksOf(document: string): Block[] {
  const text = readDocument(document);
  const fence =
    /^```(\w*) ?(.*)\n([^]*?)^```$(?:\n+<!-- expect: (.*) -->)?(?:\n+<!-- expect-file: (\S+) (.*) -->)?/gm;
  return [...text.matchAll(fence)].map(
    ({ index, 1: language = '', 2: info = '', 3: code = '', 4: expected, 5: name, 6: wanted = '' }) => ({
      document,
      line: text.slice(0, index).split('\n').length,
      language,
      info,
      code,
      expected: expected?.split('\\n') ?? [],
      expectedFile: name === undefined ? undefined : { name, text: wanted },
    }),
  );
}

/** The anchor that a heading gets on the common hosts of repositories. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}
