import type { ClassConstructor } from 'class-transformer';
import { compiledValidator } from './compiled-validator.js';
import { Problem } from '../problems/problem.js';
import { explainFaults } from './validation-faults.js';

/**
 * Reads plain JSON as a DTO. Throws `validation-failed` with all faults, as JSON pointers that begin with `at` (`/card` for
 * an object that was sent encrypted in place of that member).
 */
export function validated<T extends object>(type: ClassConstructor<T>, plain: unknown, at = ''): T {
  const instance = compiledValidator(type)(plain);
  if (instance !== null) return instance;
  const faults = explainFaults(type, plain, at);
  // A refused request stays refused, even if no fault can be named.
  throw validationFailed(faults.length > 0 ? faults : [{ pointer: at, message: 'does not fit' }]);
}

/** The refusal of a request with invalid values. */
export function validationFailed(errors: Problem['extra']['errors'] & object): Problem {
  const count = errors.length === 1 ? 'One thing does' : `${errors.length} things do`;
  return new Problem('validation-failed', `${count} not fit; see errors.`, { errors });
}
