import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CommandContext } from './command-context.js';
import type { ExitCode } from './exit-codes.js';

/** An option of a command, with the type of its value. */
export interface CommandOption<T> {
  readonly option: Option;
  readonly read: (given: unknown) => T;
}

type CommandOptions = Readonly<Record<string, CommandOption<unknown>>>;

/** The values that a command line gave for each option. */
type OptionValues<O extends CommandOptions> = {
  readonly [K in keyof O]: O[K] extends CommandOption<infer T> ? T : never;
};

/** A flag. `conflicts` names options that cannot be combined with it. */
export function flag(flags: string, description: string, conflicts: string[] = []): CommandOption<boolean> {
  const option = new Option(flags, description).conflicts(conflicts);
  return { option, read: (given) => given === true };
}

export function text(flags: string, description: string): CommandOption<string | undefined> {
  return { option: new Option(flags, description), read: asText };
}

/** A text without which the command does not run. */
export function neededText(flags: string, description: string): CommandOption<string> {
  const option = new Option(flags, description).makeOptionMandatory();
  return { option, read: (given) => asText(given) ?? '' };
}

export function textOr(flags: string, description: string, fallback: string): CommandOption<string> {
  const option = new Option(flags, description).default(fallback);
  return { option, read: (given) => asText(given) ?? fallback };
}

/** One of several words. */
export function choice<T extends string>(
  flags: string,
  description: string,
  words: readonly T[],
): CommandOption<T | undefined> {
  const option = new Option(flags, description).choices(words);
  return { option, read: (given) => words.find((word) => word === given) };
}

/** A whole number within limits. */
export function wholeNumber(
  flags: string,
  description: string,
  { min, max, fallback }: { min: number; max: number; fallback: number },
): CommandOption<number> {
  const parse = (given: string): number => {
    const number = Number(given);
    if (!/^[0-9]{1,6}$/.test(given) || number < min || number > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return number;
  };
  const option = new Option(flags, description).default(fallback).argParser(parse);
  return { option, read: (given) => (typeof given === 'number' ? given : fallback) };
}

/** Whole numbers from 1 on, separated by commas. */
export function wholeNumbers(
  flags: string,
  description: string,
): CommandOption<readonly number[] | undefined> {
  const parse = (given: string): number[] => {
    const parts = given.split(',').map((part) => part.trim());
    if (parts.some((part) => !/^[1-9][0-9]{0,8}$/.test(part)))
      throw new InvalidArgumentError('It must be whole numbers, separated by commas.');
    return parts.map(Number);
  };
  const option = new Option(flags, description).argParser(parse);
  return { option, read: (given) => (Array.isArray(given) ? given.map(Number) : undefined) };
}

/** Reads a command's options from commander's result. */
export function readOptions<O extends CommandOptions>(
  options: O,
  given: Readonly<Record<string, unknown>>,
): OptionValues<O> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { option, read }]) => [name, read(given[option.attributeName()])]),
  ) as OptionValues<O>;
}

function asText(given: unknown): string | undefined {
  return typeof given === 'string' ? given : undefined;
}

/** The implementation of a command. The command line has already checked its options and arguments. */
export type Work<O extends CommandOptions> = (
  context: CommandContext,
  options: OptionValues<O>,
  args: readonly unknown[],
) => Promise<ExitCode>;

/** Connects a command to its options and its implementation. */
export type Register = <O extends CommandOptions>(command: Command, options: O, work: Work<O>) => void;

/** An argument of which there is one. */
export const single = (given: unknown): string => (typeof given === 'string' ? given : '');
