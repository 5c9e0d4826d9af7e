import { Body, Controller, Get, Header, Inject, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';
import { AuditRepository, type AuditFilter } from '../audit/audit.repository.js';
import { Problem } from '../http/problems/problem.js';
import { csvOf, harmless, sendTable } from '../http/tables/csv.js';
import { namedExamples } from '../openapi/named-examples.js';
import { MerchantGuard, ReadAccess } from '../sessions/merchant.guard.js';
import type { AuditRecord } from '../store/schema.js';
import {
  AUDIT_EXAMPLE,
  SIGN_IN_EXAMPLE,
  AuditCsvQueryDto,
  AuditListDto,
  AuditQueryDto,
  type AuditEntryDto,
  SignInDto,
} from './audit.dto.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { timeRangeOf } from '../payments/api/payment-filter.js';
import { EmptyDto } from '../payments/views/payment.dto.js';
import { Audited } from '../sessions/audited.js';
import { actorOf, CurrentCaller, merchantOf, type Caller } from '../sessions/caller.js';

const DEFAULT_LIMIT = 50;

@ApiTags('audit')
@Controller('v1')
@UseGuards(MerchantGuard)
export class AuditController {
  constructor(
    private readonly entries: AuditRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'booksTimeZone'>,
  ) {}

  /** Who did what, from where, the oldest first and without gaps, or the newest first. */
  @Get('audit')
  @ReadAccess()
  @ApiOkResponse({ type: AuditListDto, examples: namedExamples({ entries: AUDIT_EXAMPLE }) })
  async list(@Query() query: AuditQueryDto): Promise<AuditListDto> {
    const position = query.after === undefined ? undefined : await this.placeOf(query.after);
    const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
    const found =
      query.order === 'newest'
        ? await this.entries.listBefore(position, limit, this.filterOf(query))
        : await this.entries.listAfter(position ?? 0, limit, this.filterOf(query));
    const data = found.map(viewEntry);
    return { data, nextCursor: data.at(-1)?.id ?? null };
  }

  /** The same entries as a table for spreadsheets (RFC 4180), the oldest first, with a header. The answer is streamed. */
  @Get('audit.csv')
  @ReadAccess()
  @Audited('export')
  @Header('content-type', 'text/csv; charset=utf-8; header=present')
  @Header('content-disposition', 'attachment; filename="audit.csv"')
  @ApiOkResponse({
    description: 'The table. Text that a spreadsheet would execute starts with an apostrophe.',
    content: { 'text/csv': { schema: { type: 'string' } } },
  })
  table(@Query() query: AuditCsvQueryDto, @Res({ passthrough: true }) reply: FastifyReply): Readable {
    const rows = this.rows(this.filterOf(query));
    return sendTable(reply, csvOf(COLUMNS, rows, { forSpreadsheet: query.for === 'spreadsheet' }));
  }

  private async *rows(filter: AuditFilter): AsyncGenerator<string[]> {
    for await (const entry of this.entries.each(filter)) {
      const view = viewEntry(entry);
      yield COLUMNS.map((column) => harmless(String(view[column] ?? '')));
    }
  }

  private filterOf(query: AuditCsvQueryDto | AuditQueryDto): AuditFilter {
    const { actor, action, object } = query;
    return { ...timeRangeOf(query, this.config.booksTimeZone), actor, action, object };
  }

  private async placeOf(id: string): Promise<number> {
    const entry = await this.entries.find(id);
    if (!entry) throw new Problem('not-found', 'There is no such entry.');
    return entry.position;
  }
}

/** The table's, in their order. */
const COLUMNS = [
  'id',
  'at',
  'actor',
  'action',
  'object',
  'address',
  'requestId',
  'outcome',
  'count',
] as const satisfies (keyof AuditEntryDto)[];

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
      timeZone: this.config.booksTimeZone.name,
    };
  }
}
