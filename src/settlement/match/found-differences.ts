import { minorOf, type FileAmount } from '../files/file-amount.js';
import { NOT_SETTLED } from '../difference.js';
import type { Evidence, KeptRow } from './kept-row.js';
import { type KnownMoney, type KnownMovement, type Money, undoneOf } from './known-money.js';
import type { Finding } from './matching.js';
import type { FoundDifference } from './reconcile.js';
import type { Matched } from './match-rows.js';

/** A difference of which nothing is said yet. */
export const BLANK: Omit<FoundDifference, 'subject' | 'kind' | 'reference'> = {
  settlementId: null,
  line: null,
  orderReference: null,
  paymentId: null,
  movementId: null,
  expectedAmount: null,
  expectedCurrency: null,
  foundAmount: null,
  foundDecimals: null,
  foundCurrency: null,
  transactionRef: null,
  settledAt: null,
  movedAt: null,
  claimed: null,
  firstId: null,
  said: null,
};

/** By which a difference about a row is known. */
export function rowSubject({ settlementId, line }: Pick<KeptRow, 'settlementId' | 'line'>): string {
  return `row ${settlementId} ${line}`;
}

/** What rows differ in, as differences. Pure. */
export function rowDifferences(
  findings: readonly Finding[],
  known: KnownMoney | undefined,
  orderReference: string | null,
  { again }: Pick<Evidence, 'again'>,
): FoundDifference[] {
  if (findings.length === 0) return [];
  const claims = new Claims(known);
  return findings.map(({ kind, row, movementId, expected, found, first }) => ({
    ...BLANK,
    ...aboutRow(row, rowSubject(row)),
    kind,
    orderReference: known?.payment.reference ?? orderReference,
    paymentId: known?.payment.id ?? null,
    movementId,
    ...expectedOf(expected),
    ...foundOf(found),
    claimed: claims.of(kind, found),
    firstId: first === null ? null : settledFirstBy(row, first, again),
  }));
}

/** The report that has settled something first: the row's own where that has the first row too. */
function settledFirstBy({ nth, settlementId }: KeptRow, first: KeptRow, again: Evidence['again']): string {
  const isOwn =
    nth > 1 || [...again].some(([copy, kept]) => kept === first && copy.settlementId === settlementId);
  return isOwn ? settlementId : first.settlementId;
}

/** Movements that no report has settled, as differences. Pure. */
export function absentDifferences(
  unsettled: readonly Unsettled[],
  { payment }: KnownMoney,
): FoundDifference[] {
  return unsettled.map(({ movement, expected }) => ({
    ...BLANK,
    subject: `movement ${movement.id}`,
    kind: NOT_SETTLED,
    reference: payment.gatewayReference,
    orderReference: payment.reference,
    paymentId: payment.id,
    movementId: movement.id,
    ...expectedOf(expected),
    transactionRef: movement.transactionRef,
    movedAt: movement.at,
  }));
}

/** A fee that is not the expected one, as a difference. Pure. */
export function feeDifference(
  row: KeptRow,
  { payment }: KnownMoney,
  { movement, expected, found }: { movement: KnownMovement; expected: bigint; found: bigint },
): FoundDifference {
  const { currency } = payment;
  return {
    ...BLANK,
    ...aboutRow(row, `fee ${payment.id}`),
    kind: 'fee_differs',
    orderReference: payment.reference,
    paymentId: payment.id,
    movementId: movement.id,
    ...expectedOf({ amount: expected, currency }),
    ...foundOf({ digits: found, decimals: null, currency }),
  };
}

/** A payout that is not the net of its rows, as a difference. Pure. */
export function payoutDifference(
  row: { settlementId: string; line: number; transactionRef: string | null; settledFrom: number | null },
  { name, subject, expected, found }: { name: string; subject: string; expected: Money; found: Money },
): FoundDifference {
  return {
    ...BLANK,
    subject,
    kind: 'payout_differs',
    settlementId: row.settlementId,
    line: row.line,
    reference: name,
    transactionRef: row.transactionRef,
    settledAt: row.settledFrom,
    ...expectedOf(expected),
    ...foundOf({ digits: found.amount, decimals: null, currency: found.currency }),
    said: 'payout',
  };
}

function aboutRow(
  row: KeptRow,
  subject: string,
): Pick<
  FoundDifference,
  'subject' | 'settlementId' | 'line' | 'reference' | 'transactionRef' | 'settledAt' | 'said'
> {
  const { settlementId, line, reference, transactionRef, settledAt, type } = row;
  return {
    subject,
    settlementId,
    line,
    reference,
    transactionRef,
    settledAt: settledAt?.from ?? null,
    said: type,
  };
}

function expectedOf(expected: Money | null): Pick<FoundDifference, 'expectedAmount' | 'expectedCurrency'> {
  return { expectedAmount: expected?.amount ?? null, expectedCurrency: expected?.currency ?? null };
}

/** In minor units where the currency says how many there are. */
function foundOf({
  digits,
  decimals,
  currency,
}: FileAmount & { currency: string | null }): Pick<
  FoundDifference,
  'foundAmount' | 'foundDecimals' | 'foundCurrency'
> {
  const minor = currency === null ? undefined : minorOf({ digits, decimals }, currency);
  return {
    foundAmount: minor ?? digits,
    foundDecimals: minor === undefined ? decimals : null,
    foundCurrency: currency,
  };
}

/** How much must be known to have gone back of a payment before what reports claim is confirmed, row by row. */
class Claims {
  readonly #known: KnownMoney | undefined;
  readonly #sums = new Map<string, bigint>();

  constructor(known: KnownMoney | undefined) {
    this.#known = known;
  }

  of(kind: Finding['kind'], found: FileAmount & { currency: string | null }): bigint | null {
    const { currency } = this.#known?.payment ?? {};
    if (currency === undefined || found.currency !== currency) return null;
    const minor = minorOf(found, currency);
    const before = this.#sums.get(kind) ?? this.#knownOf(kind);
    if (minor === undefined || before === undefined) return null;
    this.#sums.set(kind, before + minor);
    return before + minor;
  }

  /** What is known already. */
  #knownOf(kind: Finding['kind']): bigint | undefined {
    const sum = (out: KnownMovement['kind'][], back: KnownMovement['kind']): bigint =>
      (this.#known?.movements ?? []).reduce((all, movement) => {
        if (out.includes(movement.kind)) return all + movement.amount;
        return movement.kind === back ? all - movement.amount : all;
      }, 0n);
    if (kind === 'refund_unknown_here') return sum(['refund', 'void'], 'refund_reversal');
    return kind === 'chargeback_unknown_here' ? sum(['chargeback'], 'chargeback_reversal') : undefined;
  }
}

/** What a movement must be for its absence from all reports to mean something. */
export interface Expectation {
  /** Movements before this time were compared by a version before 0.3.0, which has not kept what reports said of them. */
  readonly from: number;
  /** Movements before this time are old enough, and a report came that is newer than they are. */
  readonly before: number;
  /** Whether reports have been seen to carry such movements. */
  readonly carries: (movement: Pick<KnownMovement, 'kind'>, payment: KnownMoney['payment']) => boolean;
}

/** A movement that no report has settled. */
interface Unsettled {
  readonly movement: KnownMovement;
  readonly expected: Money;
}

/**
 * The movements that a report should have settled by now. `expectation`: undefined where none is looked for anew. `told`: the movements of which it was
 * found before that no report has them, which is so until one comes. One that a difference names already is none, nor are two that undo each other of
 * which no report has any. Corrections are settled with their payment. Pure.
 */
export function unsettledOf(
  { payment, movements }: KnownMoney,
  { matches, findings }: Matched,
  expectation: Expectation | undefined,
  told: ReadonlySet<string> = new Set(),
): Unsettled[] {
  const known = new Set([...matches, ...findings].map(({ movementId }) => movementId));
  const absent = movements.filter(({ id }) => !known.has(id));
  if (absent.length === 0) return [];
  const corrected = movements.reduce(
    (sum, { kind, direction, amount }) =>
      kind !== 'correction' ? sum : direction === 'in' ? sum + amount : sum - amount,
    0n,
  );
  const sizeOf = ({ kind, amount }: KnownMovement): bigint =>
    kind === 'payment' ? amount + corrected : amount;
  const undone = undoneOf(absent, sizeOf);
  return absent.flatMap((movement) => {
    const amount = sizeOf(movement);
    if (movement.kind === 'correction' || amount === 0n || undone.has(movement)) return [];
    if (!told.has(movement.id) && !isExpected(movement, payment, expectation)) return [];
    return [{ movement, expected: { amount, currency: payment.currency } }];
  });
}

function isExpected(
  movement: KnownMovement,
  payment: KnownMoney['payment'],
  expectation: Expectation | undefined,
): boolean {
  if (!expectation) return false;
  const { from, before, carries } = expectation;
  return movement.at >= from && movement.at < before && carries(movement, payment);
}
