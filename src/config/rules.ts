import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, Max, Min, ValidateBy } from 'class-validator';
import type { Check } from './secret-variables.js';

/** Combines several property decorators. */
function all(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

/** A whole number within a range, in plain decimal digits. The property is a number. */
export function WholeNumber(min: number, max: number): PropertyDecorator {
  const message = `must be a whole number from ${min} to ${max}`;
  return all(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^(?:0|[1-9][0-9]{0,14})$/.test(value) ? Number(value) : value,
    ),
    IsOptional(),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
}

/** Exactly `true` or `false`. The property is a boolean. */
export function TrueOrFalse(): PropertyDecorator {
  return all(
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
    IsOptional(),
    IsBoolean({ message: 'must be exactly true or false' }),
  );
}

/** Exactly one of a few words. */
export function OneOf(words: readonly string[]): PropertyDecorator {
  return all(IsOptional(), IsIn([...words], { message: `must be one of ${words.join(', ')}` }));
}

/** A text that passes a check. */
export function Text(check: Check): PropertyDecorator {
  return all(
    IsOptional(),
    Satisfies((value) => (typeof value === 'string' ? check(value) : 'must be a text')),
  );
}

/**
 * Comma-separated entries that each pass a check, without duplicates. The property is a list. Spaces around an entry are
 * dropped.
 */
export function List(check: Check): PropertyDecorator {
  return all(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.split(',').map((entry) => entry.trim()) : value,
    ),
    IsOptional(),
    Satisfies((value) => problemOfList(value, check)),
  );
}

function problemOfList(value: unknown, check: Check): string | undefined {
  if (!Array.isArray(value)) return 'must be a comma-separated list';
  const entries = value.filter((entry) => typeof entry === 'string');
  if (entries.includes('')) return 'has an empty entry between its commas';
  if (new Set(entries).size !== value.length) return 'has the same entry twice';
  return entries.map(check).find((problem) => problem !== undefined);
}

function Satisfies(problemOf: (value: unknown) => string | undefined): PropertyDecorator {
  return ValidateBy({
    name: 'satisfies',
    validator: {
      validate: (value: unknown) => problemOf(value) === undefined,
      defaultMessage: (argument) => problemOf(argument?.value) ?? 'is malformed',
    },
  });
}
