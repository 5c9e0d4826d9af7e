import { Injectable } from '@nestjs/common';
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
import type { PaymentRecord, SettlementDifferenceRecord } from '../../store/schema.js';
import { reportedRefunds } from '../compare/reported-returns.js';
import type { DifferenceState } from '../difference.js';
import { minorOf } from '../files/file-amount.js';
import { ReturnsRepository } from '../store/returns.repository.js';
import { SettlementsRepository } from '../store/settlements.repository.js';

/** Why a row is not taken over, by what the gateway says. */
const LEFT: Readonly<Partial<Record<Reading, DifferenceState>>> = {
  'not-paid': 'left_not_paid',
  waiting: 'left_waiting',
  held: 'left_held',
};
/** In these the gateway has said what became of the payment: nothing is open about it. */
const ANSWERED: ReadonlySet<DifferenceState> = new Set([
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
    private readonly repository: SettlementsRepository,
    private readonly returns: ReturnsRepository,
    private readonly payments: PaymentsRepository,
    private readonly takeOver: TakeOver,
  ) {}

  /** Takes one row over, or leaves it and says why. Doing it again changes nothing. */
  async adopt(difference: SettlementDifferenceRecord): Promise<void> {
    const { state, paymentId } = await this.become(difference);
    await this.repository.move(difference, {
      state,
      dueAt: null,
      ...(paymentId !== undefined && { paymentId }),
    });
  }

  private async become(
    difference: SettlementDifferenceRecord,
  ): Promise<{ state: DifferenceState; paymentId?: string }> {
    const { reference: gatewayReference, settlementId: settlement, line } = difference;
    const parts = this.takeOver.partsOf(gatewayReference);
    if (!parts) return { state: 'left_reference' };
    const known = await this.payments.findByGatewayReference(gatewayReference);
    if (known) return foundState(known);
    const candidate = { ...candidateOf(difference), parts };
    const said = await this.takeOver.ask(candidate);
    if (!said) {
      await this.takeOver.keepNumber(parts);
      return { state: 'left_currency' };
    }
    const given = await this.givenBackOf(said);
    const left = LEFT[said.reading] ?? leftBy(said, given);
    if (left) {
      await this.takeOver.keepNumber(parts, { answered: ANSWERED.has(left) });
      return { state: left };
    }
    const occasion = { given, detail: { settlement, row: String(line ?? '') } };
    const { paymentId, found } = await this.takeOver.take(candidate, said, occasion);
    if (found) return foundState(found);
    return { state: said.reading === 'paid' ? 'adopted' : 'adopted_on_word', paymentId };
  }

  /** What the gateway's answer and all reports say went back of a payment that the store does not have. */
  private async givenBackOf({ adoptee, result }: Said): Promise<GivenBack> {
    const { gatewayReference, currency } = adoptee;
    const said = saidGivenBack(result);
    const kept = await this.returns.of([gatewayReference]);
    const refunds = kept.filter(({ kind }) => kind === 'refund');
    const reported = reportedRefunds(refunds, currency);
    const amount = said > reported.amount ? said : reported.amount;
    return { amount, refunds: Math.max(reported.rows, amount > 0n ? 1 : 0) };
  }
}

function candidateOf(difference: SettlementDifferenceRecord): Omit<Candidate, 'parts'> {
  const { reference: gatewayReference, transactionRef, currency, amount, decimals, actor } = difference;
  return {
    gatewayReference,
    transactionRef,
    ...(currency !== null && { currency }),
    // A row without a readable amount names none that a payment could have.
    amountIn: (asked) => minorOf({ digits: amount ?? 0n, decimals }, asked),
    actor: actor ?? 'merchant',
  };
}

/** Why a payment that the gateway does not call unpaid is not taken over: it denies that there is one, or nothing of it is left. */
function leftBy(said: Said, given: GivenBack): DifferenceState | undefined {
  if (isDenied(said.result)) return 'left_unknown';
  return isGivenBack(said, given) ? 'left_given_back' : undefined;
}

/** What became of a row whose payment is here by now. */
function foundState(payment: PaymentRecord): { state: DifferenceState; paymentId: string } {
  const { id: paymentId, method, status } = payment;
  if (method !== 'unknown') return { state: 'left_known', paymentId };
  if (status === 'processing') return { state: 'adopted_on_word', paymentId };
  return { state: status === 'succeeded' ? 'adopted' : 'left_not_paid', paymentId };
}
