import { Inject, Injectable } from '@nestjs/common';
import { actorOf, type MerchantCaller } from '../auth/caller.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { Problem } from '../http/problems/problem.js';
import { Answer } from '../http/server/answer.js';
import { formatMajor } from '../money/money.js';
import { refundAnswer } from '../payments/api/answers.js';
import type { RefundRequestDto } from '../payments/api/requests.dto.js';
import { refundable } from '../payments/core/commands.js';
import { decide } from '../payments/core/decide.js';
import type { NewKey } from '../payments/core/input.js';
import { usedBefore } from '../payments/core/keys.js';
import type { RefundDto } from '../payments/core/payment.dto.js';
import { refundView, timeText } from '../payments/core/view.js';
import { OrderWriter } from '../payments/order-writer.js';
import { amountOf, PaymentsService, type Found } from '../payments/payments.service.js';
import { Store, type ApprovalRow } from '../store/store.js';
import type { ApprovalDto, ApprovalsQueryDto, ApprovalState, ApprovedDto } from './approval.dto.js';

const WAITS_MS = 7 * 24 * 3_600_000;
const DEFAULT_LIMIT = 50;
const REPLAYED = { 'Idempotency-Replayed': 'true' };

/** What the row's document holds besides its columns. */
interface Document {
  amount: string;
  currency: string;
  reason: string | null;
  askedBy: string;
  refundId: string;
  decidedBy: string | null;
  decidedAt: number | null;
  note: string | null;
}

type Approval = Omit<ApprovalRow, 'doc'> & Document;

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
    caller: MerchantCaller,
  ): Promise<Answer<RefundDto | ApprovedDto>> {
    const { payment } = found;
    const amount = amountOf(dto.amount, payment.currency, '/amount') ?? refundable(payment);
    const bound = this.config.payments.approvalAbove.get(payment.currency);
    const asked = found.stored.order?.keys.find((one) => one.caller === key.caller && one.key === key.key);
    const needsApproval = bound !== undefined && payment.refunded + amount > bound;
    if (asked ? asked.resource.type !== 'approval' : !needsApproval)
      return refundAnswer(
        await this.payments.perform(found, { do: 'refund', ...dto }, {}, key, actorOf(caller)),
      );
    return this.ask(found, amount, dto, key, actorOf(caller));
  }

  async approve(
    id: string,
    note: string | undefined,
    key: NewKey,
    caller: MerchantCaller,
  ): Promise<Answer<ApprovedDto>> {
    const approval = await this.waiting(id, key);
    if ('answer' in approval) return approval.answer;
    const actor = actorOf(caller);
    if (caller.name === undefined || actor === approval.askedBy)
      throw new Problem('forbidden', 'Another merchant key that has a name must approve this.');
    const found = await this.payments.find(approval.paymentId, caller);
    const decided = (at: number) =>
      rowOf({ ...approval, state: 'approved', decidedBy: actor, decidedAt: at, note: note ?? null });
    const amount = formatMajor(BigInt(approval.amount), approval.currency);
    await this.payments.perform(
      found,
      { do: 'refund', amount, reason: approval.reason ?? undefined, id: approval.refundId },
      {},
      key,
      actor,
      { approval: { id, row: decided } },
    );
    return new Answer(await this.view(await this.find(id)), { status: 200 });
  }

  async decline(
    id: string,
    note: string | undefined,
    key: NewKey,
    caller: MerchantCaller,
  ): Promise<Answer<ApprovedDto>> {
    const approval = await this.waiting(id, key);
    if ('answer' in approval) return approval.answer;
    const actor = actorOf(caller);
    await this.orders.write(approval.reference, (stored, moment) => ({
      decision: decide(stored, { by: 'declined', approval: id, actor, key }, moment, this.orders.rules()),
      approvals: [
        rowOf({
          ...approval,
          state: 'declined',
          decidedBy: actor,
          decidedAt: moment.now,
          note: note ?? null,
        }),
      ],
      result: undefined,
    }));
    return new Answer(await this.view(await this.find(id)), { status: 200 });
  }

  async list({
    state,
    paymentId,
    cursor,
    limit: text,
  }: ApprovalsQueryDto): Promise<{ data: ApprovalDto[]; nextCursor: string | null }> {
    const limit = Number(text ?? DEFAULT_LIMIT);
    const now = this.store.now();
    const conditions: [string, (string | number)[]][] = [];
    if (state === 'waiting') conditions.push([`state = 'waiting' and expires_at > ?`, [now]]);
    else if (state === 'expired') conditions.push([`state = 'waiting' and expires_at <= ?`, [now]]);
    else if (state !== undefined) conditions.push(['state = ?', [state]]);
    if (paymentId !== undefined) conditions.push(['payment_id = ?', [paymentId]]);
    if (cursor !== undefined) conditions.push(['id < ?', [cursor]]);
    const where =
      conditions.length > 0 ? `where ${conditions.map(([condition]) => condition).join(' and ')}` : '';
    const found = await this.read(`${where} order by id desc limit ?`, [
      ...conditions.flatMap(([, values]) => values),
      limit + 1,
    ]);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return { data: page.map((approval) => viewOf(approval, now)), nextCursor: last?.id ?? null };
  }

  private async ask(
    { payment }: Found,
    amount: bigint,
    dto: RefundRequestDto,
    key: NewKey,
    actor: string,
  ): Promise<Answer<ApprovedDto>> {
    const { id: paymentId, reference, currency } = payment;
    const replayed = await this.orders.write<string | undefined>(reference, (stored, moment) => {
      const used = usedBefore(stored, key, () => false);
      if (used) return { result: used.resource.id };
      const [id, refundId] = [moment.id('apr'), moment.id('ref')];
      const command = {
        do: 'refund' as const,
        payment: paymentId,
        operation: refundId,
        amount,
        reason: dto.reason ?? null,
        refundRef: '',
      };
      const row = rowOf({
        ...{ id, paymentId, reference, currency, refundId, askedBy: actor, amount: String(amount) },
        ...{ state: 'waiting', createdAt: moment.now, expiresAt: moment.now + WAITS_MS },
        ...{ reason: dto.reason ?? null, decidedBy: null, decidedAt: null, note: null },
      });
      const decision = decide(
        stored,
        { by: 'approval', command, approval: id, actor, key },
        moment,
        this.orders.rules(),
      );
      return { decision, approvals: [row], result: undefined };
    });
    const stored = await this.store.read(reference);
    const id =
      replayed ??
      stored.order?.keys.find((one) => one.caller === key.caller && one.key === key.key)?.resource.id;
    const view = await this.view(await this.find(id ?? ''));
    return new Answer(view, replayed === undefined ? { status: 202 } : { status: 200, headers: REPLAYED });
  }

  /** An approval to be decided, or the answer to a repeated decision. */
  private async waiting(id: string, key: NewKey): Promise<Approval | { answer: Answer<ApprovedDto> }> {
    const approval = await this.find(id);
    if (usedBefore(await this.store.read(approval.reference), key, () => false))
      return { answer: new Answer(await this.view(approval), { status: 200, headers: REPLAYED }) };
    const state = stateOf(approval, this.store.now());
    if (state !== 'waiting')
      throw new Problem('invalid-state', `This approval is ${state}.`, { paymentId: approval.paymentId });
    return approval;
  }

  private async view(approval: Approval): Promise<ApprovedDto> {
    const { payments } = await this.store.read(approval.reference);
    const payment = payments.find(({ id }) => id === approval.paymentId);
    const refund = payment?.operations.find(({ id }) => id === approval.refundId);
    return {
      approval: viewOf(approval, this.store.now()),
      result: payment && refund ? refundView(payment, refund) : null,
    };
  }

  private async find(id: string): Promise<Approval> {
    const [found] = await this.read('where id = ?', [id]);
    if (!found) throw new Problem('not-found', 'There is no such approval.');
    return found;
  }

  private async read(rest: string, values: (string | number)[]): Promise<Approval[]> {
    const rows = await this.store.rows<{
      id: string;
      payment_id: string;
      reference: string;
      state: string;
      expires_at: number;
      created_at: number;
      doc: string;
    }>({
      text: `select id, payment_id, reference, state, expires_at, created_at, doc from approvals ${rest}`,
      values,
    });
    return rows.map((row) => ({
      ...(JSON.parse(row.doc) as Document),
      id: row.id,
      paymentId: row.payment_id,
      reference: row.reference,
      state: row.state as ApprovalRow['state'],
      expiresAt: row.expires_at,
      createdAt: row.created_at,
    }));
  }
}

function rowOf({ id, paymentId, reference, state, expiresAt, createdAt, ...doc }: Approval): ApprovalRow {
  return {
    id,
    paymentId,
    reference,
    state,
    expiresAt,
    createdAt,
    doc: JSON.stringify(doc satisfies Document),
  };
}

function stateOf({ state, expiresAt }: Approval, now: number): ApprovalState {
  return state === 'waiting' && expiresAt <= now ? 'expired' : state;
}

function viewOf(approval: Approval, now: number): ApprovalDto {
  const { id, amount, currency, paymentId, reference, reason, askedBy, decidedBy, decidedAt, note } =
    approval;
  return {
    ...{ id, state: stateOf(approval, now), amount: formatMajor(BigInt(amount), currency), currency },
    ...{ paymentId, reference, reason, askedBy, decidedBy, note },
    decidedAt: decidedAt === null ? null : timeText(decidedAt),
    createdAt: timeText(approval.createdAt),
    expiresAt: timeText(approval.expiresAt),
  };
}
