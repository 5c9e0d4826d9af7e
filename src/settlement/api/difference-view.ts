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
 * How much is written off by closing a difference so, in minor units: what the ledger and the file are apart. Null where nobody knows how many
 * minor units the file means, and where the two are of different currencies: then all that the file has. Pure.
 */
export function writeOffAmount(difference: DifferenceRecord): { amount: bigint; currency: string } | null {
  const { expectedAmount, expectedCurrency, foundAmount, foundDecimals, foundCurrency } = difference;
  const currency = foundCurrency ?? expectedCurrency;
  if (currency === null) return null;
  const found =
    foundAmount === null ? 0n : minorOf({ digits: foundAmount, decimals: foundDecimals }, currency);
  if (found === undefined) return null;
  const expected = expectedCurrency === currency ? (expectedAmount ?? 0n) : 0n;
  return { amount: found > expected ? found - expected : expected - found, currency };
}
