import { Controller, Get, Query, UseGuards, Body, Inject, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags, ApiCreatedResponse } from '@nestjs/swagger';
import { AuditRepository } from '../audit/audit.repository.js';
import { Problem } from '../http/problems/problem.js';
import { namedExamples } from '../openapi/named-examples.js';
import { MerchantGuard, ReadAccess } from '../sessions/merchant.guard.js';
import type { AuditRecord } from '../store/schema.js';
import {
  AUDIT_EXAMPLE,
  SIGN_IN_EXAMPLE,
  AuditListDto,
  AuditQueryDto,
  type AuditEntryDto,
  SignInDto,
} from './audit.dto.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { EmptyDto } from '../payments/views/payment.dto.js';
import { Audited } from '../sessions/audited.js';
import { actorOf, CurrentCaller, merchantOf, type Caller } from '../sessions/caller.js';

const DEFAULT_LIMIT = 50;

@ApiTags('audit')
@Controller('v1/audit')
@UseGuards(MerchantGuard)
export class AuditController {
  constructor(private readonly entries: AuditRepository) {}

  /** Who did what, from where, the oldest first and without gaps, or the newest first. */
  @Get()
  @ReadAccess()
  @ApiOkResponse({ type: AuditListDto, examples: namedExamples({ entries: AUDIT_EXAMPLE }) })
  async list(@Query() query: AuditQueryDto): Promise<AuditListDto> {
    const position = query.after === undefined ? undefined : await this.placeOf(query.after);
    const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
    const found =
      query.order === 'newest'
        ? await this.entries.listBefore(position, limit)
        : await this.entries.listAfter(position ?? 0, limit);
    const data = found.map(viewEntry);
    return { data, nextCursor: data.at(-1)?.id ?? null };
  }

  private async placeOf(id: string): Promise<number> {
    const entry = await this.entries.find(id);
    if (!entry) throw new Problem('not-found', 'There is no such entry.');
    return entry.position;
  }
}

function viewEntry(entry: AuditRecord): AuditEntryDto {
  const { id, at, actor, action, object, address, requestId, outcome, count } = entry;
  return {
    ...{ id, at: new Date(at).toISOString(), actor, action, object, address, requestId, outcome },
    count,
  };
}

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
      access: merchantOf(caller).access,
      livemode: this.config.gateway.mode === 'live',
    };
  }
}
