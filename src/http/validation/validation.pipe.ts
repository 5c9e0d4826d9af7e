import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { validated } from './validate.js';

/** What a parameter's type can be besides a DTO class. */
const NO_DTO: ReadonlySet<unknown> = new Set([undefined, String, Number, Boolean, Array, Object, Buffer]);

/**
 * Checks every body, query and path parameter that is declared as a DTO class, and hands its instance to the handler.
 * Nothing is converted: a number in a string is no number. A request without a body counts as an empty object.
 */
export class DtoValidationPipe implements PipeTransform {
  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if (type === 'custom' || metatype === undefined || NO_DTO.has(metatype)) return value;
    return validated<object>(metatype, value === undefined ? {} : value);
  }
}
