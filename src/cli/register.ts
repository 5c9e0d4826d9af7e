import type { Command } from 'commander';
import type { CommandContext } from './command-context.js';
import type { ExitCode } from './exit-codes.js';
import type { CommandOptions, OptionValues } from './options.js';

/** The implementation of a command. The command line has already checked its options and arguments. */
export type Work<O extends CommandOptions> = (
  context: CommandContext,
  options: OptionValues<O>,
  args: readonly unknown[],
) => Promise<ExitCode>;

/** Connects a command to its options and its implementation. */
export type Register = <O extends CommandOptions>(command: Command, options: O, work: Work<O>) => void;
