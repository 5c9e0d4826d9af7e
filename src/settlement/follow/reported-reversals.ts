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
import { paymentSnapshot } from '../../payments/apply/applier.js';
import { ResolvePayment } from '../../payments/operations/resolve.js';
import { PaymentsRepository } from '../../payments/state/payments.repository.js';
import { RefundsRepository } from '../../payments/state/refunds.repository.js';
import { viewRefund } from '../../payments/views/refund.dto.js';
import type { ApprovalRecord, DifferenceRecord, PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { WrittenTexts } from '../../store/written-texts.js';
import { rowSubject } from '../match/found-differences.js';
import type { KnownMoney } from '../match/known-money.js';
import { evidenceOf, type KeptRow } from '../match/kept-row.js';
import { matchRows } from '../match/match-rows.js';
import { refundThatReturned } from '../match/match-back.js';
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
    const payment = await this.payments.find(difference.paymentId ?? '');
    const claim = payment && (await this.claimOf(difference, payment));
    const asked = claim && (await this.askOnce(difference, payment, claim));
    if (!asked || stateOf(asked, this.store.clock.now()) !== 'waiting') return false;
    await this.differences.move(difference, { step: 'to_approve', dueAt: asked.expiresAt });
    return true;
  }

  /** Whether a person has declined what a row claims. */
  async isDeclined({ paymentId, ...difference }: DifferenceRecord): Promise<boolean> {
    if (paymentId === null) return false;
    const kept = await this.keptOf(difference.reference);
    const row = kept.find((one) => isRowOf(one, difference));
    if (!row) return false;
    const asked = await this.approvals.list({ paymentId, limit: MOST_OF_A_PAYMENT });
    return asked.find((one) => isAbout(one, row))?.state === 'declined';
  }

  /** What is asked for about a row, in whatever reports it stands: what was asked before, or what is asked now. */
  private async askOnce(
    { id: objectId, settlementId, line }: DifferenceRecord,
    payment: PaymentRecord,
    { row, money }: Claim,
  ): Promise<ApprovalRecord | undefined> {
    const settlement = settlementId ?? '';
    const actor = await this.settlements.senderOf(settlement);
    if (actor === undefined) return undefined;
    const { reference, sessionId, id: paymentId, currency } = payment;
    const wanted = { reference, sessionId, paymentId, approvalsOfPayment: true };
    return this.store.writer.write<ApprovalRecord | undefined>(wanted, (snapshot) => {
      const { approvalsOfPayment: before = [] } = snapshot;
      const now = this.store.clock.now();
      const known = before.find((one) => isAbout(one, row));
      if (known) return { changes: {}, result: known };
      const refund = refundThatReturned(row, money, askedAbout(before, now));
      if (!refund?.refundId) return { changes: {}, result: undefined };
      const { refundId, amount } = refund;
      const asked = {
        ...({ kind: KIND, amount, currency, actor, objectId } as const),
        wanted: { refundId, settlement, row: String(line ?? ''), says: saysOf(row) },
      };
      const operation = { type: 'refund' as const, amount: formatMajor(amount, currency), refundId };
      const { changes } = this.asking.rows(paymentSnapshot(snapshot), { asked, operation }, now);
      return { changes, result: changes.approval };
    });
  }

  /** In the commit that decides it: the refund has failed after all, on the report's word. */
  private async approve(approval: ApprovalRecord, { call, ...by }: Deciding): Promise<{ replayed: boolean }> {
    const { id, actor: askedBy, objectId, paymentId, wanted } = approval;
    const payment = await this.payments.find(paymentId ?? '');
    const difference = await this.differences.find(objectId ?? '');
    if (!payment || !difference) throw new Problem('not-found', 'There is no such payment.');
    const { refundId = '', settlement = '', row = '' } = wanted;
    if (approval.state === 'waiting' && !(await this.isClaimed(payment, refundId, difference)))
      await this.refuse(approval);
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

  /**
   * Whether a row that nothing in the ledger settles, and that no person has dealt with, may speak of this refund. It need not be the row that was
   * asked about: the ledger may have matched that with another refund of the same amount that came back, and left this one's.
   */
  private async isClaimed(
    { id: paymentId, gatewayReference }: PaymentRecord,
    refundId: string,
    { closedBy }: DifferenceRecord,
  ): Promise<boolean> {
    if (closedBy !== null) return false;
    const { rows, money } = await this.knownOf(gatewayReference);
    if (!money) return false;
    const others = new Set(money.movements.flatMap((one) => one.refundId ?? []));
    others.delete(refundId);
    const asked = await this.approvals.list({ paymentId, limit: MOST_OF_A_PAYMENT });
    const declined = asked.filter(({ state }) => state === 'declined');
    for (const { row } of matchRows(rows, money).findings) {
      if (row.type !== 'refundReversal' || declined.some((one) => isAbout(one, row))) continue;
      if (!refundThatReturned(row, money, others)) continue;
      const found = await this.differences.bySubject(rowSubject(row));
      if (!found || found.closedBy === null) return true;
    }
    return false;
  }

  /** Throws, unless it was decided since it was read: then that decision says what becomes of the call. */
  private async refuse({ id }: ApprovalRecord): Promise<void> {
    if ((await this.approvalRows.find(id))?.state !== 'waiting') return;
    throw new Problem('invalid-state', 'What the report claims is dealt with: its difference is closed.');
  }

  private async claimOf(
    difference: DifferenceRecord,
    { gatewayReference }: PaymentRecord,
  ): Promise<Claim | undefined> {
    const { rows, money } = await this.knownOf(gatewayReference);
    const row = rows.find((one) => isRowOf(one, difference));
    return row && money && { row, money };
  }

  /** What all reports say of a payment, and what is known of it. */
  private async knownOf(
    reference: string,
  ): Promise<{ rows: readonly KeptRow[]; money: KnownMoney | undefined }> {
    const { rows } = evidenceOf(await this.keptOf(reference));
    const money = await this.money.byGatewayReference([reference], new Set([reference]));
    return { rows, money: money.get(reference) };
  }

  private async keptOf(reference: string): Promise<readonly KeptRow[]> {
    return (await this.rows.ofReferences([reference])).get(reference) ?? [];
  }

  private canAskGateway(): boolean {
    const { outcome, operations } = this.profile;
    const queries = [operations['transactionStatus'], operations['transferUssdStatus']];
    const saysSum = queries.some((one) => ({ ...outcome, ...one?.outcome }).refundedAmount.length > 0);
    return saysSum || this.gateway.supports('refundStatus');
  }
}

/** What a row claims, and what is known of its payment. */
interface Claim {
  readonly row: KeptRow;
  readonly money: KnownMoney;
}

/** What a row says, whichever report it stands in: it is asked about once. */
function saysOf({ identity, nth }: KeptRow): string {
  return `${identity} ${nth}`;
}

function isAbout({ kind, wanted }: ApprovalRecord, row: KeptRow): boolean {
  return kind === KIND && wanted['says'] === saysOf(row);
}

function isRowOf(
  row: KeptRow,
  { settlementId, line }: Pick<DifferenceRecord, 'settlementId' | 'line'>,
): boolean {
  return row.settlementId === settlementId && row.line === line;
}

/** The refunds that other rows already speak of. */
function askedAbout(approvals: readonly ApprovalRecord[], now: number): Set<string> {
  const waiting = approvals.filter((one) => one.kind === KIND && stateOf(one, now) === 'waiting');
  return new Set(waiting.flatMap(({ wanted }) => wanted['refundId'] ?? []));
}
