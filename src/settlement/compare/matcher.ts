import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { PROFILE } from '../../gateway/gateway.module.js';
import type { ExpectedFee, Profile } from '../../gateway/profile/format.js';
import { highestRefundNamed, keepRefundNumber } from '../../payments/named/named-refunds.js';
import { splitReference } from '../../payments/named/naming.js';
import type { DifferenceRecord, SettlementMatchRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { NOT_SETTLED } from '../difference.js';
import { expectedFee } from '../files/expected-fee.js';
import {
  absentDifferences,
  feeDifference,
  rowDifferences,
  unsettledOf,
  type Expectation,
} from '../match/found-differences.js';
import { evidenceOf, type Evidence, type KeptRow, formerRows, isOfFormerRow } from '../match/kept-row.js';
import { capturedOf, type KnownMoney } from '../match/known-money.js';
import { matchRows, type Matched } from '../match/match-rows.js';
import type { Match } from '../match/matching.js';
import { reconcile, type FoundDifference } from '../match/reconcile.js';
import { firstStep, DifferencesRepository } from '../store/differences.repository.js';
import { KnownMoneyRepository } from '../store/known-money.repository.js';
import { MatchesRepository } from '../store/matches.repository.js';
import { SettlementRowsRepository } from '../store/settlement-rows.repository.js';
import { SettlementsRepository } from '../store/settlements.repository.js';

const DAY_MS = 24 * 3_600_000;

/** What the rows of one report came to. */
export interface RowsTold extends PaidTime {
  matched: number;
  different: number;
  /** The lines of rows that an earlier report has too, and that say nothing more: of payments of which the report has no others. */
  again: number[];
  /** What the gateway calls the payments that are not here. Reports before this one say nothing of them, or less. */
  unknown: string[];
  /** The same of those of which reports before this one say all of it, whoever sent them. */
  unknownAgain: string[];
  /** The same of those that were taken and reversed at once, as far as reports say. */
  reversed: string[];
}

/** When the first and the last of some payments were paid; null: none was. */
export interface PaidTime {
  paidFrom: number | null;
  paidUntil: number | null;
}

/** Makes such a time reach from one moment to another; null: from none. */
export function widen(time: PaidTime, from: number | null, until: number | null): void {
  if (from !== null) time.paidFrom = Math.min(time.paidFrom ?? from, from);
  if (until !== null) time.paidUntil = Math.max(time.paidUntil ?? until, until);
}

/**
 * Holds all that reports say of payments against all that is known of them, and writes down which row settles what, and what differs. It
 * may be done at any time and again: what is written follows from the rows and the ledger alone. Use it within the `MatchingTurn`.
 */
@Injectable()
export class Matcher {
  constructor(
    private readonly store: Store,
    private readonly settlements: SettlementsRepository,
    private readonly rows: SettlementRowsRepository,
    private readonly money: KnownMoneyRepository,
    private readonly matches: MatchesRepository,
    private readonly differences: DifferencesRepository,
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'reference'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'settlementExpectedDays'>,
  ) {}

  /** Matches these payments, by the gateway's references. Says what became of the rows of one report. */
  async match(references: readonly string[], settlementId?: string): Promise<RowsTold> {
    const told: RowsTold = {
      ...{ matched: 0, different: 0, again: [], unknown: [], unknownAgain: [], reversed: [] },
      ...{ paidFrom: null, paidUntil: null },
    };
    if (references.length === 0) return told;
    const rowsOf = await this.rows.ofReferences(references);
    const stored = Map.groupBy(await this.differences.ofPayments(references), ({ reference }) => reference);
    const named = new Set(
      [...rowsOf].flatMap(([reference, rows]) =>
        rows.some(({ refundRef }) => refundRef !== null) ? reference : [],
      ),
    );
    const known = await this.money.byGatewayReference(references, named);
    const expectation = await this.expectation();
    const feesOf = await this.settlements.feesOf(
      new Set([...rowsOf.values()].flat().map((row) => row.settlementId)),
    );
    const found: FoundDifference[] = [];
    const matched: SettlementMatchRecord[] = [];
    const movements: string[] = [];
    const carried = new Map<
      string,
      { kind: KnownMoney['movements'][number]['kind']; payment: KnownMoney['payment'] }
    >();
    for (const reference of references) {
      const own = rowsOf.get(reference) ?? [];
      const money = known.get(reference);
      const evidence = evidenceOf([...own, ...formerRows(stored.get(reference) ?? [], own)]);
      const result = matchRows(evidence.rows, money);
      const fee = money && this.feeOf(money, result, feesOf);
      found.push(
        ...rowDifferences(
          result.findings,
          money,
          splitReference(reference, this.profile.reference)?.reference ?? null,
          evidence,
        ),
        ...(fee ? [fee] : []),
        ...(money
          ? absentDifferences(unsettledOf(money, result, expectation, toldOf(stored.get(reference))), money)
          : []),
      );
      matched.push(...result.matches.map(toRecord));
      for (const movement of money?.movements ?? []) {
        movements.push(movement.id);
        if (money && result.matches.some(({ movementId }) => movementId === movement.id))
          carried.set(`${movement.kind} ${money.payment.currency} ${money.payment.method}`, {
            kind: movement.kind,
            payment: money.payment,
          });
      }
      if (money) await this.keepRefundNumber(money, own);
      if (settlementId !== undefined)
        tell(told, { reference, own, evidence, result, fee, money }, settlementId);
    }
    await this.writeMatches(matched, movements);
    await this.matches.noteCarried(
      [...carried.values()].map(({ kind, payment: { currency, method } }) => ({ kind, currency, method })),
    );
    found.sort(byPlace);
    const now = this.store.clock.now();
    const before = [...stored.values()]
      .flat()
      .filter((one) => !isOfFormerRow(one, rowsOf.get(one.reference) ?? []));
    await this.differences.apply(reconcile(before, found), now, (one) => firstStep(one, now));
    return told;
  }

  /** Movements that are this old should have been settled; undefined: none are looked for. */
  async expectation(): Promise<Expectation | undefined> {
    const { settlementExpectedDays: days } = this.config;
    const newest = days === 0 ? undefined : await this.settlements.newestRow();
    if (newest === undefined) return undefined;
    const { kinds, currencies, methods } = await this.matches.carried();
    return {
      from: await this.settlements.formerUntil(),
      before: Math.min(this.store.clock.now() - days * DAY_MS, newest),
      carries: ({ kind }, { currency, method }) =>
        kinds.has(kind) && currencies.has(currency) && methods.has(method),
    };
  }

  /** A refund that a report names and the store has lost was made: none of this payment is called like it again. */
  private async keepRefundNumber({ payment, refunds }: KnownMoney, rows: readonly KeptRow[]): Promise<void> {
    const highest = (all: readonly { refundRef: string | null }[]): number =>
      highestRefundNamed(
        all.map(({ refundRef }) => refundRef),
        payment.gatewayReference,
        this.profile.reference,
      );
    const named = highest(rows);
    if (named > highest(refunds)) await keepRefundNumber(this.store, payment, named);
  }

  private async writeMatches(
    matches: readonly SettlementMatchRecord[],
    movements: readonly string[],
  ): Promise<void> {
    const before = new Map((await this.matches.ofMovements(movements)).map((match) => [keyOf(match), match]));
    const now = new Set(matches.map(keyOf));
    const gone = [...before].flatMap(([key, match]) => (now.has(key) ? [] : [match]));
    await this.matches.remove(gone);
    await this.matches.add(matches.filter((match) => !isSame(match, before.get(keyOf(match)))));
  }

  /** The fee of a payment that is settled whole, where the profile expects another. */
  private feeOf(
    money: KnownMoney,
    { matches }: Matched,
    feesOf: ReadonlyMap<string, readonly object[]>,
  ): FoundDifference | undefined {
    const { currency, method, cardBrand } = money.payment;
    const sale = money.movements.find(({ kind }) => kind === 'payment');
    const own = matches.filter(({ movementId }) => movementId === sale?.id);
    const last = own.at(-1);
    if (!sale || !last || own.some(({ row }) => row.fee === null)) return undefined;
    const fees = feesOf.get(last.row.settlementId) ?? [];
    const subject = { currency, method, brand: cardBrand, amount: capturedOf(money) };
    const expected = expectedFee(fees as readonly ExpectedFee[], subject);
    if (!expected) return undefined;
    const found = own.reduce((sum, { fee }) => sum + (fee ?? 0n), 0n);
    const by = found > expected.fee ? found - expected.fee : expected.fee - found;
    if (by <= expected.tolerance) return undefined;
    return feeDifference(last.row, money, { movement: sale, expected: expected.fee, found });
  }
}

/** The movements of which it is told that no report has them. */
function toldOf(stored: readonly DifferenceRecord[] = []): Set<string> {
  return new Set(
    stored.flatMap(({ kind, state, movementId }) =>
      kind === NOT_SETTLED && state === 'open' && movementId !== null ? movementId : [],
    ),
  );
}

/** Says what became of a report's rows. */
function tell(
  told: RowsTold,
  {
    reference,
    own,
    evidence,
    result,
    fee,
    money,
  }: {
    reference: string;
    own: readonly KeptRow[];
    evidence: Evidence;
    result: Matched;
    fee: FoundDifference | undefined;
    money: KnownMoney | undefined;
  },
  settlementId: string,
): void {
  const paidAt = money?.movements.find(({ kind }) => kind === 'payment')?.at;
  if (paidAt !== undefined) widen(told, paidAt, paidAt);
  const agreed = new Set(result.canceled);
  for (const { row } of result.matches) agreed.add(row);
  const rows = own.filter((row) => row.settlementId === settlementId);
  // All or none: the first row of a payment is known by those before it.
  if (rows.every((row) => evidence.again.has(row) && !evidence.tells.has(row)))
    told.again.push(...rows.map(({ line }) => line));
  if (!money)
    unknownIn(
      told,
      rows.some((row) => !evidence.again.has(row)),
      result,
    ).push(reference);
  for (const row of rows) {
    const kept = evidence.again.get(row) ?? evidence.completed.get(row) ?? row;
    const isAgreed = agreed.has(kept);
    if (isAgreed) told.matched += 1;
    const hasFee = fee !== undefined && fee.settlementId === kept.settlementId && fee.line === kept.line;
    if (!isAgreed || hasFee) told.different += 1;
  }
}

/** Where a payment that is not here belongs. */
function unknownIn(told: RowsTold, isNews: boolean, result: Matched): string[] {
  if (isReversed(result)) return told.reversed;
  return isNews ? told.unknown : told.unknownAgain;
}

/** Whether nothing is left of a payment that is not here: all that was taken of it was reversed. */
function isReversed({ findings, canceled }: Matched): boolean {
  const isOfSale = ({ type }: KeptRow): boolean => type === 'payment' || type === 'paymentReversal';
  return findings.length === 0 && canceled.every(isOfSale);
}

function toRecord({ row, movementId, gross, fee, net }: Match): SettlementMatchRecord {
  const { settlementId, line, settledAt } = row;
  return { settlementId, line, movementId, gross, fee, net, at: settledAt?.from ?? null, summed: 0n };
}

function keyOf({ settlementId, line, movementId }: SettlementMatchRecord): string {
  return `${settlementId} ${line} ${movementId}`;
}

function isSame(one: SettlementMatchRecord, other: SettlementMatchRecord | undefined): boolean {
  return one.gross === other?.gross && one.fee === other.fee && one.net === other.net && one.at === other.at;
}

/** As the reports have them. */
function byPlace(one: FoundDifference, other: FoundDifference): number {
  const [here, there] = [one.settlementId ?? '', other.settlementId ?? ''];
  if (here !== there) return here < there ? -1 : 1;
  return (one.line ?? 0) - (other.line ?? 0);
}
