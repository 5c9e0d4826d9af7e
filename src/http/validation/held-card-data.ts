import type { ClassConstructor } from 'class-transformer';
import type { ProblemFault } from '../problems/problem.js';
import { dtoShape } from './compiled-validator.js';
import { holdsCardNumber } from '../../card-numbers/holds-card-number.js';
import { holdsSecurityCode } from '../../card-numbers/holds-security-code.js';

/**
 * The texts of a body that hold a card number or a security code, wherever they stand: what is in a body may be stored. Fields that
 * are marked with `MayHoldCardNumber` are left out. Pointers begin with `at` and name no key that the caller chose.
 */
export function heldCardData(type: ClassConstructor<object>, plain: unknown, at: string): ProblemFault[] {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) return [];
  const faults: ProblemFault[] = [];
  for (const { name, nested, mayHoldCardNumber } of dtoShape(type).values()) {
    const value = (plain as Readonly<Record<string, unknown>>)[name];
    if (value === undefined || value === null || mayHoldCardNumber) continue;
    if (nested) {
      faults.push(...heldCardData(nested, value, `${at}/${name}`));
      continue;
    }
    const message = whatIsHeld(value);
    if (message !== undefined) faults.push({ pointer: `${at}/${name}`, message });
  }
  return faults;
}

/** Why a text is refused that is about to be stored; undefined where nothing is wrong with it. */
export function whatTextHolds(text: string): string | undefined {
  if (holdsCardNumber(text)) return 'must hold no card number';
  return holdsSecurityCode(text) ? 'must hold no security code of a card' : undefined;
}

/** The same for all texts of a value, keys too. A key may say what its text is. */
function whatIsHeld(value: unknown): string | undefined {
  if (typeof value === 'string') return whatTextHolds(value);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const held =
      typeof item === 'string'
        ? (whatTextHolds(key) ?? whatTextHolds(item) ?? whatTextHolds(`${key}: ${item}`))
        : (whatTextHolds(key) ?? whatIsHeld(item));
    if (held !== undefined) return held;
  }
  return undefined;
}
