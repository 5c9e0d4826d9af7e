/**
 * The exit codes. `done`: it ran, and nothing is wrong. `found`: it ran, and something is wrong or was refused. `usage`: the
 * command line is wrong, and nothing ran. `impossible`: it could not run, because of the configuration, the service, the
 * store or a file.
 */
export const EXIT = { done: 0, found: 1, usage: 2, impossible: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A command cannot continue. The message says why and what to do. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT.impossible,
  ) {
    super(message);
  }
}

/** What a command line has around it. Results go to `out`, everything else to `err`. */
export interface Surroundings {
  /** Read only when a command is about to run. */
  readonly environment: () => NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** What every command receives. */
export interface Context extends Omit<Surroundings, 'environment'> {
  /** The environment, completed by the `.env` file. */
  readonly env: NodeJS.ProcessEnv;
}
