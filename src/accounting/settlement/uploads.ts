import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Gateway } from '../../gateway/gateway.js';
import { Problem } from '../../http/problems/problem.js';
import { newId } from '../../store/ids.js';
import { Store } from '../../store/store.js';
import { Books } from '../differences/books.js';
import { HeldLease } from '../../store/held-lease.js';
import { uploaded, type Bytes } from './bytes.js';
import { ReportReader } from './report.js';
import { RowIds } from './row-ids.js';
import type { Settlement } from './settlements.dto.js';
import { SettlementsRepository } from './settlements.repository.js';

/** So many rows are one commit: payments are written between two of them. */
const AT_ONCE = 500;
/** How often it is asked whether a report is compared. */
const ASK_MS = 100;

export interface Uploaded {
  settlement: Settlement;
  isNew: boolean;
}

/** Takes reports of the gateway. What a report says counts when all of it was read. */
@Injectable()
export class Uploads {
  private busy = false;
  /** One report is read at a time, by the replica with this lease. */
  private readonly lease: HeldLease;

  constructor(
    private readonly store: Store,
    private readonly settlements: SettlementsRepository,
    @Inject(Gateway) private readonly gateway: Pick<Gateway, 'profile'>,
    @Inject(Books) private readonly books: Pick<Books, 'wake'>,
  ) {
    this.lease = new HeldLease(store, 'settlement');
  }

  /** Resolves when the report is compared. Throws a problem where it is refused: then nothing of it is kept. */
  async take(bytes: Bytes, isPacked: boolean, actor: string): Promise<Uploaded> {
    if (this.gateway.profile.settlement === undefined)
      throw new Problem('not-supported', 'The gateway profile has no settlement.');
    if (this.busy) throw busy();
    this.busy = true;
    try {
      await this.hold();
      const taken = await this.read(bytes, isPacked, actor);
      return { ...taken, settlement: await this.compared(taken.settlement) };
    } finally {
      this.busy = false;
      await this.lease.giveBack();
    }
  }

  private async read(source: Bytes, isPacked: boolean, actor: string): Promise<Uploaded> {
    await this.settlements.removeUnread();
    const n = await this.settlements.begin(newId('stl', this.store.now()), actor);
    const reader = new ReportReader(this.gateway.profile);
    const ids = new RowIds();
    const digest = createHash('sha256');
    let rowsSeen = 0;
    // The next rows are read while these are written.
    let adding = Promise.resolve(0);
    let isNew = false;
    try {
      for await (const rows of reader.rows(uploaded(source, isPacked, digest), AT_ONCE)) {
        await adding;
        await this.hold();
        adding = this.settlements.add(n, rows, ids).then((added) => (rowsSeen += rows.length - added));
        adding.catch(() => undefined);
      }
      await adding;
      const hash = digest.digest('base64url');
      isNew = await this.settlements.finish(n, hash, { ...reader.figures, rowsSeen });
      const settlement = await this.settlements.byHash(hash);
      if (!settlement) throw new Error('A report is gone');
      return { settlement, isNew };
    } finally {
      await adding.catch(() => undefined);
      if (!isNew) await this.settlements.removeUnread();
    }
  }

  private async compared(settlement: Settlement): Promise<Settlement> {
    let now: Settlement | undefined = settlement;
    if (now.state !== 'done') this.books.wake();
    while (now?.state !== 'done') {
      await wait(ASK_MS);
      await this.hold();
      now = await this.settlements.find(settlement.id);
    }
    return now;
  }

  private async hold(): Promise<void> {
    if (!(await this.lease.take())) throw busy();
  }
}

function busy(): Problem {
  return new Problem('overloaded', 'Another report is being read. Try again.', { retryAfterSeconds: 10 });
}
