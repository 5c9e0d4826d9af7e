import { applyDecorators } from '@nestjs/common';
import { ValidateBy, ValidateIf } from 'class-validator';

/** The rule's name, by which its message goes before that of any other. */
export const NOT_NULL = 'isNotNull';

/** The condition of {@link Omittable}, by which the compiled validators know it. */
export const isGiven = (_: object, value: unknown): boolean => value !== undefined;

/**
 * A member that may be left out, and must have a value where it is there: `null` is refused. For members whose absence means all
 * of something, or that change what is done with money: a variable that is null by mistake must not ask for more than a caller meant.
 */
export const Omittable = (): PropertyDecorator =>
  applyDecorators(
    ValidateIf(isGiven),
    ValidateBy({
      name: NOT_NULL,
      validator: {
        validate: (value) => value !== null,
        defaultMessage: () => '$property must have a value or be left out; null is neither',
      },
    }),
  );
