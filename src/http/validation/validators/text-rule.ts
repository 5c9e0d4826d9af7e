import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

/**
 * Makes a decorator for a string that must pass a test. `message` continues the property's name: `must be …`. It never
 * contains the value, because a refusal repeats nothing that was sent.
 */
export function textRule(
  name: string,
  message: string,
  test: (text: string) => boolean,
  options?: ValidationOptions,
): PropertyDecorator {
  return ValidateBy(
    {
      name,
      validator: {
        validate: (value: unknown) => typeof value === 'string' && test(value),
        defaultMessage: buildMessage((each) => `${each}$property ${message}`, options),
      },
    },
    options,
  );
}
