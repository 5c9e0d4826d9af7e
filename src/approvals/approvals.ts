import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Answer } from '../http/server/answer.js';
import { Problem } from '../http/problems/problem.js';
import { KeyedWriter } from '../idempotency/keyed-writer.js';
import { makeEvent } from '../merchant-webhooks/event.js';
import type { KeyedCall } from '../auth/keyed-call.js';
import type { EventType } from '../store/event-types.js';
import { newId } from '../store/ids.js';
import type { ApprovalKind, ApprovalRecord } from '../store/schema.js';
import { Store } from '../store/store.js';
import { WrittenTexts } from '../store/written-texts.js';
import { decided, isAbove, newApproval, type Asked, type Decider } from './approval.js';
import { viewApproval, type ApprovalDto, type ApprovedDto } from './approval.dto.js';
import { ApprovalsRepository, type ApprovalFilter } from './approvals.repository.js';
import { PeriodicTask } from '../background/periodic-task.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';

/** Somebody who decides, by a call. */
export interface Deciding extends Decider {
  readonly call: KeyedCall;
}

/** What an approved thing's own rows are written in: see {@link ApprovalWork}. */
interface WorkResult {
  /** What became of it, as it is shown: null where it is not done. */
  result(approval: ApprovalRecord): Promise<object | null>;
  /** Tidies up after it was declined. What it leaves undone must be found otherwise. */
  declined?(approval: ApprovalRecord): Promise<void>;
}

/**
 * How one kind is done once it is approved. Either in the commit that decides the approval, which takes `decided` into its changes and keeps
 * the call's key; or after it, and then again until it is done: `carryOut` changes nothing the second time.
 */
export type ApprovalWork = WorkResult &
  (
    | { approve(approval: ApprovalRecord, by: Deciding): Promise<{ replayed: boolean }> }
    | {
        /** Throws where the rules no longer hold. */
        check(approval: ApprovalRecord): Promise<void>;
        carryOut(approval: ApprovalRecord): Promise<void>;
      }
  );

/** A decision, and what became of it. */
interface Decision {
  approval: ApprovalRecord;
  replayed: boolean;
}

/** What waits for a second person: asked for, decided once, and shown. */
@Injectable()
export class Approvals {
  private readonly works = new Map<ApprovalKind, ApprovalWork>();

  constructor(
    private readonly store: Store,
    private readonly keyed: KeyedWriter,
    private readonly repository: ApprovalsRepository,
    private readonly texts: WrittenTexts,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Says how a kind is done. Each module says it of its own, once. */
  register(kind: ApprovalKind, work: ApprovalWork): void {
    this.works.set(kind, work);
  }

  /** The currencies of which much needs a second person. */
  get boundCurrencies(): string[] {
    return [...this.config.payments.approvalAbove.keys()];
  }

  /** Whether so much, in minor units, needs a second person. */
  areNeeded(amount: bigint, currency: string): boolean {
    return isAbove(this.config.payments.approvalAbove, amount, currency);
  }

  /**
   * Asks for what no payment's own write asks for, with an event of the approval's own. The first answer of the call's key counts.
   *
   * @param call absent where one call asks for several things, and keeps its key itself
   * @param event what the merchant's server is told, with what it is about as an answer shows it
   */
  async ask(
    asked: Asked,
    call: KeyedCall | undefined,
    event: { readonly type: EventType; readonly data: object },
  ): Promise<{ approvalId: string; replayed: boolean }> {
    const id = newId('apr');
    return this.keyed.write<{ approvalId: string; replayed: boolean }>(
      call,
      { reference: asked.payment?.reference ?? id, createReference: true },
      {
        replay: ({ idempotency }) => ({ approvalId: idempotency?.operationId ?? '', replayed: true }),
        decide: (_, now) => {
          const { approval, texts } = newApproval(asked, now, id);
          const told = makeEvent({
            ...event,
            aggregateId: id,
            sequence: 1,
            epoch: this.store.epoch.number,
            livemode: this.config.gateway.mode === 'live',
            at: now,
            deliver: this.config.merchant.webhookUrl !== undefined,
          });
          return {
            changes: { approval, texts, events: [told] },
            result: { approvalId: id, replayed: false },
            made: { sessionId: null, operationId: id, sessionExpiresAt: approval.expiresAt },
          };
        },
      },
    );
  }

  /** Approves it. Throws `invalid-state` where it was decided or is over, and what its kind’s own rules no longer allow. */
  async approve(approval: ApprovalRecord, by: Deciding): Promise<Decision> {
    const work = this.workOf(approval);
    if ('approve' in work) {
      const { replayed } = await work.approve(approval, by);
      return { approval: await this.mustFind(approval.id), replayed };
    }
    if (await this.isReplay(approval, by)) return { approval, replayed: true };
    await work.check(approval);
    const { replayed } = await this.decide(approval, 'approved', by);
    await this.finish(await this.mustFind(approval.id));
    return { approval: await this.mustFind(approval.id), replayed };
  }

  /** Declines it. Throws `invalid-state` where it was decided or is over. */
  async decline(approval: ApprovalRecord, by: Deciding): Promise<Decision> {
    const { replayed } = await this.decide(approval, 'declined', by);
    await this.works.get(approval.kind)?.declined?.(approval);
    return { approval: await this.mustFind(approval.id), replayed };
  }

  /** Does what was approved and is not done, where that is not one commit. May be repeated. */
  async finish(approval: ApprovalRecord): Promise<void> {
    const work = this.workOf(approval);
    if (approval.state !== 'approved' || approval.doneAt !== null || !('carryOut' in work)) return;
    await work.carryOut(approval);
    await this.repository.markDone(approval.id, this.store.clock.now());
  }

  /** What is asked for about a difference, or another object, and waits now. */
  findWaiting(objectId: string): Promise<ApprovalRecord | undefined> {
    return this.repository.findWaiting(objectId, this.store.clock.now());
  }

  /** Throws `not-found`. */
  async mustFind(id: string): Promise<ApprovalRecord> {
    const approval = await this.repository.find(id);
    if (!approval) throw new Problem('not-found', 'There is no such approval.');
    return approval;
  }

  list(filter: ApprovalFilter): Promise<ApprovalRecord[]> {
    return this.repository.list(filter, this.store.clock.now());
  }

  /** As answers show them. */
  async view(approvals: readonly ApprovalRecord[]): Promise<ApprovalDto[]> {
    const ids = approvals.flatMap(({ textId, decisionTextId }) =>
      [textId ?? [], decisionTextId ?? []].flat(),
    );
    const texts = await this.texts.read(ids);
    const now = this.store.clock.now();
    return approvals.map((approval) => viewApproval(approval, texts, now));
  }

  /** The approval with what became of it. */
  async withResult(approval: ApprovalRecord): Promise<ApprovedDto> {
    const [view] = await this.view([approval]);
    const isDone = approval.state === 'approved';
    const result = isDone ? await this.workOf(approval).result(approval) : null;
    return { approval: view as ApprovalDto, result };
  }

  /** What the asker's call is answered with: 202 while it waits, also to a repeat, and then with what became of it. */
  async answer(approvalId: string, replayed: boolean): Promise<Answer<ApprovedDto>> {
    const approval = await this.mustFind(approvalId);
    const { approval: view, result } = await this.withResult(approval);
    const headers: Record<string, string> = replayed ? { 'Idempotency-Replayed': 'true' } : {};
    return view.state === 'waiting'
      ? new Answer({ approval: view }, { status: 202, headers })
      : new Answer({ approval: view, result: result ?? null }, { status: 200, headers });
  }

  /** What the asker wrote; undefined: nothing. */
  async textOf({ textId }: ApprovalRecord): Promise<string | undefined> {
    return textId === null ? undefined : (await this.texts.read([textId])).get(textId);
  }

  private decide(
    { id, reference }: ApprovalRecord,
    state: 'approved' | 'declined',
    { call, ...decider }: Deciding,
  ): Promise<{ replayed: boolean }> {
    const wanted = { reference, approvalId: id };
    return this.keyed.write<{ replayed: boolean }>(call, wanted, {
      replay: () => ({ replayed: true }),
      decide: ({ approval }, now) => {
        const changes = decided(approval, state, decider, now);
        const { expiresAt: sessionExpiresAt } = changes.approval;
        return {
          changes,
          result: { replayed: false },
          made: { sessionId: null, operationId: id, sessionExpiresAt },
        };
      },
    });
  }

  private isReplay({ reference }: ApprovalRecord, { call }: Deciding): Promise<boolean> {
    const once = { replay: () => true, decide: () => ({ changes: {}, result: false }) };
    return this.keyed.write<boolean>(call, { reference }, once);
  }

  private workOf({ kind }: ApprovalRecord): ApprovalWork {
    const work = this.works.get(kind);
    if (!work) throw new Error(`Nothing says how a ${kind} is done`);
    return work;
  }
}

/** Whether a kept key stands for an approval. */
export function isApprovalId(id: string | null | undefined): id is string {
  return id?.startsWith('apr_') ?? false;
}

const EVERY_MS = 60_000;
const AT_ONCE = 100;

/** Does what was approved and was not finished, because the process died meanwhile. */
@Injectable()
export class ApprovalsWorker extends PeriodicTask {
  constructor(
    store: Store,
    private readonly repository: ApprovalsRepository,
    private readonly approvals: Approvals,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ event: 'approvals.failed', store, logger });
  }

  protected async run(): Promise<number> {
    for (const approval of await this.repository.undone(AT_ONCE)) {
      if (this.stopped) break;
      await this.approvals.finish(approval);
    }
    return EVERY_MS;
  }
}
