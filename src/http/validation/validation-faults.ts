import { type ClassConstructor, plainToInstance } from 'class-transformer';
import { type ValidationError, validateSync } from 'class-validator';
import { dtoShape } from './compiled-validator.js';
import { NOT_NULL } from './validators/omittable.js';
import type { ProblemFault } from '../problems/problem.js';

/** More faults would help nobody, and a hostile body could have thousands. */
export const MAX_FAULTS = 50;

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
