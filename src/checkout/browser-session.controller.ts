import { Controller, Get, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CurrentCaller, clientSession, type Caller } from '../sessions/caller.js';
import { ClientGuard } from '../sessions/client.guard.js';
import { CheckoutService } from './checkout.service.js';
import { BrowserSessionDto } from './sessions.dto.js';

@ApiTags('browser')
@UseGuards(ClientGuard)
@Controller('v1/checkout-session')
export class BrowserSessionController {
  constructor(private readonly checkout: CheckoutService) {}

  /** The session of this client token, with its payments. */
  @Get()
  @ApiOkResponse({ type: BrowserSessionDto })
  async find(@CurrentCaller() caller: Caller): Promise<BrowserSessionDto> {
    return this.checkout.viewForBrowser(await this.checkout.findForBrowser(clientSession(caller)));
  }
}
