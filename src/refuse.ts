import { ConfigError } from './config/read-config.js';
import { StartRefused } from './start-configuration.js';

/** A reason to stop the service. Its message tells the operator everything. */
export class PlainRefusal extends Error {
  override readonly name = 'PlainRefusal';
}

const PLAIN = [ConfigError, StartRefused, PlainRefusal];

/** Ends the process with a message. A plain refusal is printed without a stack. */
export function refuse(error: unknown): never {
  const plain = PLAIN.some((kind) => error instanceof kind);
  const text =
    error instanceof Error ? (plain ? error.message : (error.stack ?? error.message)) : 'The start failed';
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
