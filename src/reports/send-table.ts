import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';

/** A reader who takes nothing for so long is gone. */
const PATIENCE_MS = 60_000;

/** Gives a table to its reader, and gives up a reader who does not take it. */
export function sendTable(reply: FastifyReply, table: Readable): Readable {
  reply.raw.setTimeout(PATIENCE_MS, () => reply.raw.destroy());
  return table;
}
