import { EXIT, type ExitCode } from './exit-codes.js';

/** A command cannot go on. The message is for the person who called it, and says what to do. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(
    message: string,
    /** A stable word for programs. */
    readonly code: string,
    readonly exitCode: ExitCode = EXIT.impossible,
  ) {
    super(message);
  }
}
