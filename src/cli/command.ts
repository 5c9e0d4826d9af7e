import type { Reporter } from './output.js';

/**
 * The exit codes of commands.
 * `done`: it ran, and nothing is wrong. `found`: it ran, and found something wrong or failed in part.
 * `usage`: the command line is wrong, and nothing ran. `unconfirmed`: everything is fine except for unconfirmed
 * assumptions.
 * `impossible`: it could not run, because of the configuration, the service, the store or a file.
 */
export const EXIT = { done: 0, found: 1, usage: 2, unconfirmed: 3, impossible: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A command cannot continue. The message is for the person who ran it and says what to do. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(
    message: string,
    /** A stable code for programs. */
    readonly code: string,
    readonly exitCode: ExitCode = EXIT.impossible,
  ) {
    super(message);
  }
}

/** What every command receives. */
export interface CommandContext {
  /** The environment, completed by the `.env` file. */
  readonly env: NodeJS.ProcessEnv;
  readonly reporter: Reporter;
}
