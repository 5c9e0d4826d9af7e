import { ConfigError } from './config/read-config.js';
import { StartRefused } from './start-configuration.js';

/** What keeps the service from going on, for a person: its message says all. */
export class PlainRefusal extends Error {
  override readonly name = 'PlainRefusal';
}

const PLAIN = [ConfigError, StartRefused, PlainRefusal];

/** Ends the process with a message. A plain refusal needs no stack. */
export function refuse(error: unknown): never {
  const plain = PLAIN.some((kind) => error instanceof kind);
  const text =
    error instanceof Error ? (plain ? error.message : (error.stack ?? error.message)) : 'The start failed';
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
