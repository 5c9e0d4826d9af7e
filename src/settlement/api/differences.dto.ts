import { OmitType } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { IsCurrency, IsIntegerText, IsMoment, IsPlainText, UTF_8 } from '../../http/validation/validators.js';
import {
  CLOSING_REASONS,
  DIFFERENCE_KINDS,
  DIFFERENCE_STATES,
  FORMER_DIFFERENCE_KINDS,
  type ClosingReason,
  type DifferenceKind,
  type DifferenceState,
  type DifferenceStep,
  type FormerKind,
  FORMER_KINDS,
} from '../difference.js';
import { formatMajor } from '../../money/money.js';
import { timeOfId } from '../../store/ids.js';
import type { DifferenceRecord } from '../../store/schema.js';
import { minorOf, type FileAmount } from '../files/file-amount.js';
import type { Money } from '../match/known-money.js';

/** An amount of a difference. */
export class DifferenceMoneyDto {
  /**
   * Decimal, in major units.
   * @example "1400.00"
   */
  amount: string;
  /**
   * ISO 4217; null where the file names none.
   * @example "NGN"
   */
  currency: string | null;
}

/** Where a settlement report, or the merchant's own list, and the ledger differ. There is one over all reports, however often it is found. */
export class DifferenceDto {
  /** @example "dif_mi7v0s2k3q2x7wRrUtQ1yZ0a" */
  id: string;
  /**
   * `amount_differs`, `currency_differs`: settled with another one; `not_paid_here`: settled there, not paid here; `unknown_here`: there is no such
   * payment; `settled_twice`: by a report, or by two of them; `refund_unknown_here`, `refund_differs`, `chargeback_unknown_here`, `chargeback_differs`;
   * `fee_differs`: not what the profile expects; `payout_differs`: not the net of its rows; `not_settled`: in no report. Of the list: `order_not_paid`,
   * `order_paid_twice`, `order_unknown`: paid here, not listed as paid. More words may come.
   */
  kind: DifferenceKind;
  /** The same word. */
  name: DifferenceKind;
  state: DifferenceState;
  /** The line in the file, the header being 1; null where no row is meant. */
  row: number | null;
  /** The report whose row it is about, or beside which the list was sent; null for what no report has. */
  settlementId: string | null;
  /**
   * The gateway's reference of the payment; of an order the merchant's; of a payout its name.
   * @example "ORDER-1001_1"
   */
  reference: string;
  paymentId: string | null;
  /** The ledger's entry that it is about, where that is known. */
  movementId: string | null;
  /** When it was found. RFC 3339, UTC. */
  foundAt: string;
  /** What the ledger has; null: nothing. */
  expected: DifferenceMoneyDto | null;
  /** What the file says; null: nothing. */
  found: DifferenceMoneyDto | null;
  /** The latest note of a person. */
  note: string | null;
  /** Who closed it; null while it is open, and where it has closed itself because what it lacked has arrived. */
  closedBy: string | null;
  /** RFC 3339, UTC. */
  closedAt: string | null;
  /** Why a person has closed it. */
  reason: ClosingReason | null;
  /**
   * What is done about it. `to_ask`: the gateway will be asked; `asked`: it has its time to confirm; `unconfirmed`: the payment
   * needs attention; `to_approve`: the gateway cannot be asked, so another person must approve what the report claims. `to_adopt`, `adopted`, `adopted_on_word`, or `left_…`: not taken over, because the gateway says `not_paid`,
   * `unknown`, `given_back`, `waiting` or `held`, the payment is `known` here by now, or `reference` or `currency` cannot be told. Null: nothing is.
   */
  step: DifferenceStep | null;
}

/** Differences over all reports, the newest first. */
export class DifferenceListDto {
  data: DifferenceDto[];
  /** Ask with it as `cursor` for the next page; null on the last. */
  nextCursor: string | null;
}

/** A difference as a report's own list shows it. */
export class SettlementDifferenceDto extends OmitType(DifferenceDto, ['kind', 'name']) {
  /**
   * As `name`, but `twice_there` for what is `settled_twice` within the report, and `missing_there` for what is `not_settled` in its time: as
   * versions before 0.3.0 called them.
   */
  kind: DifferenceKind | FormerKind;
  /** The word that `GET /v1/differences` has for it. */
  name: DifferenceKind;
  /** What the file says: decimal, in major units. */
  amount?: string;
  currency?: string;
}

/** Differences in the order in which they were found. */
export class SettlementDifferenceListDto {
  data: SettlementDifferenceDto[];
  /** Ask with it as `cursor` for the next page; null on the last. */
  nextCursor: string | null;
}

const KINDS = [...DIFFERENCE_KINDS, ...FORMER_DIFFERENCE_KINDS];

class PageQueryDto {
  /** Only this kind; `twice_there` and `missing_there` mean `settled_twice` and `not_settled`. */
  @IsOptional()
  @IsIn(KINDS)
  kind?: DifferenceKind | FormerKind;

  /** 1 to 100, 50 by default. */
  @IsOptional()
  @IsIntegerText(1, 100)
  limit?: string;

  /** The `nextCursor` of the page before. */
  @IsOptional()
  @IsString()
  @Matches(/^dif_[A-Za-z0-9]{1,64}$/, { message: '$property must be a nextCursor of this list' })
  cursor?: string;
}

/** Which differences of a report to list. */
export class SettlementDifferencesQueryDto extends PageQueryDto {}

/** Which differences to list. */
export class DifferencesQueryDto extends PageQueryDto {
  @IsOptional()
  @IsIn(DIFFERENCE_STATES)
  state?: DifferenceState;

  /** The gateway's reference of a payment, or the merchant's of an order with all its payments. */
  @IsOptional()
  @IsPlainText(200)
  @Matches(UTF_8, { message: '$property must be UTF-8, without a percent sign' })
  reference?: string;

  /** Only those of this currency: the file's, or where it names none the ledger's. */
  @IsOptional()
  @IsCurrency()
  currency?: string;

  /** Only those found at this time or later: a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
  @IsOptional()
  @IsMoment()
  from?: string;

  /** Only those found before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
  @IsOptional()
  @IsMoment()
  to?: string;
}

/** Why a difference is closed. */
export class CloseDifferenceDto {
  /** Why it is over. */
  @IsIn(CLOSING_REASONS)
  reason: ClosingReason;

  /**
   * For whoever looks at it later: at most 500 characters. What looks like a secret in it is removed before it is kept.
   * @example "The gateway takes it back with its next payout."
   */
  @IsPlainText(500)
  note: string;
}

/** Why a difference is opened again. */
export class ReopenDifferenceDto {
  /** For whoever looks at it later: at most 500 characters. */
  @IsOptional()
  @IsPlainText(500)
  note?: string;
}

/** A note about a difference. */
export class NoteDifferenceDto {
  /** It replaces the one before: at most 500 characters. */
  @IsPlainText(500)
  note: string;
}

export const DIFFERENCE_EXAMPLE = {
  id: 'dif_mi7v0s2k3q2x7wRrUtQ1yZ0a',
  kind: 'not_paid_here',
  name: 'not_paid_here',
  state: 'open',
  row: 412,
  settlementId: 'stl_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  reference: 'ORDER-1001_1',
  paymentId: 'pay_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  movementId: null,
  foundAt: '2031-01-31T08:00:00.000Z',
  expected: null,
  found: { amount: '1500.00', currency: 'NGN' },
  note: null,
  closedBy: null,
  closedAt: null,
  reason: null,
  step: 'asked',
};
export const CLOSED_EXAMPLE = {
  ...DIFFERENCE_EXAMPLE,
  state: 'closed',
  note: 'The gateway takes it back with its next payout.',
  closedBy: 'merchant:books-ben',
  closedAt: '2031-01-31T09:30:00.000Z',
  reason: 'gateway_corrected',
  step: null,
};
export const DIFFERENCES_EXAMPLE = { data: [DIFFERENCE_EXAMPLE], nextCursor: null };
export const SETTLEMENT_DIFFERENCES_EXAMPLE = {
  data: [{ ...DIFFERENCE_EXAMPLE, amount: '1500.00', currency: 'NGN' }],
  nextCursor: DIFFERENCE_EXAMPLE.id,
};

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
