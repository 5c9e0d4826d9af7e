import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Approvals, isApprovalId } from '../../approvals/approvals.js';
import type { ApprovedDto } from '../../approvals/approval.dto.js';
import { Answer } from '../../http/server/answer.js';
import { Problem } from '../../http/problems/problem.js';
import { keyedAnswer } from '../../idempotency/idempotent.js';
import type { KeyedCall } from '../../sessions/keyed-call.js';
import type { ApprovalRecord, DifferenceRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { WrittenTexts } from '../../store/written-texts.js';
import type { Money } from '../match/known-money.js';
import { DifferencesRepository } from '../store/differences.repository.js';
import { factsOf, writtenOff, type CloseDifferenceDto, type DifferenceDto } from './differences.dto.js';
import { Differences } from './differences.js';
import { UploadKeys } from './upload-keys.js';

/** What people do about differences. What they write stands in a table of its own, where it can be erased. */
@Injectable()
export class DifferenceActs implements OnModuleInit {
  constructor(
    private readonly store: Store,
    private readonly repository: DifferencesRepository,
    private readonly differences: Differences,
    private readonly texts: WrittenTexts,
    private readonly keys: UploadKeys,
    private readonly approvals: Approvals,
  ) {}

  onModuleInit(): void {
    this.approvals.register('write_off', {
      check: async ({ objectId, wanted }) => {
        const difference = await this.differences.mustFind(objectId ?? '');
        assertOpen(difference);
        if (factsOf(difference) === wanted['facts']) return;
        throw new Problem(
          'invalid-state',
          'The difference is another one than when its write-off was asked for. Decline this, and ask again.',
        );
      },
      carryOut: (approval) => this.writeOff(approval),
      result: async ({ objectId }) => this.differences.view(await this.differences.mustFind(objectId ?? '')),
    });
  }

  /**
   * Closes a difference. Above the bound of approvals a write-off waits for a second person. Throws `not-found`, and `invalid-state` where
   * it is closed.
   */
  async close(
    id: string,
    { reason, note }: CloseDifferenceDto,
    call: KeyedCall,
  ): Promise<Answer<DifferenceDto | ApprovedDto>> {
    const difference = await this.differences.mustFind(id);
    const above = reason === 'written_off' ? this.aboveBound(difference) : undefined;
    if (above || isApprovalId(await this.keys.madeBy(call))) return this.ask(difference, above, note, call);
    return this.once(id, call, async (db) => {
      const noteId = await this.write(difference, note, call, db);
      const by = { actor: call.actor, at: this.store.clock.now(), reason, noteId };
      if (!(await this.repository.close(difference, by, db))) throw isClosed();
    });
  }

  /** Opens a closed difference again. Throws `not-found`, and `invalid-state` where it is open. */
  async reopen(id: string, note: string | undefined, call: KeyedCall): Promise<Answer<DifferenceDto>> {
    const difference = await this.differences.mustFind(id);
    return this.once(id, call, async (db) => {
      const noteId = note === undefined ? null : await this.write(difference, note, call, db);
      if (!(await this.repository.reopen(id, noteId, db)))
        throw new Problem('invalid-state', 'This difference is open.');
    });
  }

  /** Notes something about a difference, open or closed. Throws `not-found`. */
  async note(id: string, note: string, call: KeyedCall): Promise<Answer<DifferenceDto>> {
    const difference = await this.differences.mustFind(id);
    return this.once(id, call, async (db) => {
      await this.repository.note(id, await this.write(difference, note, call, db), db);
    });
  }

  /** What is written off with a difference, where another person must approve it first. */
  private aboveBound(difference: DifferenceRecord): Money | undefined {
    return writtenOff(difference).find(({ amount, currency }) => this.approvals.areNeeded(amount, currency));
  }

  private async ask(
    difference: DifferenceRecord,
    money: Money | undefined,
    note: string,
    call: KeyedCall,
  ): Promise<Answer<ApprovedDto>> {
    const { id, paymentId, orderReference } = difference;
    const isRepeat = isApprovalId(await this.keys.madeBy(call));
    if (!isRepeat) {
      assertOpen(difference);
      if (await this.approvals.findWaiting(id))
        throw new Problem('invalid-state', 'This difference waits for an approval already.');
    }
    const asked = {
      ...{ kind: 'write_off' as const, amount: money?.amount ?? 0n, currency: money?.currency ?? '' },
      ...{ actor: call.actor, text: note, objectId: id, wanted: { facts: factsOf(difference) } },
      ...(paymentId !== null &&
        orderReference !== null && { payment: { id: paymentId, reference: orderReference } }),
    };
    const event = {
      type: 'difference.approval_needed' as const,
      data: await this.differences.view(difference),
    };
    const { approvalId, replayed } = await this.approvals.ask(asked, call, event);
    return this.approvals.answer(approvalId, replayed);
  }

  /** In the name of who asked for it, with what they wrote. One that has changed since it was approved stays open. */
  private async writeOff({ objectId, actor, textId, wanted }: ApprovalRecord): Promise<void> {
    const difference = await this.differences.mustFind(objectId ?? '');
    if (factsOf(difference) !== wanted['facts']) return;
    const by = { actor, at: this.store.clock.now(), reason: 'written_off' as const, noteId: textId };
    await this.repository.close(difference, by);
  }

  /** Does it once for the call's key, in one commit with the key. */
  private async once(
    id: string,
    call: KeyedCall,
    act: (db: Store['db']) => Promise<void>,
  ): Promise<Answer<DifferenceDto>> {
    const isRepeat = await this.keys.once(call, act);
    return keyedAnswer(await this.differences.view(await this.differences.mustFind(id)), isRepeat);
  }

  private write(
    { paymentId }: DifferenceRecord,
    note: string,
    { actor }: KeyedCall,
    db: Store['db'],
  ): Promise<string> {
    return this.texts.add(note, actor, paymentId, db);
  }
}

/** Throws `invalid-state`. */
function assertOpen({ state }: DifferenceRecord): void {
  if (state !== 'open') throw isClosed();
}

function isClosed(): Problem {
  return new Problem('invalid-state', 'This difference is closed, or says something else by now.');
}
