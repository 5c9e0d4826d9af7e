import { Body, Controller, Inject, Post, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiTags } from '@nestjs/swagger';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { namedExamples } from '../openapi/named-examples.js';
import { EmptyDto } from '../payments/views/payment.dto.js';
import { Audited } from '../sessions/audited.js';
import { actorOf, CurrentCaller, type Caller } from '../sessions/caller.js';
import { MerchantGuard, ReadAccess } from '../sessions/merchant.guard.js';
import { SIGN_IN_EXAMPLE } from './audit.example.js';
import { SignInDto } from './audit.dto.js';

@ApiTags('audit')
@Controller('v1/console/sign-ins')
@UseGuards(MerchantGuard)
export class SignInsController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Tells whose key it is and what it may do, and records the sign-in in the audit. It creates no session: each call sends the key. */
  @Post()
  @ReadAccess()
  @Audited('sign-in')
  @ApiCreatedResponse({ type: SignInDto, examples: namedExamples({ signedIn: SIGN_IN_EXAMPLE }) })
  signIn(@Body() _: EmptyDto, @CurrentCaller() caller: Caller): SignInDto {
    return {
      actor: actorOf(caller),
      access: caller.kind === 'merchant' ? caller.access : 'read',
      livemode: this.config.gateway.mode === 'live',
    };
  }
}
