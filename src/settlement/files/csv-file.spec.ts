import { describe, expect, test } from '@jest/globals';
import { CsvFile } from './csv-file.js';
import { FileFaults } from './file-faults.js';

const COLUMNS = { first: 'a', second: 'b' } as const;
const MEBIBYTE = 1_048_576;

interface Read {
  /** Lines of the rows that were read. */
  lines: number[];
  faults: { line?: number; message: string }[];
}

async function read(pieces: Iterable<string | Buffer>, delimiter = ','): Promise<Read> {
  const faults = new FileFaults();
  const file = new CsvFile(COLUMNS, delimiter, faults);
  const lines: number[] = [];
  for (const piece of pieces)
    lines.push(...(await file.push(Buffer.from(piece))).map(({ lastLine }) => lastLine));
  lines.push(...(await file.end()).map(({ lastLine }) => lastLine));
  return {
    lines,
    faults: (faults.any ? (faults.problem().extra.errors ?? []) : []).map(({ line, message }) => ({
      ...(line !== undefined && { line }),
      message,
    })),
  };
}

const messages = async (...pieces: string[]): Promise<string[]> =>
  (await read(pieces)).faults.map(({ message }) => message);

describe('a row that is too large is refused where it begins', () => {
  test.each([
    ['of separators', ','.repeat(600), 'more than 500 columns'],
    ['of separators after a quoted line end', `"x\n",${',"\n"'.repeat(600)}`, 'more than 500 columns'],
    ['of one long cell', 'x'.repeat(20_000), 'longer than 16384 bytes'],
    ['of quotes', '"'.repeat(20_000), 'longer than 16384 bytes'],
    ['of lines within quotes', `"${'\n'.repeat(20_000)}`, 'longer than 16384 bytes'],
  ])('%s', async (_, row, why) => {
    const { faults } = await read(['a,b\n1,2\n', row]);
    expect(faults).toMatchObject([{ line: 3, message: expect.stringContaining(why) }]);
  });

  test('in whatever pieces it comes', async () => {
    const row = ','.repeat(600);
    expect(await messages('a,b\n', ...row)).toEqual([expect.stringContaining('500 columns')]);
  });

  test('in the header', async () => {
    expect(await messages(`a,b${',x'.repeat(600)}\n`)).toEqual([expect.stringContaining('500 columns')]);
  });
});

describe('what ends a row for the bounds ends it for the parser', () => {
  test.each([
    ['line feeds', 'a,b\n1,2\n3,4\n'],
    ['both signs', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['returns', 'a,b\r1,2\r3,4\r'],
    ['a mixture', 'a,b\r\n1,2\n3,4\r'],
  ])('%s', async (_, text) => {
    const whole = await read([text]);
    expect(whole).toEqual({ lines: [2, 3], faults: [] });
    expect(await read(text)).toEqual(whole);
  });

  test('many rows together may have more cells than one', async () => {
    const rows = Array.from({ length: 20_000 }, () => '"1,\n,1",2');
    const { lines, faults } = await read([['a,b', ...rows, ''].join('\n')]);
    expect([lines.length, faults]).toEqual([20_000, []]);
  });

  test('a line feed alone is not left within a row because the first one had a return too', async () => {
    const rows = `${',\n'.repeat(100_000)}`;
    const { faults } = await read([`a,b\r\n${rows}`]);
    expect(faults).toEqual([]);
  });
});

test('60 MiB of separators need no memory of that size', async () => {
  const piece = Buffer.alloc(65_536, ',');
  const before = process.memoryUsage().rss;
  let most = 0;
  function* pieces(): Generator<Buffer> {
    yield Buffer.from('a,b\n');
    for (let bytes = 0; bytes < 60 * MEBIBYTE; bytes += piece.length) {
      yield piece;
      most = Math.max(most, process.memoryUsage().rss);
    }
  }
  const { lines, faults } = await read(pieces());
  expect([lines, faults.length]).toEqual([[], 1]);
  expect((most - before) / MEBIBYTE).toBeLessThan(100);
});
