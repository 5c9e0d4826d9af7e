import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { SummaryDto } from '../../reports/reports.dto.js';
import type { SummaryKey } from '../../reports/summary.js';
import { serviceOf, type CommandContext } from '../command-context.js';
import { CommandFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { table } from '../output/table.js';

interface Stretch {
  from: string | undefined;
  to: string | undefined;
}

/** Adds payments up. */
export async function reportSummary(
  context: CommandContext,
  { by, ...stretch }: Stretch & { by: SummaryKey | undefined },
): Promise<ExitCode> {
  const key = by ?? 'day';
  const query = queryOf(stretch);
  query.set('by', key);
  const { data } = await serviceOf(context).get<SummaryDto>(`/v1/reports/summary?${query.toString()}`);
  context.reporter.report({
    text:
      data.length === 0
        ? ['No payments.']
        : table([
            [key.toUpperCase(), 'STATUS', 'COUNT', 'AMOUNT', 'CAPTURED', 'REFUNDED'],
            ...data.map((row) => [
              row[key] ?? '',
              row.status,
              String(row.count),
              ...[row.amount, row.captured, row.refunded].map((amount) => `${amount} ${row.currency}`),
            ]),
          ]),
    json: { data },
  });
  return EXIT.done;
}

/** Writes payments into a file for spreadsheets, whole or not at all. */
export async function reportPayments(
  context: CommandContext,
  { file, ...stretch }: Stretch & { file: string },
): Promise<ExitCode> {
  const stream = await serviceOf(context).download(`/v1/reports/payments.csv?${queryOf(stretch).toString()}`);
  const unfinished = `${file}.part`;
  let lines = 0;
  try {
    await pipeline(
      stream,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          for (const byte of chunk) if (byte === 10) lines += 1;
          yield chunk;
        }
      },
      createWriteStream(unfinished, { mode: 0o600 }),
    );
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    const { code } = error as { code?: unknown };
    throw new CommandFailure(
      `The payments could not be written to ${file} (${typeof code === 'string' ? code : 'the service broke off'}).`,
      'not-written',
    );
  }
  const payments = Math.max(0, lines - 1);
  context.reporter.report({ text: [`Wrote ${payments} payments to ${file}.`], json: { file, payments } });
  return EXIT.done;
}

function queryOf({ from, to }: Stretch): URLSearchParams {
  const query = new URLSearchParams();
  if (from !== undefined) query.set('from', from);
  if (to !== undefined) query.set('to', to);
  return query;
}
