import { Controller, Get, Header, Inject, Query, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { formatMajor } from '../money/money.js';
import { namedExamples } from '../openapi/named-examples.js';
import { stretchOf } from '../payments/api/payment-filter.js';
import { Audited } from '../sessions/audited.js';
import { MerchantGuard, ReadAccess } from '../sessions/merchant.guard.js';
import { OverviewDto } from './overview.dto.js';
import { OverviewService } from './overview.service.js';
import { PaymentsCsv } from './payments-csv.js';
import {
  ReportQueryDto,
  SummaryDto,
  SummaryQueryDto,
  type SummaryRowDto,
  OVERVIEW_EXAMPLE,
  SUMMARY_EXAMPLE,
} from './reports.dto.js';
import { summarize, type SummaryKey } from './summary.js';
import { TotalsRepository, type Total } from './totals.repository.js';

/** A reader who takes nothing for so long is gone. */
const PATIENCE_MS = 60_000;

@ApiTags('reports')
@Controller('v1/reports')
@UseGuards(MerchantGuard)
export class ReportsController {
  constructor(
    private readonly totals: TotalsRepository,
    private readonly table: PaymentsCsv,
    private readonly figures: OverviewService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Adds up payments by the day on which they were made, by method or by currency, separately for each status and currency. */
  @Get('summary')
  @ReadAccess()
  @ApiOkResponse({ type: SummaryDto, examples: namedExamples({ byDay: SUMMARY_EXAMPLE }) })
  async summary(@Query() query: SummaryQueryDto): Promise<SummaryDto> {
    const by = query.by ?? 'day';
    const sums = summarize(await this.totals.of(stretchOf(query, this.config.booksTimeZone)), by);
    return { data: sums.map((sum) => viewSum(sum, by)) };
  }

  /** What is paid, open and waiting: the figures of a first page. */
  @Get('overview')
  @ReadAccess()
  @ApiOkResponse({ type: OverviewDto, examples: namedExamples({ overview: OVERVIEW_EXAMPLE }) })
  overview(): Promise<OverviewDto> {
    return this.figures.read();
  }

  /** Payments as a table for spreadsheets (RFC 4180), one row each, oldest first, with a header. The answer is streamed. */
  @Get('payments.csv')
  @ReadAccess()
  @Audited('export')
  @Header('content-type', 'text/csv; charset=utf-8; header=present')
  @Header('content-disposition', 'attachment; filename="payments.csv"')
  @ApiOkResponse({
    description: 'The table. Cells that a spreadsheet would execute start with an apostrophe.',
    content: { 'text/csv': { schema: { type: 'string' } } },
  })
  async payments(
    @Query() query: ReportQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const text = await this.table.stream(stretchOf(query, this.config.booksTimeZone));
    reply.raw.setTimeout(PATIENCE_MS, () => reply.raw.destroy());
    return text;
  }
}

function viewSum(sum: Total, by: SummaryKey): SummaryRowDto {
  const { status, currency, count } = sum;
  const major = (minor: bigint): string => formatMajor(minor, currency);
  return {
    ...(by === 'currency' ? {} : { [by]: sum[by] }),
    ...{ status, currency, count },
    amount: major(sum.amount),
    captured: major(sum.captured),
    refunded: major(sum.refunded),
  };
}
