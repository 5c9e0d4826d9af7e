import { Injectable } from '@nestjs/common';
import type { UssdBank } from '../gateway/answer/ussd-banks.js';
import { Gateway } from '../gateway/gateway.js';
import { Problem } from '../http/problems/problem.js';

/** Lists of banks rarely change. */
const FRESH_FOR_MS = 10 * 60_000;

/** The banks that take USSD payments, fetched once and kept for a while. An old list is better than none. */
@Injectable()
export class UssdBanks {
  private banks: readonly UssdBank[] | undefined;
  private askedAt = -Infinity;
  private asking: Promise<readonly UssdBank[]> | undefined;

  constructor(private readonly gateway: Gateway) {}

  /** Throws `not-supported`, or `gateway-unavailable` where there is no list at all. */
  async list(): Promise<readonly UssdBank[]> {
    if (!this.gateway.has('listUssdBanks'))
      throw new Problem('not-supported', 'This gateway takes no USSD payments.');
    if (this.banks && performance.now() - this.askedAt < FRESH_FOR_MS) return this.banks;
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async ask(): Promise<readonly UssdBank[]> {
    const banks = await this.gateway.listUssdBanks();
    if (banks) {
      this.banks = banks;
      this.askedAt = performance.now();
    }
    if (this.banks) return this.banks;
    throw new Problem('gateway-unavailable', 'The gateway gave no list of banks.', { retryAfterSeconds: 5 });
  }
}
