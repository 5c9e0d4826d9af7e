import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { stateOf } from '../../approvals/approval.js';
import { Approvals, type Deciding } from '../../approvals/approvals.js';
import { ApprovalsRepository } from '../../approvals/approvals.repository.js';
import { Gateway } from '../../gateway/gateway.js';
import { PROFILE } from '../../gateway/gateway.module.js';
import type { Profile } from '../../gateway/profile/format.js';
import { Problem } from '../../http/problems/problem.js';
import { formatMajor } from '../../money/money.js';
import { AskApproval } from '../../payments/apply/ask-approval.js';
import { paymentSnapshot } from '../../payments/apply/payment-snapshot.js';
import { ResolvePayment } from '../../payments/operations/resolve.js';
import { PaymentsRepository } from '../../payments/state/payments.repository.js';
import { RefundsRepository } from '../../payments/state/refunds.repository.js';
import { viewRefund } from '../../payments/views/refund.dto.js';
import type { ApprovalRecord, DifferenceRecord, PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { WrittenTexts } from '../../store/written-texts.js';
import type { KnownMovement } from '../match/known-money.js';
import { evidenceOf } from '../match/kept-row.js';
import { refundThatReturned } from '../match/refund-that-returned.js';
import { DifferencesRepository } from '../store/differences.repository.js';
import { KnownMoneyRepository } from '../store/known-money.repository.js';
import { SettlementRowsRepository } from '../store/settlement-rows.repository.js';
import { SettlementsRepository } from '../store/settlements.repository.js';

const KIND = 'refund_reversal';
/** Approvals of one payment that are looked at. More refunds of one payment are not made. */
const MOST_OF_A_PAYMENT = 100;

/**
 * Rows of reports that say that a refund came back, of a gateway that cannot be asked whether it did: somebody else than the report's sender
 * must approve what the row claims. Each row is asked about once, whatever is uploaded again.
 */
@Injectable()
export class ReportedReversals implements OnModuleInit {
  constructor(
    private readonly store: Store,
    private readonly approvals: Approvals,
    private readonly approvalRows: ApprovalsRepository,
    private readonly asking: AskApproval,
    private readonly resolutions: ResolvePayment,
    private readonly settlements: SettlementsRepository,
    private readonly differences: DifferencesRepository,
    private readonly rows: SettlementRowsRepository,
    private readonly money: KnownMoneyRepository,
    private readonly payments: PaymentsRepository,
    private readonly refunds: RefundsRepository,
    private readonly texts: WrittenTexts,
    private readonly gateway: Gateway,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  onModuleInit(): void {
    this.approvals.register(KIND, {
      approve: (approval, by) => this.approve(approval, by),
      result: (approval) => this.result(approval),
      declined: (approval) => this.declined(approval),
    });
  }

  /** Asks for an approval of what a row claims. False where the gateway can be asked, or no refund of ours fits. Doing it again changes nothing. */
  async ask(difference: DifferenceRecord): Promise<boolean> {
    if (difference.said !== 'refundReversal' || this.canAskGateway()) return false;
    const id = approvalIdOf(difference);
    const asked = (await this.approvalRows.find(id)) ?? (await this.askNow(difference, id));
    if (!asked || stateOf(asked, this.store.clock.now()) !== 'waiting') return false;
    await this.differences.move(difference, { step: 'to_approve', dueAt: asked.expiresAt });
    return true;
  }

  /** Whether a person has declined what a row claims. */
  async isDeclined(difference: DifferenceRecord): Promise<boolean> {
    return (await this.approvalRows.find(approvalIdOf(difference)))?.state === 'declined';
  }

  private async askNow(difference: DifferenceRecord, id: string): Promise<ApprovalRecord | undefined> {
    const payment = await this.payments.find(difference.paymentId ?? '');
    const settlement = difference.settlementId ?? '';
    const actor = await this.settlements.senderOf(settlement);
    const refund = payment && (await this.refundOf(difference, payment));
    if (actor === undefined || !payment || !refund?.refundId) return undefined;
    const { reference, sessionId, id: paymentId, currency } = payment;
    const { refundId, amount } = refund;
    const asked = {
      ...({ kind: KIND, amount, currency, actor, objectId: difference.id } as const),
      wanted: { refundId, settlement, row: String(difference.line ?? '') },
    };
    const operation = { type: 'refund' as const, amount: formatMajor(amount, currency), refundId };
    await this.store.writer.write<undefined>(
      { reference, sessionId, paymentId, approvalId: id },
      (snapshot) => {
        // Another process has asked meanwhile.
        if (snapshot.approval) return { changes: {}, result: undefined };
        const rows = paymentSnapshot(snapshot);
        const { changes } = this.asking.rows(rows, { asked, operation, id }, this.store.clock.now());
        return { changes, result: undefined };
      },
    );
    return this.approvalRows.find(id);
  }

  /** In the commit that decides it: the refund has failed after all, on the report's word. */
  private async approve(approval: ApprovalRecord, { call, ...by }: Deciding): Promise<{ replayed: boolean }> {
    const { id, actor: askedBy, objectId, paymentId, wanted } = approval;
    const payment = await this.payments.find(paymentId ?? '');
    const difference = await this.differences.find(objectId ?? '');
    if (!payment || !difference) throw new Problem('not-found', 'There is no such payment.');
    // One that closed by itself may have been matched with another row's refund: whether this one is dealt with, its own state says.
    if (approval.state === 'waiting' && difference.state !== 'open' && difference.closedBy !== null)
      throw new Problem('invalid-state', 'What the report claims is dealt with: its difference is closed.');
    const { refundId = '', settlement = '', row = '' } = wanted;
    const resolution = { refundId, status: 'failed' as const, note: `${settlement} row ${row}` };
    const { replayed } = await this.resolutions.resolve(payment, resolution, call, {
      ...{ id, by, askedBy },
      source: 'report',
    });
    return { replayed };
  }

  private async result({ paymentId, currency, wanted }: ApprovalRecord): Promise<object | null> {
    const refund = await this.refunds.find(paymentId ?? '', wanted['refundId'] ?? '');
    if (!refund) return null;
    return viewRefund(refund, currency, await this.texts.read(refund.textId === null ? [] : [refund.textId]));
  }

  /** The difference goes on as if nobody had asked. */
  private async declined({ objectId }: ApprovalRecord): Promise<void> {
    const difference = await this.differences.find(objectId ?? '');
    if (difference?.step === 'to_approve')
      await this.differences.move(difference, { step: null, dueAt: null });
  }

  private async refundOf(
    { reference, settlementId, line }: DifferenceRecord,
    payment: PaymentRecord,
  ): Promise<KnownMovement | undefined> {
    const kept = (await this.rows.ofReferences([reference])).get(reference) ?? [];
    const row = evidenceOf(kept).rows.find((one) => one.settlementId === settlementId && one.line === line);
    const money = (await this.money.byGatewayReference([reference], new Set())).get(reference);
    if (!row || !money) return undefined;
    return refundThatReturned(row, money, await this.waitingFor(payment));
  }

  /** The refunds of a payment that other rows already speak of. */
  private async waitingFor({ id: paymentId }: PaymentRecord): Promise<Set<string>> {
    const filter = { state: 'waiting', paymentId, limit: MOST_OF_A_PAYMENT } as const;
    const waiting = await this.approvals.list(filter);
    return new Set(waiting.flatMap(({ kind, wanted }) => (kind === KIND ? (wanted['refundId'] ?? []) : [])));
  }

  private canAskGateway(): boolean {
    const { outcome, operations } = this.profile;
    const queries = [operations['transactionStatus'], operations['transferUssdStatus']];
    const saysSum = queries.some((one) => ({ ...outcome, ...one?.outcome }).refundedAmount.length > 0);
    return saysSum || this.gateway.supports('refundStatus');
  }
}

/** One row is asked about once: its difference's approval has one id. */
function approvalIdOf({ id }: DifferenceRecord): string {
  return id.replace(/^dif_/, 'apr_');
}
