import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { stringify } from 'csv-stringify';

/** What a spreadsheet takes for the beginning of a formula, also in the wide forms of these signs. */
const RUNS = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** A text that no spreadsheet runs: one that would be run gets an apostrophe in front. Pure. */
export function harmless(text: string): string {
  return RUNS.test(text) ? `'${text}` : text;
}

/** A reader who takes nothing for so long is gone. */
const PATIENCE_MS = 60_000;

/** For whom a table is made. */
export interface CsvOptions {
  /** Whether it begins with a byte order mark, by which a spreadsheet knows that it is UTF-8. */
  forSpreadsheet?: boolean;
}

/** Rows as a table (RFC 4180), as text that is made while it is read. Where the rows fail it breaks off, so that half a table is not taken for a whole one. */
export function csvOf(
  header: readonly string[],
  rows: AsyncGenerator<string[]>,
  { forSpreadsheet = false }: CsvOptions = {},
): Readable {
  const text = stringify({
    header: true,
    columns: [...header],
    record_delimiter: 'windows',
    bom: forSpreadsheet,
  });
  const source = Readable.from(rows, { highWaterMark: 16 });
  source.on('error', (error) => text.destroy(error));
  text.on('close', () => source.destroy());
  return source.pipe(text);
}

/** Gives a table to its reader, and gives up a reader who does not take it. */
export function sendTable(reply: FastifyReply, table: Readable): Readable {
  reply.raw.setTimeout(PATIENCE_MS, () => reply.raw.destroy());
  return table;
}
