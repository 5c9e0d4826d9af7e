import { Controller, Get, Injectable } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CurrentCaller, clientSession, type Caller } from '../../auth/caller.js';
import { assertTokenReads } from '../../sessions/session-guards.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import { Store } from '../../store/store.js';
import { UssdBanksDto } from './plain-methods.dto.js';
import { Gateway } from '../../gateway/gateway.js';
import type { UssdBank } from '../../gateway/gateway-result.js';
import { Problem } from '../../http/problems/problem.js';
import { Access } from '../../auth/access.guard.js';

/** Lists of banks rarely change. */
const FRESH_FOR_MS = 10 * 60_000;

/** The banks that accept USSD payments, fetched once and cached. An old list is better than none. */
@Injectable()
export class UssdBanks {
  private banks: readonly UssdBank[] | undefined;
  /** A `performance.now()` timestamp. */
  private askedAt = -Infinity;
  private asking: Promise<readonly UssdBank[]> | undefined;

  constructor(private readonly gateway: Gateway) {}

  /** Throws the problem of the failed query where there is no list at all. */
  async list(): Promise<readonly UssdBank[]> {
    if (this.banks && performance.now() - this.askedAt < FRESH_FOR_MS) return this.banks;
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async ask(): Promise<readonly UssdBank[]> {
    const result = await this.gateway.listUssdBanks();
    if (result.kind === 'banks') {
      this.banks = result.banks;
      this.askedAt = performance.now();
      return result.banks;
    }
    if (this.banks) return this.banks;
    if (result.kind === 'credentials-rejected') {
      throw new Problem('gateway-credentials-rejected', 'The gateway rejected the merchant’s credentials.');
    }
    if (result.kind === 'busy') {
      throw new Problem('gateway-busy', 'The gateway is busy. Try again later.', {
        retryAfterSeconds: result.retryAfterSeconds ?? 5,
      });
    }
    throw new Problem('gateway-unavailable', 'The gateway gave no list of banks.', { retryAfterSeconds: 5 });
  }
}

@ApiTags('browser')
@Controller('v1/ussd/banks')
export class UssdBanksController {
  constructor(
    private readonly banks: UssdBanks,
    private readonly sessions: SessionsRepository,
    private readonly store: Store,
  ) {}

  /** The banks whose customers can pay by USSD. */
  @Get()
  @Access('client')
  @ApiOkResponse({ type: UssdBanksDto })
  async list(@CurrentCaller() caller: Caller): Promise<UssdBanksDto> {
    assertTokenReads(await this.sessions.find(clientSession(caller)), this.store.clock.now());
    const banks = await this.banks.list();
    return { banks: banks.map(({ code, name }) => ({ code, name })) };
  }
}
