import type { ClassConstructor } from 'class-transformer';
import { compiledValidator } from './compiled-validator.js';
import { heldCardData } from './held-card-data.js';
import { Problem, type ProblemFault } from '../problems/problem.js';
import { explainFaults, MAX_FAULTS } from './validation-faults.js';

/**
 * Reads plain JSON of a body as a DTO. Throws `validation-failed` with all faults, as JSON pointers that begin with `at` (`/card` for
 * an object that was sent encrypted in place of that member). What is in a body may be stored, so a card number or a security code
 * is a fault in every field that is not marked with `MayHoldCardNumber`.
 */
export function validated<T extends object>(type: ClassConstructor<T>, plain: unknown, at = ''): T {
  return read(type, plain, at, heldCardData(type, plain, at));
}

/** The same for a query, which is compared with what is stored and never stored itself. */
export function validatedQuery<T extends object>(type: ClassConstructor<T>, plain: unknown): T {
  return read(type, plain, '', []);
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
