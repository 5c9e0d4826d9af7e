import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { ReplayInterceptor } from './replay.interceptor.js';

/** Marks a call that needs an `Idempotency-Key`. Its handler returns a `Replayable`. */
export const Idempotent = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(ReplayInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: true,
      description:
        '1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    }),
  );
