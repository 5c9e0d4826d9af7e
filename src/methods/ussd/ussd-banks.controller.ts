import { Controller, Get, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CurrentCaller, clientSession, type Caller } from '../../sessions/caller.js';
import { ClientGuard } from '../../sessions/client.guard.js';
import { assertTokenReads } from '../../sessions/session-guards.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import { UssdBanksDto } from './ussd-banks.dto.js';
import { UssdBanks } from './ussd-banks.js';

@ApiTags('browser')
@UseGuards(ClientGuard)
@Controller('v1/ussd/banks')
export class UssdBanksController {
  constructor(
    private readonly banks: UssdBanks,
    private readonly sessions: SessionsRepository,
  ) {}

  /** The banks whose customers can pay by USSD. */
  @Get()
  @ApiOkResponse({ type: UssdBanksDto })
  async list(@CurrentCaller() caller: Caller): Promise<UssdBanksDto> {
    assertTokenReads(await this.sessions.find(clientSession(caller)), Date.now());
    const banks = await this.banks.list();
    return { banks: banks.map(({ code, name }) => ({ code, name })) };
  }
}
