import { Body, Controller, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CONFIG, type Config } from '../config/config.js';
import { idAt, timeRangeOf } from '../payments/api/payment-lists.js';
import { EmptyDto } from '../payments/api/requests.dto.js';
import { actorOf, CurrentCaller, merchantOf, type Caller } from '../auth/caller.js';
import { pageOf, rowsOf } from '../payments/api/paging.dto.js';
import { Audit, type AuditRecord } from './audit.js';
import { AuditListDto, AuditQueryDto, SignInDto, type AuditEntryDto } from './audit.dto.js';
import { Audited } from './audited.js';
import { Access } from '../auth/access.guard.js';

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
    const range = timeRangeOf(query, this.config.booksTimeZone);
    const found = await this.audit.list(
      { ...query, ...range, cursor: idAt(query.cursor, 'aud') },
      rowsOf(query.limit),
    );
    const { rows, nextCursor } = pageOf(found, query.limit, ({ id }) => id);
    return { data: rows.map(viewEntry), nextCursor };
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
      livemode: this.config.livemode,
      timeZone: this.config.booksTimeZone.name,
    };
  }
}

/** `count` is of refused keys only. */
function viewEntry({ at, count, ...row }: AuditRecord): AuditEntryDto {
  return { ...row, at: new Date(at).toISOString(), ...(row.action === 'authenticate' && { count }) };
}
