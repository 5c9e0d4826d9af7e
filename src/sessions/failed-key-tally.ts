import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { SHOWN_KEY } from '../audit/audit-actions.js';
import { AuditTrail, type BegunEntry } from '../audit/audit-trail.js';
import { addressGroup } from '../http/request/client-address.js';

const MINUTE_MS = 60_000;

/** Addresses that get an entry of their own in one minute. All others share one, so that nobody can flood the store. */
const MOST_ADDRESSES = 100;
const OTHERS = 'others';

interface Tally {
  entry: BegunEntry;
  count: number;
}

/**
 * Counts wrong merchant keys by address and minute for the audit; an IPv6 address counts by its /64. The entry is begun with the
 * first of them and gets its count and its place when its minute is over, because no entry of the audit ever changes.
 */
@Injectable()
export class FailedKeyTally implements BeforeApplicationShutdown {
  private tallies = new Map<string, Tally>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly trail: AuditTrail) {}

  /** Counts one. Nothing waits for it. */
  note(address: string, requestId: string): void {
    const group = addressGroup(address);
    const own = this.tallies.has(group) || this.tallies.size < MOST_ADDRESSES;
    const key = own ? group : OTHERS;
    const tally = this.tallies.get(key);
    if (tally) {
      tally.count += 1;
      return;
    }
    const entry = this.trail.beginLater({
      actor: 'unknown',
      action: SHOWN_KEY,
      object: null,
      address: own ? group : null,
      requestId: own ? requestId : null,
    });
    this.tallies.set(key, { entry, count: 1 });
    this.timer ??= setTimeout(() => void this.end(), MINUTE_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.end();
  }

  private async end(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const ended = [...this.tallies.values()];
    this.tallies = new Map();
    await Promise.all(ended.map(({ entry, count }) => entry.end('unauthorized', { count })));
  }
}
