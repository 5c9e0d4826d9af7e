import { type ClassConstructor, plainToInstance } from 'class-transformer';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { type ValidationError, validateSync } from 'class-validator';
import { compiledValidator, dtoShape } from './compiled-validator.js';
import { heldCardData } from './held-card-data.js';
import { Problem, type ProblemFault } from '../problems/problem.js';
import { readingOf } from './typed-text.js';
import { NOT_NULL } from './validators.js';

/**
 * Reads plain JSON of a body as a DTO. Throws `validation-failed` with all faults, as JSON pointers that begin with `at` (`/card` for
 * an object that was sent encrypted in place of that member). What is in a body may be stored, so a card number or a security code
 * is a fault in every field that is not marked with `MayHoldCardNumber`.
 */
export function validated<T extends object>(type: ClassConstructor<T>, plain: unknown, at = ''): T {
  const typed = asTyped(type, plain);
  return read(type, typed, at, heldCardData(type, typed, at));
}

/** The same for a query, which is compared with what is stored and never stored itself. */
export function validatedQuery<T extends object>(type: ClassConstructor<T>, plain: unknown): T {
  return read(type, asTyped(type, plain), '', []);
}

/** The same content, with each member read as its DTO class says. */
function asTyped(type: ClassConstructor<object>, plain: unknown): unknown {
  if (!isRecord(plain)) return plain;
  const typed: Record<string, unknown> = { ...plain };
  for (const { name, nested } of dtoShape(type).values()) {
    if (!Object.hasOwn(typed, name)) continue;
    const reading = readingOf(type, name);
    if (reading) typed[name] = reading(typed[name]);
    else if (nested) typed[name] = asTyped(nested, typed[name]);
  }
  return typed;
}

function read<T extends object>(
  type: ClassConstructor<T>,
  plain: unknown,
  at: string,
  held: readonly ProblemFault[],
): T {
  const instance = compiledValidator(type)(plain);
  if (instance !== null && held.length === 0) return instance;
  const faults = instance === null ? explainFaults(type, plain, at) : [];
  const told = new Set(faults.map(({ pointer }) => pointer));
  faults.push(...held.filter(({ pointer }) => !told.has(pointer)));
  // A refused request stays refused, even if no fault can be named.
  throw validationFailed(
    faults.length > 0 ? faults.slice(0, MAX_FAULTS) : [{ pointer: at, message: 'does not fit' }],
  );
}

/** The refusal of a request with invalid values. */
export function validationFailed(errors: Problem['extra']['errors'] & object): Problem {
  const count = errors.length === 1 ? 'One thing does' : `${errors.length} things do`;
  return new Problem('validation-failed', `${count} not fit; see errors.`, { errors });
}

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

/** More faults would help nobody, and a hostile body could have thousands. */
const MAX_FAULTS = 50;

/** A pointer repeats an unknown name only if it has this form. Anything else could be data. */
const HARMLESS_NAME = /^[A-Za-z_][A-Za-z_-]{0,39}$/;

/** If a field has several faults, the one about its type is the most helpful. */
const TYPE_RULES = ['isObject', 'isArray', 'isString', 'isInt', 'isNumber', 'isBoolean'];

/**
 * Says why plain JSON does not fit a DTO class: all faults at once, one for each place, with a JSON pointer that begins
 * with `at`. Messages say what is expected and never repeat what was sent.
 */
export function explainFaults(type: ClassConstructor<object>, plain: unknown, at: string): ProblemFault[] {
  if (!isRecord(plain)) return [{ pointer: at, message: 'must be a JSON object' }];
  const errors = validateSync(plainToInstance(type, plain), {
    forbidUnknownValues: false,
    validationError: { target: false, value: false },
  });
  const faults = new Map<string, ProblemFault>();
  for (const fault of [...fieldFaults(errors, plain, at), ...shapeFaults(type, plain, at)]) {
    if (!faults.has(fault.pointer)) faults.set(fault.pointer, fault);
  }
  return [...faults.values()].slice(0, MAX_FAULTS);
}

function fieldFaults(errors: readonly ValidationError[], plain: unknown, at: string): ProblemFault[] {
  return errors.flatMap((error) => {
    const pointer = `${at}/${escapePointer(error.property)}`;
    const value = isRecord(plain) ? plain[error.property] : undefined;
    if (error.constraints) return [{ pointer, message: messageOf(error.constraints, error.property, value) }];
    // An array in place of an object. class-validator would check its items instead.
    if (Array.isArray(value)) return [{ pointer, message: 'must be an object' }];
    return fieldFaults(error.children ?? [], value, pointer);
  });
}

/** What class-validator overlooks: unknown fields, and nested objects that are missing or are arrays. */
function shapeFaults(
  type: ClassConstructor<object>,
  plain: Record<string, unknown>,
  at: string,
): ProblemFault[] {
  const shape = dtoShape(type);
  const unknown = Object.keys(plain)
    .filter((name) => !shape.has(name))
    .map((name) => ({
      pointer: HARMLESS_NAME.test(name) ? `${at}/${name}` : at,
      message: 'is not a known field',
    }));
  const inside = [...shape].flatMap(([name, { nested, optional }]) => {
    if (!nested) return [];
    const pointer = `${at}/${escapePointer(name)}`;
    const value = plain[name];
    if (value === undefined && !optional) return [{ pointer, message: 'is required' }];
    if (value === undefined || value === null) return [];
    return isRecord(value)
      ? shapeFaults(nested, value, pointer)
      : [{ pointer, message: 'must be an object' }];
  });
  return [...unknown, ...inside];
}

function messageOf(constraints: Record<string, string>, property: string, value: unknown): string {
  const mayBeOmitted = NOT_NULL in constraints;
  if ((value === undefined || value === null) && !mayBeOmitted) return 'is required';
  const rule = mayBeOmitted
    ? NOT_NULL
    : (TYPE_RULES.find((name) => name in constraints) ?? Object.keys(constraints)[0] ?? '');
  if (rule === 'nestedValidation') return 'must be an object';
  if (rule === 'arrayUnique') return 'must not hold the same value twice';
  const message = constraints[rule] ?? 'does not fit';
  // Decorators write sentences about the property, but the pointer already names it.
  const each = `each value in ${property} `;
  if (message.startsWith(each)) return `each value ${message.slice(each.length)}`;
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
