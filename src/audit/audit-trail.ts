import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { PeriodicTask } from '../background/periodic-task.js';
import type { AuditRecord, BegunActRecord } from '../store/schema.js';
import { newId } from '../store/ids.js';
import { Store } from '../store/store.js';
import { logFailure } from '../telemetry/failure-log.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';
import type { AuditAction } from './audit-actions.js';
import { AuditRepository } from './audit.repository.js';
import { holdsCardNumber } from '../card-numbers/holds-card-number.js';

/** What is known of an entry when it begins. */
export interface AuditedAct {
  actor: string;
  action: AuditAction;
  /** Whose id it is about; null where there is none yet. */
  object: string | null;
  /** The caller's, in plain; null where there is none. */
  address: string | null;
  /** As the log and the answer have it. The entry keeps it only where it has the form of an id: see `auditRequestId`. */
  requestId: string | null;
}

/** An entry that was begun. */
export interface BegunEntry {
  /** Says how it came out: `ok` or a problem's code. Never throws: what cannot be written now is written later. */
  end(outcome: string, more?: { object?: string; count?: number }): Promise<void>;
}

/** Entries of one statement. */
const AT_ONCE = 100;
/** How soon to try again what could not be written. */
const AGAIN_MS = 1_000;
/** How often to look for what dead processes have begun. */
const LOOK_EVERY_MS = 60_000;
/** No call lasts so long. On PostgreSQL another process may live, and ends by itself what it has begun. */
const ABANDONED_AFTER_MS = 10 * 60_000;
/** Bounds what waits for a store that is away. What is beyond stays begun, and is ended as unknown. */
const MOST_LATE = 10_000;

/** An act as it begins. */
export function beginAct(store: Pick<Store, 'clock' | 'owner'>, act: AuditedAct): BegunActRecord {
  return {
    id: newId('aud'),
    at: store.clock.now(),
    ...act,
    requestId: act.requestId === null ? null : auditRequestId(act.requestId),
    owner: store.owner,
  };
}

/** The entry of an act, without its place. */
export const entryOf = (act: BegunActRecord, outcome: string): AuditRecord => ({
  ...act,
  position: null,
  outcome,
  count: 1,
});

/**
 * Who did what. That an act begins is written down before it does, so a store that is away refuses the act instead of doing it unseen, and
 * a process that dies during it leaves a trace, which is ended as `outcome-unknown`. Its entry is added with its outcome before the call is
 * answered. Where that fails, the answer still says what was done, since an error would have the merchant do it twice, and the
 * outcome is written as soon as the store is back.
 */
@Injectable()
export class AuditTrail extends PeriodicTask {
  private readonly waiting: { entry: AuditRecord; resolve: () => void; reject: (error: unknown) => void }[] =
    [];
  private writing = false;
  private late: AuditRecord[] = [];

  constructor(
    private readonly store: Store,
    private readonly repository: AuditRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({ event: 'audit.late', store, logger });
  }

  override async stop(): Promise<void> {
    await super.stop();
    try {
      await this.writeLate();
    } catch (error) {
      // The store is away. What was begun is ended as unknown by whoever comes next; the rest of the shutdown goes on.
      logFailure(this.logger, { event: 'audit.late' }, error);
    }
  }

  /** Begins an entry. Throws `store-unavailable`: then nothing must be done. */
  async begin(act: AuditedAct): Promise<BegunEntry> {
    const begun = beginAct(this.store, act);
    await this.repository.begin(begun);
    return this.begun(begun, act);
  }

  /** The same for what has happened already, and must not wait for the store. */
  beginLater(act: AuditedAct): BegunEntry {
    const written = beginAct(this.store, act);
    // Its end writes the entry whole.
    const beginning = this.repository.begin(written).catch(() => undefined);
    const begun = this.begun(written, act);
    return { end: (outcome, more) => beginning.then(() => begun.end(outcome, more)) };
  }

  /** Writes an entry whose outcome is known. Never throws. */
  async record(act: AuditedAct, outcome: string): Promise<void> {
    await this.begun(beginAct(this.store, act), act).end(outcome);
  }

  private begun(act: BegunActRecord, { requestId }: AuditedAct): BegunEntry {
    return {
      end: async (outcome, { object = act.object, count = 1 } = {}) => {
        const ended = { ...entryOf(act, outcome), object, count };
        this.tell(ended, requestId);
        try {
          await this.write(ended);
        } catch (error) {
          logFailure(this.logger, { event: 'audit.late', auditId: act.id }, error);
          if (this.late.length < MOST_LATE) this.late.push(ended);
          this.wake(AGAIN_MS);
        }
      },
    };
  }

  /** The line has the request's id as all lines of the request have it, and the entry's, where that is another. */
  private tell(entry: AuditRecord, requestId = entry.requestId): void {
    const { id, actor, action, object, address, outcome, count } = entry;
    this.logger.info({
      event: 'audit',
      ...{ auditId: id, actor, action, object, address, requestId, outcome },
      ...(requestId !== entry.requestId && { auditRequestId: entry.requestId }),
      ...(count > 1 && { count }),
    });
  }

  /** Entries that wait at the same time are written together, one statement after the other. */
  private write(entry: AuditRecord): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.waiting.push({ entry, resolve, reject });
    });
    if (!this.writing) void this.writeWaiting();
    return written;
  }

  /** Never throws. It is over in the same moment in which nothing waits any more: nobody waits for one that has ended. */
  private async writeWaiting(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, AT_ONCE);
      try {
        await this.repository.end(group.map(({ entry }) => entry));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.writing = false;
  }

  /** Writes late what could not be written, and ends what dead processes have begun. */
  protected async run(): Promise<number> {
    await this.writeLate();
    await this.endAbandoned();
    await this.repository.forgetEnded();
    return this.late.length > 0 ? AGAIN_MS : LOOK_EVERY_MS;
  }

  private async writeLate(): Promise<void> {
    while (this.late.length > 0) {
      const group = this.late.slice(0, AT_ONCE);
      await this.repository.end(group);
      this.late.splice(0, group.length);
    }
  }

  private async endAbandoned(): Promise<void> {
    const age = this.store.kind === 'embedded' ? 0 : ABANDONED_AFTER_MS;
    const found = await this.repository.abandoned(this.store.clock.now() - age, AT_ONCE);
    if (found.length === 0) return;
    for (const entry of found) this.tell(entry);
    await this.repository.end(found);
  }
}

/** A UUID, or the id of a W3C trace. */
const ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$/i;

/** The user of a command line: what the command says of itself, beside the key's own name. */
const COMMAND_USER = /^[A-Za-z0-9._@-]{1,64}$/;
/** A user without a name, by the system's number. */
const NUMBERED_USER = /^uid-[0-9]{1,10}$/;
/** More digits than this could be a telephone's number, or a card's. */
const MOST_DIGITS = 6;

/**
 * The id under which the audit keeps a request: the request's own where that is a UUID or a trace id, else one of the audit's. Anything
 * else is a text that the caller chose, and no entry can ever be changed.
 */
export function auditRequestId(requestId: string): string {
  return ID.test(requestId) && !holdsCardNumber(requestId) ? requestId : randomUUID();
}

/** Whether the audit may name a user so. */
export function isAuditUser(user: string): boolean {
  if (NUMBERED_USER.test(user)) return true;
  return COMMAND_USER.test(user) && user.replace(/[^0-9]/g, '').length <= MOST_DIGITS;
}
