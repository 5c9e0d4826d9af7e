import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

/** The depths of EMV 3-D Secure, plus 30, which browsers report on screens with ten bits per colour. */
const COLOR_DEPTHS: readonly unknown[] = [1, 4, 8, 15, 16, 24, 30, 32, 48];

/** A screen's colour depth in bits: 1, 4, 8, 15, 16, 24, 30, 32 or 48. */
export const IsColorDepth = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isColorDepth',
      validator: {
        validate: (value: unknown) => COLOR_DEPTHS.includes(value),
        defaultMessage: buildMessage(
          (each) => `${each}$property must be one of ${COLOR_DEPTHS.join(', ')}`,
          options,
        ),
      },
    },
    options,
  );
