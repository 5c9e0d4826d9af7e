import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { validated, validatedQuery } from './validate.js';

/** Types of parameters that are not DTO classes. */
const NO_DTO: ReadonlySet<unknown> = new Set([undefined, String, Number, Boolean, Array, Object, Buffer]);

/**
 * Checks every body, query and path parameter that is declared as a DTO class, and passes the instance to the handler.
 * Nothing is converted: a string of digits is not a number. A request without a body counts as an empty object.
 */
export class DtoValidationPipe implements PipeTransform {
  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if (type === 'custom' || metatype === undefined || NO_DTO.has(metatype)) return value;
    const plain = value === undefined ? {} : value;
    return type === 'body' ? validated<object>(metatype, plain) : validatedQuery<object>(metatype, plain);
  }
}
