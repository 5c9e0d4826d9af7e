import { Inject, Injectable } from '@nestjs/common';
import { actorOf, type MerchantCaller } from '../auth/caller.js';
import { CONFIG, type Config } from '../config/config.js';
import { Problem } from '../http/problems/problem.js';
import { Answer, REPLAYED } from '../http/server/answer.js';
import { formatMajor } from '../money/money.js';
import { refundAnswer } from '../payments/api/answers.js';
import { pageOf, rowsOf } from '../payments/api/paging.dto.js';
import { idAt } from '../payments/api/payment-lists.js';
import type { RefundRequestDto } from '../payments/api/requests.dto.js';
import { decide } from '../payments/core/decide.js';
import type { NewKey } from '../payments/core/input.js';
import { usedBefore } from '../payments/core/keys.js';
import type { RefundDto } from '../payments/core/payment.dto.js';
import { moneyHeld, type Payment } from '../payments/core/payment.js';
import { Refusal } from '../payments/core/refusal.js';
import { refundView, timeText } from '../payments/core/view.js';
import { OrderWriter } from '../payments/order-writer.js';
import { amountOf, PaymentsService, type Found } from '../payments/payments.service.js';
import { narrowed } from '../store/narrowed.js';
import { Store, type ApprovalRow, type SqlValue } from '../store/store.js';
import type { ApprovalDto, ApprovalListDto, ApprovalsQueryDto, ApprovedDto } from './approval.dto.js';

const WAITS_MS = 7 * 24 * 3_600_000;

/** An approval as its row keeps it. One that nobody decided in time waits in its row, and is shown as expired. */
type Approval = ApprovalDto & { refundId: string };

/** Refunds above `APPROVAL_ABOVE`: one person asks, another one with a named key approves. */
@Injectable()
export class Approvals {
  constructor(
    private readonly payments: PaymentsService,
    private readonly orders: OrderWriter,
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Refunds, or asks for approval where the payment's refunds would come above the bound. */
  async refund(
    found: Found,
    dto: RefundRequestDto,
    key: NewKey,
    actor: string,
  ): Promise<Answer<RefundDto | ApprovedDto>> {
    const { id, currency } = found.payment;
    const amount = amountOf(dto.amount, currency, '/amount');
    const bound = this.config.payments.approvalAbove.get(currency);
    const mustAsk = (payment: Payment) =>
      bound !== undefined && payment.refunded + (amount ?? moneyHeld(payment)) > bound;
    const used = found.stored.order?.keys.find((one) => one.caller === key.caller && one.key === key.key);
    if (used ? used.resource.type === 'approval' : mustAsk(found.payment))
      return this.ask(found.payment, amount ?? moneyHeld(found.payment), dto, key, actor);
    const what = { do: 'refund' as const, ...dto };
    const performed = await this.payments.perform(found, what, {}, key, actor, {
      admit: ({ payments }) => {
        if (payments.some((payment) => payment.id === id && mustAsk(payment)))
          throw new Refusal('operation-in-progress', 'Another refund was made meanwhile. Try again.', id);
      },
    });
    return refundAnswer(performed);
  }

  async approve(
    id: string,
    note: string | undefined,
    key: NewKey,
    caller: MerchantCaller,
  ): Promise<Answer<ApprovedDto>> {
    const approval = await this.find(id);
    const isRepeated = await this.isDecided(approval, key);
    const actor = actorOf(caller);
    if (!isRepeated && (caller.name === undefined || actor === approval.askedBy))
      throw new Problem('forbidden', 'Another merchant key that has a name must approve this.');
    const found = await this.payments.find(approval.paymentId, caller);
    const { amount, refundId, reason } = approval;
    const { was } = await this.payments.perform(
      found,
      { do: 'refund', amount, reason: reason ?? undefined, id: refundId },
      {},
      key,
      actor,
      { approval: { id, row: (at) => rowOf(decided(approval, 'approved', actor, note, at)) } },
    );
    return new Answer(await this.view(id), was === 'replay' ? REPLAYED : { status: 200 });
  }

  async decline(
    id: string,
    note: string | undefined,
    key: NewKey,
    actor: string,
  ): Promise<Answer<ApprovedDto>> {
    const approval = await this.find(id);
    if (await this.isDecided(approval, key)) return new Answer(await this.view(id), REPLAYED);
    await this.orders.write(approval.reference, (stored, moment) => ({
      decision: decide(stored, { by: 'declined', approval: id, actor, key }, moment, this.orders.rules()),
      approvals: [rowOf(decided(approval, 'declined', actor, note, moment.now))],
      result: undefined,
    }));
    return new Answer(await this.view(id), { status: 200 });
  }

  async list({ state, paymentId, cursor, limit }: ApprovalsQueryDto): Promise<ApprovalListDto> {
    const now = this.store.now();
    const { where, values } = narrowed({
      'state = ?': state === 'expired' ? 'waiting' : state,
      'expires_at > ?': state === 'waiting' ? now : undefined,
      'expires_at <= ?': state === 'expired' ? now : undefined,
      ...{ 'payment_id = ?': paymentId, 'id < ?': idAt(cursor, 'apr') },
    });
    const found = await this.read(`where ${where} order by id desc limit ?`, [...values, rowsOf(limit)]);
    const { rows, nextCursor } = pageOf(found, limit, ({ id }) => id);
    return { data: rows.map((approval) => shown(approval, now)), nextCursor };
  }

  private async ask(
    { id: paymentId, reference, currency }: Payment,
    amount: bigint,
    dto: RefundRequestDto,
    key: NewKey,
    actor: string,
  ): Promise<Answer<ApprovedDto>> {
    const reason = dto.reason ?? null;
    const { id, isReplay } = await this.orders.write(reference, (stored, moment) => {
      const used = usedBefore(stored, key, () => false);
      if (used) return { result: { id: used.resource.id, isReplay: true } };
      const approval: Approval = {
        ...{ id: moment.id('apr'), refundId: moment.id('ref'), state: 'waiting', paymentId, reference },
        ...{ amount: formatMajor(amount, currency), currency, reason, askedBy: actor },
        ...{ decidedBy: null, decidedAt: null, note: null },
        ...{ createdAt: timeText(moment.now), expiresAt: timeText(moment.now + WAITS_MS) },
      };
      const command = {
        ...{ do: 'refund' as const, payment: paymentId, operation: approval.refundId, amount },
        ...{ reason, refundRef: '' },
      };
      const input = { by: 'approval' as const, command, approval: approval.id, actor, key };
      return {
        decision: decide(stored, input, moment, this.orders.rules()),
        approvals: [rowOf(approval)],
        result: { id: approval.id, isReplay: false },
      };
    });
    return new Answer(await this.view(id), isReplay ? REPLAYED : { status: 202 });
  }

  /** Whether this call decided it before. Throws where it waits for no decision. */
  private async isDecided(approval: Approval, key: NewKey): Promise<boolean> {
    if (usedBefore(await this.store.read(approval.reference), key, () => false)) return true;
    const { state } = shown(approval, this.store.now());
    if (state !== 'waiting')
      throw new Problem('invalid-state', `This approval is ${state}.`, { paymentId: approval.paymentId });
    return false;
  }

  private async view(id: string): Promise<ApprovedDto> {
    const approval = await this.find(id);
    const { payments } = await this.store.read(approval.reference);
    const payment = payments.find((one) => one.id === approval.paymentId);
    const refund = payment?.operations.find((one) => one.id === approval.refundId);
    return {
      approval: shown(approval, this.store.now()),
      result: payment && refund ? refundView(payment, refund) : null,
    };
  }

  private async find(id: string): Promise<Approval> {
    const [found] = await this.read('where id = ?', [id]);
    if (!found) throw new Problem('not-found', 'There is no such approval.');
    return found;
  }

  private async read(rest: string, values: SqlValue[]): Promise<Approval[]> {
    const rows = await this.store.rows<{ doc: string }>({
      text: `select doc from approvals ${rest}`,
      values,
    });
    return rows.map(({ doc }) => JSON.parse(doc) as Approval);
  }
}

function decided(
  approval: Approval,
  state: 'approved' | 'declined',
  decidedBy: string,
  note: string | undefined,
  at: number,
): Approval {
  return { ...approval, state, decidedBy, decidedAt: timeText(at), note: note ?? null };
}

function rowOf(approval: Approval): ApprovalRow {
  const { id, paymentId, reference, state, expiresAt, createdAt } = approval;
  return {
    ...{ id, paymentId, reference, state },
    expiresAt: Date.parse(expiresAt),
    createdAt: Date.parse(createdAt),
    doc: JSON.stringify(approval),
  };
}

function shown({ refundId: _, ...approval }: Approval, now: number): ApprovalDto {
  const isOver = approval.state === 'waiting' && Date.parse(approval.expiresAt) <= now;
  return isOver ? { ...approval, state: 'expired' } : approval;
}
