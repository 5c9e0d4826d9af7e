import { EXIT, type ExitCode } from './exit-codes.js';

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
