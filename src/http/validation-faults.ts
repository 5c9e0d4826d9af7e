import { type ClassConstructor, plainToInstance } from 'class-transformer';
import { type ValidationError, validateSync } from 'class-validator';
import { dtoShape } from './compiled-validator.js';
import type { ProblemFault } from './problem.js';

/** More faults help nobody, and a hostile body could have thousands. */
const MAX_FAULTS = 50;

/** An unknown name is repeated in a pointer only in this form; anything else could be data. */
const HARMLESS_NAME = /^[A-Za-z_][A-Za-z_-]{0,39}$/;

/** Of several faults of one field the one about its type says most. */
const TYPE_RULES = ['isObject', 'isArray', 'isString', 'isInt', 'isNumber', 'isBoolean'];

/**
 * Says why plain JSON does not fit a DTO class: all faults at once, each with a JSON pointer that begins with `at`.
 * Messages say what is expected and never what was sent.
 */
export function explainFaults(type: ClassConstructor<object>, plain: unknown, at: string): ProblemFault[] {
  if (!isRecord(plain)) return [{ pointer: at, message: 'must be a JSON object' }];
  const errors = validateSync(plainToInstance(type, plain), {
    forbidUnknownValues: false,
    validationError: { target: false, value: false },
  });
  const faults = [...knownFieldFaults(errors, plain, at), ...unknownFieldFaults(type, plain, at)];
  return faults.slice(0, MAX_FAULTS);
}

function knownFieldFaults(errors: readonly ValidationError[], plain: unknown, at: string): ProblemFault[] {
  return errors.flatMap((error) => {
    const pointer = `${at}/${escapePointer(error.property)}`;
    const value = isRecord(plain) ? plain[error.property] : undefined;
    if (error.constraints) return [{ pointer, message: messageOf(error.constraints, error.property, value) }];
    // An array in the place of an object: class-validator looks into its items.
    if (Array.isArray(value)) return [{ pointer, message: 'must be an object' }];
    return knownFieldFaults(error.children ?? [], value, pointer);
  });
}

function unknownFieldFaults(
  type: ClassConstructor<object>,
  plain: Record<string, unknown>,
  at: string,
): ProblemFault[] {
  const shape = dtoShape(type);
  return Object.keys(plain).flatMap((name): ProblemFault[] => {
    if (!shape.has(name)) {
      return [{ pointer: HARMLESS_NAME.test(name) ? `${at}/${name}` : at, message: 'is not a known field' }];
    }
    const nested = shape.get(name);
    const value = plain[name];
    return nested && isRecord(value) ? unknownFieldFaults(nested, value, `${at}/${escapePointer(name)}`) : [];
  });
}

function messageOf(constraints: Record<string, string>, property: string, value: unknown): string {
  if (value === undefined || value === null) return 'is required';
  const rule = TYPE_RULES.find((name) => name in constraints) ?? Object.keys(constraints)[0] ?? '';
  if (rule === 'arrayUnique') return 'must not hold the same value twice';
  const message = constraints[rule] ?? 'does not fit';
  // Decorators write sentences about the property; the pointer already names it.
  return message.replace(`each value in ${property} `, 'each value ').replace(`${property} `, '');
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
