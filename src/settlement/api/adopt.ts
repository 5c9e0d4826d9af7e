import { Injectable, type OnModuleInit } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { Approvals } from '../../approvals/approvals.js';
import { Problem } from '../../http/problems/problem.js';
import type { KeyedCall } from '../../auth/keyed-call.js';
import type { ApprovalRecord, DifferenceRecord, SettlementRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { minorOf } from '../files/file-amount.js';
import { FollowUpWorker } from '../follow/follow-up.worker.js';
import { DifferencesRepository, isAdoptable } from '../store/differences.repository.js';
import { Differences } from './differences.js';
import type { DifferenceDto } from './differences.dto.js';
import { SettlementsService } from './settlements.service.js';
import { UploadKeys } from './upload-keys.js';

/** A call waits no longer than this for what it has begun. The rest goes on without it. */
const LONGEST_WAIT_MS = 20_000;
const LOOK_EVERY_MS = 50;

/** What a call has led to. */
interface Adopted {
  settlement: SettlementRecord;
  replayed: boolean;
  /** The first row's that waits for another person; undefined: none does. */
  waiting: ApprovalRecord | undefined;
}

/** Takes over what a report names and the store does not have, at the wish of a person; what is above the bound of approvals, of two. */
@Injectable()
export class Adopt implements OnModuleInit {
  constructor(
    private readonly settlements: SettlementsService,
    private readonly repository: DifferencesRepository,
    private readonly differences: Differences,
    private readonly keys: UploadKeys,
    private readonly followUps: FollowUpWorker,
    private readonly approvals: Approvals,
    private readonly store: Store,
  ) {}

  onModuleInit(): void {
    this.approvals.register('adopt', {
      check: async ({ objectId }) => {
        if (isAdoptable(await this.differences.mustFind(objectId ?? ''))) return;
        throw new Problem('invalid-state', 'This row can no longer be taken over.');
      },
      carryOut: (approval) => this.carryOut(approval),
      result: (approval) => this.result(approval),
    });
  }

  /** Marks the rows, of these lines or all, which is what lasts, and waits a while for what becomes of them. */
  async adopt(id: string, rows: readonly number[] | undefined, call: KeyedCall): Promise<Adopted> {
    this.settlements.settlementProfile();
    const settlement = await this.settlements.mustFind(id);
    const replayed = await this.keys.begin(call);
    if (replayed) {
      await this.keys.assertSame(call, call.content as object);
      return { settlement, replayed, waiting: await this.firstWaiting(id, rows) };
    }
    let waiting: ApprovalRecord | undefined;
    try {
      waiting = await this.want(id, rows, call);
      await this.keys.finish(call, call.content as object);
    } catch (error) {
      await this.keys.release(call).catch(() => undefined);
      throw error;
    }
    this.followUps.wake();
    await this.waitFor(id);
    return { settlement, replayed, waiting };
  }

  private async want(
    id: string,
    rows: readonly number[] | undefined,
    call: KeyedCall,
  ): Promise<ApprovalRecord | undefined> {
    let first: ApprovalRecord | undefined;
    for await (const page of this.repository.adoptable(id, rows)) {
      const below = page.filter((row) => this.boundOf(row) === undefined).map((row) => row.id);
      await this.repository.wantAdopted(below, call.actor, this.store.clock.now());
      for (const row of page) {
        const money = this.boundOf(row);
        if (!money) continue;
        await this.keys.renew(call);
        const waiting =
          (await this.approvals.findWaiting(row.id)) ?? (await this.ask(row, money, call.actor));
        first ??= waiting;
      }
    }
    return first;
  }

  private async ask(
    row: DifferenceRecord,
    money: { amount: bigint; currency: string },
    actor: string,
  ): Promise<ApprovalRecord> {
    const event = { type: 'difference.approval_needed' as const, data: await this.differences.view(row) };
    const asked = { kind: 'adopt' as const, ...money, actor, objectId: row.id };
    return this.approvals.mustFind((await this.approvals.ask(asked, undefined, event)).approvalId);
  }

  /** What a row is worth where that needs a second person. One that names no currency may be of any. */
  private boundOf(row: DifferenceRecord): { amount: bigint; currency: string } | undefined {
    const { foundAmount: digits, foundDecimals: decimals, foundCurrency } = row;
    if (digits === null) return undefined;
    const currencies = foundCurrency === null ? this.approvals.boundCurrencies : [foundCurrency];
    for (const currency of currencies) {
      const amount = minorOf({ digits, decimals }, currency);
      if (amount !== undefined && this.approvals.areNeeded(amount, currency)) return { amount, currency };
    }
    return undefined;
  }

  private async firstWaiting(
    id: string,
    rows: readonly number[] | undefined,
  ): Promise<ApprovalRecord | undefined> {
    for await (const page of this.repository.adoptable(id, rows))
      for (const row of page) {
        const waiting = this.boundOf(row) && (await this.approvals.findWaiting(row.id));
        if (waiting) return waiting;
      }
    return undefined;
  }

  /** In the name of who asked for it. Done again it changes nothing: what was taken over is not to be taken over any more. */
  private async carryOut({ objectId, actor }: ApprovalRecord): Promise<void> {
    const row = await this.differences.mustFind(objectId ?? '');
    if (!isAdoptable(row)) return;
    await this.repository.wantAdopted([row.id], actor, this.store.clock.now());
    this.followUps.wake();
  }

  /** What became of the row, for which a while is waited. */
  private async result({ objectId }: ApprovalRecord): Promise<DifferenceDto> {
    const { settlementId } = await this.differences.mustFind(objectId ?? '');
    if (settlementId !== null) await this.waitFor(settlementId);
    return this.differences.view(await this.differences.mustFind(objectId ?? ''));
  }

  private async waitFor(id: string): Promise<void> {
    const deadline = performance.now() + LONGEST_WAIT_MS;
    while (performance.now() < deadline && (await this.repository.hasDue(id, 'to_adopt')))
      await pause(LOOK_EVERY_MS);
  }
}
