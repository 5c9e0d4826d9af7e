import { ApiHeader } from '@nestjs/swagger';

/** Describes the `Idempotency-Key` header of a call. */
export const ApiIdempotent = (): MethodDecorator & ClassDecorator =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: true,
    description:
      '1 to 255 visible ASCII characters; use a UUID. The same key again answers with what was made first.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  });
