import { formatMajor } from '../../money/money.js';
import { timeOfId } from '../../store/ids.js';
import type { DifferenceRecord } from '../../store/schema.js';
import {
  FORMER_DIFFERENCE_KINDS,
  FORMER_KINDS,
  type ClosingReason,
  type DifferenceKind,
  type DifferenceStep,
  type FormerKind,
} from '../difference.js';
import { minorOf, type FileAmount } from '../files/file-amount.js';
import type { Money } from '../match/known-money.js';
import type { DifferenceDto, DifferenceMoneyDto, SettlementDifferenceDto } from './differences.dto.js';

/** Builds the view field by field. `notes`: what people wrote, by id. */
export function viewDifference(
  difference: DifferenceRecord,
  notes: ReadonlyMap<string, string>,
): DifferenceDto {
  const { id, kind, state, line, settlementId, reference, paymentId, movementId, step } = difference;
  const { noteId, closedBy, closedAt, reason } = difference;
  return {
    id,
    kind: kind as DifferenceKind,
    name: kind as DifferenceKind,
    state,
    row: line,
    ...{ settlementId, reference, paymentId, movementId },
    foundAt: new Date(timeOfId(id)).toISOString(),
    expected: expectedOf(difference),
    found: foundOf(difference),
    note: noteId === null ? null : (notes.get(noteId) ?? null),
    closedBy,
    closedAt: closedAt === null ? null : new Date(closedAt).toISOString(),
    reason: reason as ClosingReason | null,
    step: step as DifferenceStep | null,
  };
}

/** The same as a report's own list shows it: under the name that versions before 0.3.0 gave it, where there was one. */
export function viewOfSettlement(
  difference: DifferenceRecord,
  notes: ReadonlyMap<string, string>,
): SettlementDifferenceDto {
  const view = viewDifference(difference, notes);
  return {
    ...view,
    kind: formerKind(difference),
    ...(view.found && { amount: view.found.amount }),
    ...(view.found?.currency && { currency: view.found.currency }),
  };
}

/** Only what a report has settled twice itself was called so. */
function formerKind({ kind, firstId, settlementId }: DifferenceRecord): DifferenceKind | FormerKind {
  const former = FORMER_DIFFERENCE_KINDS.find((one) => FORMER_KINDS[one] === kind);
  const isAcross = kind === 'settled_twice' && firstId !== settlementId;
  return former === undefined || isAcross ? (kind as DifferenceKind) : former;
}

function expectedOf({ expectedAmount, expectedCurrency }: DifferenceRecord): DifferenceMoneyDto | null {
  if (expectedAmount === null || expectedCurrency === null) return null;
  return { amount: formatMajor(expectedAmount, expectedCurrency), currency: expectedCurrency };
}

function foundOf({
  foundAmount: digits,
  foundDecimals: decimals,
  foundCurrency: currency,
}: DifferenceRecord): DifferenceMoneyDto | null {
  if (digits === null) return null;
  const amount = amountText({ digits, decimals }, currency);
  return amount === undefined ? null : { amount, currency };
}

/** The amount as people write it; undefined where its currency is not known and it is in minor units. */
function amountText({ digits, decimals }: FileAmount, currency: string | null): string | undefined {
  const minor = currency === null ? undefined : minorOf({ digits, decimals }, currency);
  if (minor !== undefined && currency !== null) return formatMajor(minor, currency);
  if (decimals === null) return undefined;
  const text = digits.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

/**
 * How much is written off by closing a difference so: what the ledger and the file are apart. Where the two are of different currencies, or nobody
 * knows how many minor units the file means, they are apart by all that each has. Money that an order should not have at all is written off whole.
 * Pure.
 */
export function writtenOff(difference: DifferenceRecord): Money[] {
  const { expectedAmount, expectedCurrency, foundAmount, foundDecimals } = difference;
  const foundCurrency = difference.foundCurrency ?? expectedCurrency;
  const expected = moneyOf(expectedAmount, expectedCurrency);
  if (expected && SURPLUS.has(difference.kind)) return [expected];
  const found =
    foundAmount !== null && foundCurrency !== null
      ? moneyOf(
          minorOf({ digits: foundAmount, decimals: foundDecimals }, foundCurrency) ?? null,
          foundCurrency,
        )
      : undefined;
  if (!expected || !found || expected.currency !== found.currency)
    return [expected, found].filter((one) => one !== undefined);
  const [more, less] =
    expected.amount > found.amount ? [expected.amount, found.amount] : [found.amount, expected.amount];
  return [{ amount: more - less, currency: expected.currency }];
}

/** Of these, what stands in a list of orders is not what the money is held against. */
const SURPLUS: ReadonlySet<string> = new Set(['order_paid_twice', 'order_unknown']);

/** What a difference says, in one text: another one once any of it changes. Pure. */
export function factsOf(difference: DifferenceRecord): string {
  const { kind, expectedAmount, expectedCurrency, foundAmount, foundDecimals, foundCurrency } = difference;
  return [kind, expectedAmount, expectedCurrency, foundAmount, foundDecimals, foundCurrency].join(' ');
}

function moneyOf(amount: bigint | null, currency: string | null): Money | undefined {
  return amount === null || currency === null ? undefined : { amount, currency };
}
