import type { ProblemFault } from '../../http/problems/problem.js';
import { cardBrand } from '../../card-numbers/card-brand.js';
import type { CardDto } from './pay-card.dto.js';

/** The last time zone on earth in which a month ends. */
const LAST_ZONE_MS = 12 * 3_600_000;

/** The rules that involve more than one field: the card has not expired, and the cvv has the length of its brand. Pure. */
export function cardFaults(card: CardDto, now: number): ProblemFault[] {
  const faults: ProblemFault[] = [];
  if (hasExpired(card, now))
    faults.push({ pointer: '/card/expiryYear', message: 'must not lie in the past' });
  const digits = cardBrand(card.number).securityCodeDigits;
  if (card.cvv !== undefined && card.cvv.length !== digits) {
    faults.push({ pointer: '/card/cvv', message: `must be ${String(digits)} digits for this card` });
  }
  return faults;
}

/** A card is valid until the end of its month in its holder's time zone, which may be anywhere. */
function hasExpired({ expiryMonth, expiryYear }: CardDto, now: number): boolean {
  if (expiryMonth === undefined || expiryYear === undefined) return false;
  return now >= Date.UTC(Number(fullYear(expiryYear)), Number(expiryMonth), 1) + LAST_ZONE_MS;
}

/** `30` → `2030`. */
export function fullYear(year: string): string {
  return year.length === 2 ? `20${year}` : year;
}
