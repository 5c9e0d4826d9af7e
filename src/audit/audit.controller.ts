import { Body, Controller, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { timeRangeOf } from '../payments/api/payment-filter.js';
import { EmptyDto } from '../payments/views/payment.dto.js';
import { actorOf, CurrentCaller, merchantOf, type Caller } from '../auth/caller.js';
import { Audit } from './audit.js';
import { AuditListDto, AuditQueryDto, SignInDto, viewEntry } from './audit.dto.js';
import { Audited } from './audited.js';
import { Access } from '../auth/access.guard.js';

const DEFAULT_LIMIT = 50;

@ApiTags('audit')
@Controller('v1')
export class AuditController {
  constructor(
    private readonly audit: Audit,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists who did what, from where, newest first. */
  @Get('audit')
  @Access('full', 'read')
  @ApiOkResponse({ type: AuditListDto })
  async list(@Query() query: AuditQueryDto): Promise<AuditListDto> {
    const { actor, action, object, cursor, limit = DEFAULT_LIMIT } = query;
    const range = timeRangeOf(query, this.config.booksTimeZone);
    const found = await this.audit.list({ ...range, actor, action, object, cursor }, Number(limit) + 1);
    const page = found.slice(0, Number(limit));
    return {
      data: page.map(viewEntry),
      nextCursor: found.length > page.length ? (page.at(-1)?.id ?? null) : null,
    };
  }

  /** Returns whose key this is and what it may do, and records the sign-in. It creates no session: each call sends the key. */
  @Post('console/sign-ins')
  @Access('full', 'read', 'books')
  @HttpCode(200)
  @Audited('sign-in')
  @ApiOkResponse({ type: SignInDto })
  signIn(@Body() _: EmptyDto, @CurrentCaller() caller: Caller): SignInDto {
    return {
      actor: actorOf(caller),
      access: merchantOf(caller).access,
      livemode: this.config.gateway.mode === 'live',
      timeZone: this.config.booksTimeZone.name,
    };
  }
}
