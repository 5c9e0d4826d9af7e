import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type CommandContext, CommandFailure, EXIT, type ExitCode } from '../command.js';
import { serviceOf, type Query } from '../service-client.js';

/** Writes payments into a file for spreadsheets, whole or not at all. */
export async function reportPayments(
  context: CommandContext,
  { file, ...times }: Query & { file: string },
): Promise<ExitCode> {
  const service = serviceOf(context);
  const stream = await service.download(service.pathOf('/v1/reports/payments.csv', times));
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
