import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import type { CommandContext, ExitCode } from './command.js';

/** An option or an argument of a command, with the type of its value. */
interface Parameter<T> {
  readonly place: Option | Argument;
  readonly read: (given: unknown) => T;
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The values that a command line gave for each parameter. */
type Values<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/** An argument, such as `<file>`: without it the command does not run. Arguments are registered in their order. */
export function argument(name: string, description: string, words?: readonly string[]): Parameter<string> {
  const place = new Argument(name, description);
  if (words) place.choices(words);
  return { place, read: (given) => asText(given) ?? '' };
}

/** The last argument, where there may be several: `<names...>`, or also none: `[names...]`. */
export function severalArguments(name: string, description: string): Parameter<string[]> {
  return {
    place: new Argument(name, description),
    read: (given) => (Array.isArray(given) ? given.filter((one) => typeof one === 'string') : []),
  };
}

/** A flag. `conflicts` names options that cannot be combined with it. */
export function flag(flags: string, description: string, conflicts: string[] = []): Parameter<boolean> {
  return { place: new Option(flags, description).conflicts(conflicts), read: (given) => given === true };
}

export function text(flags: string, description: string): Parameter<string | undefined> {
  return { place: new Option(flags, description), read: asText };
}

/** A text without which the command does not run. */
export function neededText(flags: string, description: string): Parameter<string> {
  return {
    place: new Option(flags, description).makeOptionMandatory(),
    read: (given) => asText(given) ?? '',
  };
}

export function textOr(flags: string, description: string, fallback: string): Parameter<string> {
  return {
    place: new Option(flags, description).default(fallback),
    read: (given) => asText(given) ?? fallback,
  };
}

/** One of several words. */
export function choice<T extends string>(
  flags: string,
  description: string,
  words: readonly T[],
): Parameter<T | undefined> {
  return {
    place: new Option(flags, description).choices(words),
    read: (given) => words.find((word) => word === given),
  };
}

/** A whole number within limits. */
export function wholeNumber(
  flags: string,
  description: string,
  { min, max, fallback }: { min: number; max: number; fallback: number },
): Parameter<number> {
  const parse = (given: string): number => {
    const number = Number(given);
    if (!/^[0-9]{1,6}$/.test(given) || number < min || number > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return number;
  };
  return {
    place: new Option(flags, description).default(fallback).argParser(parse),
    read: (given) => (typeof given === 'number' ? given : fallback),
  };
}

/** Whole numbers from 1 on, separated by commas. */
export function wholeNumbers(flags: string, description: string): Parameter<readonly number[] | undefined> {
  const parse = (given: string): number[] => {
    const parts = given.split(',').map((part) => part.trim());
    if (parts.some((part) => !/^[1-9][0-9]{0,8}$/.test(part)))
      throw new InvalidArgumentError('It must be whole numbers, separated by commas.');
    return parts.map(Number);
  };
  return {
    place: new Option(flags, description).argParser(parse),
    read: (given) => (Array.isArray(given) ? given.map(Number) : undefined),
  };
}

function asText(given: unknown): string | undefined {
  return typeof given === 'string' ? given : undefined;
}

/** Gives a command its parameters. */
export function addParameters(command: Command, parameters: Parameters): void {
  for (const { place } of Object.values(parameters)) {
    if (place instanceof Option) command.addOption(place);
    else command.addArgument(place);
  }
}

/** Reads a command's parameters from what commander has parsed. */
export function readParameters<P extends Parameters>(command: Command, parameters: P): Values<P> {
  const given = (place: Option | Argument): unknown =>
    place instanceof Option
      ? command.opts<Record<string, unknown>>()[place.attributeName()]
      : command.processedArgs[command.registeredArguments.indexOf(place)];
  return Object.fromEntries(
    Object.entries(parameters).map(([name, { place, read }]) => [name, read(given(place))]),
  ) as Values<P>;
}

/** The implementation of a command. The command line has already checked its parameters. */
type Work<P extends Parameters> = (context: CommandContext, values: Values<P>) => Promise<ExitCode>;

/** Adds a command to its parent. */
export type Register = <P extends Parameters>(
  parent: Command,
  name: string,
  description: string,
  parameters: P,
  work: Work<P>,
) => void;
