import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { CsvRows, MOST_CELLS, MOST_CHARACTERS, type CsvRow, type TextEnd } from './csv-rows.js';

function read(pieces: Iterable<string>, delimiter = ','): { rows: CsvRow[]; end: TextEnd } {
  const rows: CsvRow[] = [];
  const csv = new CsvRows(delimiter, (row) => rows.push(row));
  for (const piece of pieces) csv.push(piece);
  return { end: csv.end(), rows };
}

const inPieces = (text: string, size: number): string[] =>
  text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];

describe('rows', () => {
  test.each<[string, string, (string | string[])[]]>([
    [
      'plain ones',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'without the last end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'empty cells',
      ',\n,,\n',
      [
        ['', ''],
        ['', '', ''],
      ],
    ],
    [
      'blank lines',
      '\n \na,b\n\n1,2\n\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'quotes',
      '"a","b"\n"1",2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['quotes within', '"a ""b""",""""\n', [['a "b"', '"']]],
    [
      'delimiters and line ends within',
      '"a,b","c\nd"\n1,2\n',
      [
        ['a,b', 'c\nd'],
        ['1', '2'],
      ],
    ],
    ['an empty cell in quotes', '""\n', [['']]],
    ['blanks behind a quote', '"a" ,"b"  \n', [['a', 'b']]],
    ['a quote in a cell without', 'a"b,c\n1,2\n', ['a quote stands', ['1', '2']]],
    ['text behind a quote', '"a"b,c\n1,2\n', ['a quote stands', ['1', '2']]],
    ['a quote behind a blank behind a quote', '"a" "b",c\n1,2\n', ['a quote stands', ['1', '2']]],
    [
      'a quote that closes in a later row',
      'x,y\n"a,b\n1,"2"\n3,4\n',
      [['x', 'y'], 'a quote stands', ['3', '4']],
    ],
  ])('%s', (_, text, expected) => {
    for (const size of [1, 3, text.length]) {
      const { rows } = read(inPieces(text, size));
      expect(rows.map(({ cells, fault }) => fault ?? cells)).toEqual(
        expected.map((row) => (typeof row === 'string' ? expect.stringContaining(row) : row)),
      );
    }
  });

  test('say in which lines they stand', () => {
    const { rows } = read(['a,b\n\n"1\n\n",2\n3,4\n']);
    expect(rows.map(({ line, lastLine }) => [line, lastLine])).toEqual([
      [1, 1],
      [3, 5],
      [6, 6],
    ]);
  });

  test.each<[string, string, TextEnd]>([
    ['behind a line', 'a,b\n', 'line'],
    ['with nothing', '', 'line'],
    ['in a last line', 'a,b', 'no line'],
    ['behind a quote', 'a,"b"', 'no line'],
    ['in quotes', 'a,"b', 'cut'],
    ['in quotes, behind a line', 'a,"b\n', 'cut'],
  ])('know whether the text ends %s', (_, text, end) => {
    expect(read([text]).end).toBe(end);
    expect(read(text).end).toBe(end);
  });
});

describe('a row that is too large is not kept', () => {
  const long = `a row is longer than ${MOST_CHARACTERS} characters`;
  const many = `a row has more than ${MOST_CELLS} columns`;
  test.each([
    ['of separators', ','.repeat(600), many],
    ['of separators behind a line end in quotes', `"x\n",${',"\n"'.repeat(600)}`, many],
    ['of one long cell', 'x'.repeat(20_000), long],
    ['of one long cell in quotes', `"${'x'.repeat(20_000)}"`, long],
    ['of quotes', '"'.repeat(20_000), long],
    ['of lines in quotes', `"${'\n'.repeat(20_000)}"`, long],
  ])('%s', (_, row, why) => {
    for (const size of [7, 4_096, 100_000]) {
      const { rows } = read(inPieces(`a,b\n${row}\n1,2\n`, size));
      expect(rows.map(({ cells, fault }) => fault ?? cells)).toEqual([['a', 'b'], why, ['1', '2']]);
      expect(rows[1]?.line).toBe(2);
    }
  });

  test('and the largest is', () => {
    const most = [','.repeat(MOST_CELLS - 1), 'x'.repeat(MOST_CHARACTERS)];
    for (const row of most) {
      const { rows } = read([`${row}\n`]);
      expect(rows).toEqual([{ cells: row.split(','), line: 1, lastLine: 1 }]);
    }
  });

  test('though it never ends', () => {
    for (const piece of [',', 'x', '"\n",'.padEnd(512, ','), `"${'\n'.repeat(510)}`].map((text) =>
      text.repeat(65_536 / text.length),
    )) {
      const csv = new CsvRows(',', () => undefined);
      csv.push('a,b\n');
      const before = process.memoryUsage().rss;
      let most = 0;
      for (let bytes = 0; bytes < 16 * 1_048_576; bytes += piece.length) {
        csv.push(piece);
        most = Math.max(most, process.memoryUsage().rss);
      }
      // An object for each cell, however short, takes 256 and more.
      expect((most - before) / 1_048_576).toBeLessThan(100);
    }
  });
});

describe('whatever a library writes', () => {
  const cell = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom('', '"', ',', ';', '\n', 'a\nb', '1,500.00', ' x ', 'ü€'),
  );
  const delimiter = fc.constantFrom(',', ';', '\t', '|');

  test('is read back, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 }),
        delimiter,
        fc.boolean(),
        fc.integer({ min: 1, max: 20 }),
        (written, sign, quoted, size) => {
          const rows = written.map((cells) => cells.map((text) => text.replace(/\r/g, '')));
          const text = stringify(rows, { delimiter: sign, quoted });
          expect(read(inPieces(text, size), sign).rows.map(({ cells }) => cells)).toEqual(
            // A line of blanks alone is none.
            rows.filter((cells) => quoted || !/^ *$/.test(cells.join(sign))),
          );
        },
      ),
    );
  });

  test('and whatever a library reads is read the same', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '1', ',', '"', '\n', ' '), maxLength: 30 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 5 }), (some, size) => {
        let expected: string[][] | undefined;
        try {
          expected = parse(some, { relax_column_count: true, skip_empty_lines: true });
        } catch {
          // What a library refuses may still have rows that can be read.
        }
        const { rows, end } = read(inPieces(some, size));
        const faulty = end === 'cut' || rows.some(({ fault }) => fault !== undefined);
        if (!expected) return;
        expect(faulty).toBe(false);
        const isSaid = (cells: readonly string[]): boolean => !/^ *$/.test(cells.join(','));
        expect(rows.map(({ cells }) => cells).filter(isSaid)).toEqual(expected.filter(isSaid));
      }),
      { numRuns: 2_000 },
    );
  });

  test('and nothing else is taken for a whole text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n'), maxLength: 16 });
    fc.assert(
      fc.property(text, (some) => {
        const { rows, end } = read([some]);
        if (end === 'cut' || rows.some(({ fault }) => fault !== undefined)) return;
        expect(() => parse(some, { relax_column_count: true })).not.toThrow();
      }),
      { numRuns: 2_000 },
    );
  });
});
