import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse, type Options } from 'csv-parse';
import { parse as parseNow } from 'csv-parse/sync';
import { listOf, type SettlementProfile } from '../../gateway/profile/schema.js';
import { peeked, refusal, type Bytes } from './bytes.js';
import { placesOf } from './row.js';

/** No row is longer, in characters. */
const MOST_CHARACTERS = 16_384;
/** The header is looked for in so much of a file. */
const HEAD_BYTES = 512 * 1024;
/** So many characters are read without a pause. */
const PIECE = 8_192;

/** One record of a file. */
export interface Record {
  /** The line in which it begins; the file's first one is 1. */
  line: number;
  cells: string[];
}

export interface OpenedFile {
  shape: SettlementProfile;
  /** Trimmed. */
  header: string[];
  /** Without the header and blank lines. */
  records: AsyncGenerator<Record[]>;
}

/** Finds the shape that fits a file, and reads its records. Throws `validation-failed` for a file that cannot be read. */
export async function openFile(
  bytes: Bytes,
  shapes: SettlementProfile | readonly SettlementProfile[] | undefined,
): Promise<OpenedFile> {
  const { start, whole } = await peeked(bytes, HEAD_BYTES);
  const { shape, header, line } = fitting(start, listOf(shapes));
  return { shape, header, records: recordsOf(whole, shape, encodingOf(start, shape), header.length, line) };
}

/** The shape whose columns the header has, most of all. */
function fitting(
  start: Uint8Array,
  shapes: readonly SettlementProfile[],
): { shape: SettlementProfile; header: string[]; line: number } {
  const found = shapes.flatMap((shape) => {
    const head = headerOf(start, shape);
    return head && placesOf(shape, head.cells) ? [{ shape, header: head.cells, line: head.line }] : [];
  });
  const count = ({ shape }: { shape: SettlementProfile }): number => Object.keys(shape.columns).length;
  found.sort((one, other) => count(other) - count(one));
  const [best, second] = found;
  if (!best) throw refusal(1, 'has no header that fits a shape of the profile');
  if (second && count(second) === count(best))
    throw refusal(best.line, 'is a header that fits several shapes of the profile');
  return best;
}

function headerOf(
  start: Uint8Array,
  shape: SettlementProfile,
): { cells: string[]; line: number } | undefined {
  try {
    const text = new TextDecoder(encodingOf(start, shape)).decode(start, { stream: true });
    const { skipLines = 0 } = shape;
    const lines = text.replace(/\r\n?/g, '\n').split('\n', skipLines + 200);
    const blank = lines.slice(skipLines).findIndex((line) => line.trim() !== '');
    const begins = skipLines + Math.max(0, blank);
    const options: Options = { ...optionsOf(shape), to: 1 };
    const [header = []] = parseNow(lines.slice(begins).join('\n'), options);
    return { cells: header.map((name) => name.trim()), line: begins + 1 };
  } catch {
    return undefined;
  }
}

/** A byte order mark goes before what the profile says. */
function encodingOf([first, second, third]: Uint8Array, { encoding = 'utf-8' }: SettlementProfile): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : encoding;
}

function optionsOf({ delimiter = ',' }: SettlementProfile): Options {
  return {
    delimiter,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    // In bytes, and only a bound of what is kept.
    max_record_size: 4 * MOST_CHARACTERS,
  };
}

type Done = (error?: Error | null) => void;

/** @param header the line in which the header begins */
async function* recordsOf(
  bytes: Bytes,
  shape: SettlementProfile,
  encoding: string,
  width: number,
  header: number,
): AsyncGenerator<Record[]> {
  const read: { ended: number; cells: string[] }[] = [];
  const parser = parse({
    ...optionsOf(shape),
    // To pass each record on by itself would take longer than to read it.
    on_record: (cells: string[], { lines }: { lines: number }) => {
      read.push({ ended: lines, cells });
      return null;
    },
  });
  // It is thrown where a text was written.
  parser.on('error', () => undefined).resume();
  const write = promisify((text: string, done: Done) => parser.write(text, done));
  const end = promisify((done: Done) => parser.end(done));
  let last = '';
  let line = header;
  let count = width;
  const records = (): Record[] =>
    read.splice(0).flatMap(({ ended, cells }) => {
      const length = cells.reduce((sum, cell) => sum + cell.length + 1, 0);
      const begins = ended + header - 1 - newlinesIn(cells);
      if (length > MOST_CHARACTERS) throw refusal(begins, TOO_LONG);
      const isHeader = line === header && begins === header;
      line = ended + header;
      count = cells.length;
      return !isHeader && cells.some((cell) => cell.trim() !== '') ? [{ line: begins, cells }] : [];
    });
  try {
    for await (const text of textOf(bytes, encoding, header - 1)) {
      last = text.at(-1) ?? last;
      await write(text);
      yield records();
    }
    await end();
    yield records();
  } catch (error) {
    throw explained(error, header);
  } finally {
    parser.destroy();
  }
  if (last !== '\n' && count < width) throw refusal(line - 1, 'is the last line, and it is cut off');
}

const TOO_LONG = `is a row of more than ${MOST_CHARACTERS} characters`;

function newlinesIn(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) if (cell.includes('\n')) count += cell.split('\n').length - 1;
  return count;
}

/** A file as text without its first lines, each of which ends in a line feed. Payments are answered between two pieces. */
async function* textOf(bytes: Bytes, encoding: string, skip: number): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let left = skip;
  let held = '';
  const piece = (text: string): string => {
    const plain = (held + text).replace(/\r(?!$)\n?/g, '\n');
    held = plain.endsWith('\r') ? '\r' : '';
    let at = 0;
    for (; left > 0; left -= 1) {
      const end = plain.indexOf('\n', at);
      if (end < 0) return '';
      at = end + 1;
    }
    return plain.slice(at, plain.length - held.length);
  };
  let line = 1;
  const decoded = (some: Uint8Array | undefined): string => {
    try {
      const text = decoder.decode(some, { stream: some !== undefined });
      line += newlinesIn([text]);
      return text;
    } catch {
      const [good = ''] = new TextDecoder(encoding).decode(some).split('\ufffd');
      throw refusal(line + newlinesIn([good]), 'is not of the encoding of the profile');
    }
  };
  for await (const some of bytes) {
    const text = piece(decoded(some));
    for (let at = 0; at < text.length; at += PIECE) {
      yield text.slice(at, at + PIECE);
      await turn();
    }
  }
  const end = piece(decoded(undefined)) + (held && '\n');
  if (end !== '') yield end;
}

/** What is wrong with a file whose header is in a line. */
function explained(error: unknown, header: number): unknown {
  const { code, lines = 1 } = error as { code?: string; lines?: number };
  const line = lines + header - 1;
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return refusal(line, 'is the end of the file, and a quote is not closed');
  if (code === 'CSV_MAX_RECORD_SIZE') return refusal(line, TOO_LONG);
  return error;
}
