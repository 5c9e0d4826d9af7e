import { Problem, type ProblemFault, validationFailed } from '../../http/problems/problem.js';
import { validated } from '../../http/check.js';
import { oneLine } from '../../http/validation/typed-text.js';
import type { MethodFields } from '../../gateway/method-fields.js';
import { CardDto, PayCardDto } from './pay-card.dto.js';
import { cardBrand } from '../../card-numbers/card-brand.js';

type Needs = Pick<MethodFields, 'card' | 'device'>;

/** The body of a card payment. Throws `validation-failed` with everything at once: what does not fit, and what the gateway takes and is not there. */
export function readPayCard(body: unknown, needs: Needs): PayCardDto {
  const plain = body === undefined ? {} : body;
  if (!isRecord(plain)) return validated(PayCardDto, plain);
  const { card, device } = plain;
  // A request says by itself which browser it comes from.
  const told = needs.device.filter((member) => member !== 'userAgent');
  return withFaults(
    () => validated(PayCardDto, plain),
    [
      ...(isRecord(card) ? missing(card, needs.card, '/card') : []),
      ...(device === undefined && told.length > 0 ? [{ pointer: '/device', message: NEEDED }] : []),
      ...(isRecord(device) ? missing(device, told, '/device') : []),
    ],
  );
}

/** The same of a card that came encrypted. */
export function readCard(content: unknown, needs: Needs): CardDto {
  return withFaults(
    () => validated(CardDto, content, '/card'),
    isRecord(content) ? missing(content, needs.card, '/card') : [],
  );
}

const NEEDED = 'is needed here';

function missing(
  given: Readonly<Record<string, unknown>>,
  members: readonly string[],
  place: string,
): ProblemFault[] {
  return members
    .filter((member) => isBlank(given[member]))
    .map((member) => ({ pointer: `${place}/${member}`, message: NEEDED }));
}

/** An empty text is one that was left out. */
function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && oneLine(value) === '');
}

/** What is read, unless there is a fault: one that the reader finds, or one of these. Each place has one. */
function withFaults<T>(read: () => T, faults: readonly ProblemFault[]): T {
  try {
    const found = read();
    if (faults.length === 0) return found;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation-failed') throw error;
    const { errors = [] } = error.extra;
    const told = new Set(errors.map(({ pointer }) => pointer));
    throw validationFailed([...errors, ...faults.filter(({ pointer }) => !told.has(pointer))]);
  }
  throw validationFailed([...faults]);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
