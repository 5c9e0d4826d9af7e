import { Controller, Get, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { namedExamples } from '../../openapi/named-examples.js';
import { CurrentCaller, clientSession, type Caller } from '../../sessions/caller.js';
import { ClientGuard } from '../../sessions/client.guard.js';
import { assertTokenReads } from '../../sessions/session-guards.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import { Store } from '../../store/store.js';
import { UssdBanksDto } from './plain-methods.dto.js';
import { UssdBanks } from './ussd-banks.js';

const EXAMPLE: UssdBanksDto = { banks: [{ code: '058', name: 'Guaranty Trust Bank' }] };

@ApiTags('browser')
@UseGuards(ClientGuard)
@Controller('v1/ussd/banks')
export class UssdBanksController {
  constructor(
    private readonly banks: UssdBanks,
    private readonly sessions: SessionsRepository,
    private readonly store: Store,
  ) {}

  /** The banks whose customers can pay by USSD. */
  @Get()
  @ApiOkResponse({ type: UssdBanksDto, examples: namedExamples({ banks: EXAMPLE }) })
  async list(@CurrentCaller() caller: Caller): Promise<UssdBanksDto> {
    assertTokenReads(await this.sessions.find(clientSession(caller)), this.store.clock.now());
    const banks = await this.banks.list();
    return { banks: banks.map(({ code, name }) => ({ code, name })) };
  }
}
