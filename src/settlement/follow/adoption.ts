import { Inject, Injectable } from '@nestjs/common';
import { PROFILE } from '../../gateway/gateway.module.js';
import type { Profile } from '../../gateway/profile/format.js';
import { highestRefundNamed } from '../../payments/named/named-refunds.js';
import {
  isDenied,
  isGivenBack,
  saidGivenBack,
  TakeOver,
  type Candidate,
  type GivenBack,
  type Said,
} from '../../payments/named/take-over.js';
import type { Reading } from '../../payments/interpret/status-answer.js';
import { PaymentsRepository } from '../../payments/state/payments.repository.js';
import type { DifferenceRecord, PaymentRecord } from '../../store/schema.js';
import { Matcher } from '../compare/matcher.js';
import { MatchingTurn } from '../compare/matching-turn.js';
import type { DifferenceStep } from '../difference.js';
import { minorOf } from '../files/file-amount.js';
import { evidenceOf } from '../match/kept-row.js';
import { DifferencesRepository } from '../store/differences.repository.js';
import { SettlementRowsRepository } from '../store/settlement-rows.repository.js';

/** Why a row is not taken over, by what the gateway says. */
const LEFT: Readonly<Partial<Record<Reading, DifferenceStep>>> = {
  'not-paid': 'left_not_paid',
  waiting: 'left_waiting',
  held: 'left_held',
};
/** In these the gateway has said what became of the payment: nothing is open about it. */
const ANSWERED: ReadonlySet<DifferenceStep> = new Set<DifferenceStep>([
  'left_not_paid',
  'left_unknown',
  'left_given_back',
] as const);

/**
 * Takes over payments that a report names and the store does not have, as after a restored backup. The gateway is asked first: its
 * success makes the payment paid. Where it says neither yes nor no, the payment waits for its word, or for another person's.
 * Whatever it says, the number of the report's reference is never given to another payment.
 */
@Injectable()
export class Adoption {
  constructor(
    private readonly differences: DifferencesRepository,
    private readonly rows: SettlementRowsRepository,
    private readonly matcher: Matcher,
    private readonly turn: MatchingTurn,
    private readonly payments: PaymentsRepository,
    private readonly takeOver: TakeOver,
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'reference'>,
  ) {}

  /** Takes one row over, or leaves it and says why. Doing it again changes nothing. */
  async adopt(difference: DifferenceRecord): Promise<void> {
    const step = await this.become(difference);
    // What is known of the payment now closes the difference, or makes another of it.
    await this.turn.use(() => this.matcher.match([difference.reference]));
    await this.differences.move(difference, { step, dueAt: null });
  }

  private async become(difference: DifferenceRecord): Promise<DifferenceStep> {
    const { reference: gatewayReference, settlementId, line } = difference;
    const parts = this.takeOver.partsOf(gatewayReference);
    if (!parts) return 'left_reference';
    const known = await this.payments.findByGatewayReference(gatewayReference);
    if (known) return stepOf(known);
    const candidate = { ...candidateOf(difference), parts };
    const said = await this.takeOver.ask(candidate);
    if (!said) {
      await this.takeOver.keepNumber(parts);
      return 'left_currency';
    }
    const given = await this.givenBackOf(said);
    const left = LEFT[said.reading] ?? leftBy(said, given);
    if (left) {
      await this.takeOver.keepNumber(parts, { answered: ANSWERED.has(left) });
      return left;
    }
    const occasion = { given, detail: { settlement: settlementId ?? '', row: String(line ?? '') } };
    const { found } = await this.takeOver.take(candidate, said, occasion);
    if (found) return stepOf(found);
    return said.reading === 'paid' ? 'adopted' : 'adopted_on_word';
  }

  /** What the gateway's answer and all reports say went back of a payment that the store does not have. */
  private async givenBackOf({ adoptee, result }: Said): Promise<GivenBack> {
    const { gatewayReference, currency } = adoptee;
    const said = saidGivenBack(result);
    const kept = (await this.rows.ofReferences([gatewayReference])).get(gatewayReference) ?? [];
    const refunds = evidenceOf(kept).rows.filter(({ type }) => type === 'refund');
    const amounts = refunds.map((row) =>
      row.currency === null || row.currency === currency ? (minorOf(row.amount, currency) ?? 0n) : 0n,
    );
    const reported = amounts.reduce((sum, amount) => sum + amount, 0n);
    const amount = said > reported ? said : reported;
    const names = kept.map(({ refundRef }) => refundRef);
    const named = highestRefundNamed(names, gatewayReference, this.profile.reference);
    return { amount, refunds: Math.max(named, refunds.length, amount > 0n ? 1 : 0) };
  }
}

function candidateOf(difference: DifferenceRecord): Omit<Candidate, 'parts'> {
  const { reference: gatewayReference, transactionRef, actor } = difference;
  const { foundCurrency: currency, foundAmount: digits, foundDecimals: decimals } = difference;
  return {
    gatewayReference,
    transactionRef,
    ...(currency !== null && { currency }),
    // A row without a readable amount names none that a payment could have.
    amountIn: (asked) => minorOf({ digits: digits ?? 0n, decimals }, asked),
    actor: actor ?? 'merchant',
  };
}

/** Why a payment that the gateway does not call unpaid is not taken over: it denies that there is one, or nothing of it is left. */
function leftBy(said: Said, given: GivenBack): DifferenceStep | undefined {
  if (isDenied(said.result)) return 'left_unknown';
  return isGivenBack(said, given) ? 'left_given_back' : undefined;
}

/** What became of a row whose payment is here by now. */
function stepOf({ method, status }: PaymentRecord): DifferenceStep {
  if (method !== 'unknown') return 'left_known';
  if (status === 'processing') return 'adopted_on_word';
  return status === 'succeeded' ? 'adopted' : 'left_not_paid';
}
