import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';

/** Marks a call that needs an `Idempotency-Key`. Its handler returns what `keyedAnswer` makes. */
export const Idempotent = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: true,
      description:
        '1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    }),
  );
