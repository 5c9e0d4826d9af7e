import type { ProblemFault } from '../../http/problems/problem.js';
import { cardBrand } from '../../card-numbers/card-brand.js';
import type { MethodFields } from '../method-fields.js';
import type { CardDto, DeviceDto } from './pay-card.dto.js';

/** The last time zone on earth in which a month ends. */
const LAST_ZONE_MS = 12 * 3_600_000;

/**
 * What each field alone cannot say: what the gateway takes is there, the card has not expired, and the cvv has the length of its brand.
 * Pure.
 */
export function cardFaults(
  card: CardDto,
  device: DeviceDto | undefined,
  needs: Pick<MethodFields, 'card' | 'device'>,
  now: number,
): ProblemFault[] {
  const faults = needs.card
    .filter((member) => card[member] === undefined)
    .map((member) => lacks(`card/${member}`));
  // A request says by itself which browser it comes from.
  const told = needs.device.filter((member) => member !== 'userAgent');
  if (!device && told.length > 0) faults.push(lacks('device'));
  if (device)
    faults.push(
      ...told.filter((member) => device[member] === undefined).map((member) => lacks(`device/${member}`)),
    );
  if (hasExpired(card, now))
    faults.push({ pointer: '/card/expiryYear', message: 'must not lie in the past' });
  const digits = cardBrand(card.number).securityCodeDigits;
  if (card.cvv !== undefined && card.cvv.length !== digits) {
    faults.push({ pointer: '/card/cvv', message: `must be ${String(digits)} digits for this card` });
  }
  return faults;
}

function lacks(place: string): ProblemFault {
  return { pointer: `/${place}`, message: 'is needed here' };
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
