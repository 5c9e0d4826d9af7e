import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { KeyedCall } from '../../sessions/keyed-call.js';
import type { SettlementRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { FollowUpWorker } from '../follow/follow-up.worker.js';
import { DifferencesRepository } from '../store/differences.repository.js';
import { SettlementsService } from './settlements.service.js';
import { UploadKeys } from './upload-keys.js';

/** A call waits no longer than this for what it has begun. The rest goes on without it. */
const LONGEST_WAIT_MS = 20_000;
const LOOK_EVERY_MS = 50;

/** Takes over what a report names and the store does not have, at the wish of a person. */
@Injectable()
export class Adopt {
  constructor(
    private readonly settlements: SettlementsService,
    private readonly repository: DifferencesRepository,
    private readonly keys: UploadKeys,
    private readonly followUps: FollowUpWorker,
    private readonly store: Store,
  ) {}

  /** Marks the rows, of these lines or all, which is what lasts, and waits a while for what becomes of them. */
  async adopt(
    id: string,
    rows: readonly number[] | undefined,
    call: KeyedCall,
  ): Promise<{ settlement: SettlementRecord; replayed: boolean }> {
    this.settlements.settlementProfile();
    const settlement = await this.settlements.mustFind(id);
    if (await this.keys.begin(call)) {
      await this.keys.assertSame(call, call.content as object);
      return { settlement, replayed: true };
    }
    try {
      await this.repository.wantAdopted(id, rows, call.actor, this.store.clock.now());
      await this.keys.finish(call, call.content as object);
    } catch (error) {
      await this.keys.release(call).catch(() => undefined);
      throw error;
    }
    this.followUps.wake();
    await this.waitFor(id);
    return { settlement, replayed: false };
  }

  private async waitFor(id: string): Promise<void> {
    const deadline = performance.now() + LONGEST_WAIT_MS;
    while (performance.now() < deadline && (await this.repository.hasDue(id, 'to_adopt')))
      await pause(LOOK_EVERY_MS);
  }
}
