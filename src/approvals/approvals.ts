import { Injectable } from '@nestjs/common';
import { Problem } from '../http/problems/problem.js';
import { Answer } from '../http/server/answer.js';
import { KeyedWriter } from '../idempotency/keyed-writer.js';
import { formatMajor } from '../money/money.js';
import { RefundsRepository } from '../payments/state/refunds.repository.js';
import { viewRefund } from '../payments/views/refund.dto.js';
import type { KeyedCall } from '../auth/keyed-call.js';
import { approvals, type ApprovalRecord } from '../store/schema.js';
import { Store } from '../store/store.js';
import { decodeRow, type StoredRow } from '../store/table.js';
import { WrittenTexts } from '../store/written-texts.js';
import { decided, stateOf, type Decider } from './approval.js';
import type { ApprovalDto, ApprovalsQueryDto, ApprovedDto } from './approval.dto.js';

/** Reads approvals, declines them and shows them. The engine writes the rest with the refund's own rows. */
@Injectable()
export class Approvals {
  constructor(
    private readonly store: Store,
    private readonly keyed: KeyedWriter,
    private readonly refunds: RefundsRepository,
    private readonly texts: WrittenTexts,
  ) {}

  /** Throws `not-found`. */
  async mustFind(id: string): Promise<ApprovalRecord> {
    const row = await this.store.db
      .selectFrom('approvals')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw new Problem('not-found', 'There is no such approval.');
    return decodeRow(approvals, row as StoredRow);
  }

  /** At most `limit`, newest first. */
  async list({ state, paymentId, cursor }: ApprovalsQueryDto, limit: number): Promise<ApprovalRecord[]> {
    const now = this.store.clock.now();
    let query = this.store.db.selectFrom('approvals').selectAll();
    if (state !== undefined) query = query.where('state', '=', state === 'expired' ? 'waiting' : state);
    if (state === 'waiting') query = query.where('expires_at', '>', now);
    if (state === 'expired') query = query.where('expires_at', '<=', now);
    if (paymentId !== undefined) query = query.where('payment_id', '=', paymentId);
    if (cursor !== undefined) query = query.where('id', '<', cursor);
    const rows = await query.orderBy('id', 'desc').limit(limit).execute();
    return rows.map((row) => decodeRow(approvals, row as StoredRow));
  }

  /** Returns whether this call had declined it before. Throws `invalid-state` where it was decided or is over. */
  decline({ id, reference }: ApprovalRecord, by: Decider, call: KeyedCall): Promise<boolean> {
    return this.keyed.write(
      call,
      { reference, approvalId: id },
      {
        replay: () => true,
        decide: ({ approval }, now) => {
          const declined = decided(approval, 'declined', by, now);
          const made = { sessionId: null, operationId: id, sessionExpiresAt: declined.expiresAt };
          return { changes: { approval: declined }, result: false, made };
        },
      },
    );
  }

  /** What the asker's call is answered with: 202 at first, then with what was decided. */
  async answer(approvalId: string, replayed: boolean): Promise<Answer<ApprovedDto>> {
    const body = await this.withResult(await this.mustFind(approvalId));
    if (!replayed) return new Answer(body, { status: 202 });
    return new Answer(body, { status: 200, headers: { 'Idempotency-Replayed': 'true' } });
  }

  /** With the refund, once it was approved. */
  async withResult(row: ApprovalRecord): Promise<ApprovedDto> {
    const { operationId, paymentId, currency } = row;
    const refund = operationId === null ? undefined : await this.refunds.find(paymentId, operationId);
    const texts = await this.texts.read(refund?.textId == null ? [] : [refund.textId]);
    return { approval: this.view(row), result: refund ? viewRefund(refund, currency, texts) : null };
  }

  view(row: ApprovalRecord): ApprovalDto {
    const { id, amount, currency, paymentId, reference, reason, actor, decidedBy, decidedAt, note } = row;
    return {
      ...{ id, state: stateOf(row, this.store.clock.now()), amount: formatMajor(amount, currency), currency },
      ...{ paymentId, reference, reason, askedBy: actor, decidedBy },
      decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString(),
      createdAt: new Date(row.createdAt).toISOString(),
      expiresAt: new Date(row.expiresAt).toISOString(),
      note,
    };
  }
}
