import { Controller, Get, Header, Inject, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { formatMajor, formatSigned } from '../money/money.js';
import { namedExamples } from '../openapi/named-examples.js';
import { timeRangeOf } from '../payments/api/payment-filter.js';
import { Audited } from '../audit/audited.js';
import { sumMovements, type MovementSum } from './movement-totals.js';
import { MovementsCsv } from './movements-csv.js';
import { MovementSumsRepository } from './movement-sums.repository.js';
import {
  OverviewDto,
  type MovementSummaryRowDto,
  CsvQueryDto,
  SummaryDto,
  SummaryQueryDto,
  type SummaryRowDto,
  OVERVIEW_EXAMPLE,
  SUMMARY_EXAMPLE,
} from './reports.dto.js';
import { OverviewService } from './overview.service.js';
import { PaymentsCsv } from './payments-csv.js';
import { sendTable } from '../http/tables/csv.js';
import { summarize, type SummaryKey, TotalsRepository, type Total } from './totals.repository.js';
import { AllRefundsRepository } from './all-refunds.repository.js';
import { readPlace, writePlace } from './movements.repository.js';
import {
  AllRefundsDto,
  REFUNDS_EXAMPLE,
  RefundsQueryDto,
  viewAnyRefund,
  MovementListDto,
  MOVEMENTS_EXAMPLE,
  MovementsQueryDto,
  viewMovement,
} from './movements.dto.js';
import { MovementList } from './movement-list.js';
import { Access } from '../auth/access.guard.js';

@ApiTags('reports')
@Controller('v1/reports')
export class ReportsController {
  constructor(
    private readonly totals: TotalsRepository,
    private readonly movements: MovementSumsRepository,
    private readonly table: PaymentsCsv,
    private readonly ledger: MovementsCsv,
    private readonly figures: OverviewService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Adds up payments by the day or month in which they were made, by method or by currency, separately for each status and currency, and money by
   * when it moved.
   */
  @Get('summary')
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: SummaryDto, examples: namedExamples({ byDay: SUMMARY_EXAMPLE }) })
  async summary(@Query() query: SummaryQueryDto): Promise<SummaryDto> {
    const by = query.by ?? 'day';
    const range = timeRangeOf(query, this.config.booksTimeZone);
    const sums = summarize(await this.totals.of(range), by);
    const moved = sumMovements(await this.movements.of(range, by));
    return {
      data: sums.map((sum) => viewSum(sum, by)),
      movements: moved.map((sum) => viewMoved(sum, by)),
    };
  }

  /** What is paid, open and waiting: the figures of a first page. */
  @Get('overview')
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: OverviewDto, examples: namedExamples({ overview: OVERVIEW_EXAMPLE }) })
  overview(): Promise<OverviewDto> {
    return this.figures.read();
  }

  /** Payments as a table for spreadsheets (RFC 4180), one row each, oldest first, with a header. The answer is streamed. */
  @Get('payments.csv')
  @Access('full', 'read', 'books')
  @Audited('export')
  @Header('content-type', 'text/csv; charset=utf-8; header=present')
  @Header('content-disposition', 'attachment; filename="payments.csv"')
  @ApiOkResponse({
    description: 'The table. Cells that a spreadsheet would execute start with an apostrophe.',
    content: { 'text/csv': { schema: { type: 'string' } } },
  })
  async payments(
    @Query() query: CsvQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    return this.send(this.table, query, reply);
  }

  /**
   * The ledger as a table for spreadsheets and accounting programs (RFC 4180), one movement a row, by when money moved, the oldest first, with a
   * header. Amounts are signed; date and time are those of `BOOKS_TIME_ZONE`. The answer is streamed.
   */
  @Get('movements.csv')
  @Access('full', 'read', 'books')
  @Audited('export')
  @Header('content-type', 'text/csv; charset=utf-8; header=present')
  @Header('content-disposition', 'attachment; filename="movements.csv"')
  @ApiOkResponse({
    description: 'The table. Text that a spreadsheet would execute starts with an apostrophe.',
    content: { 'text/csv': { schema: { type: 'string' } } },
  })
  async movementsCsv(
    @Query() query: CsvQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    return this.send(this.ledger, query, reply);
  }

  private async send(
    table: PaymentsCsv | MovementsCsv,
    query: CsvQueryDto,
    reply: FastifyReply,
  ): Promise<Readable> {
    const range = timeRangeOf(query, this.config.booksTimeZone);
    return sendTable(reply, await table.stream(range, { forSpreadsheet: query.for === 'spreadsheet' }));
  }
}

function viewMoved(sum: MovementSum, by: SummaryKey): MovementSummaryRowDto {
  const { name, currency, net, settled, count, late } = sum;
  const major = (minor: bigint): string => formatSigned(minor, currency);
  return {
    ...(by === 'currency' ? {} : { [by]: name }),
    currency,
    captured: major(sum.captured),
    refunded: major(sum.refunded),
    reversed: major(sum.reversed),
    chargedBack: major(sum.chargedBack),
    net: major(net),
    settled: major(settled),
    unsettled: major(net - settled),
    ...{ count, late },
  };
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

const DEFAULT_LIMIT = 50;

@ApiTags('refunds')
@Controller('v1/refunds')
export class AllRefundsController {
  constructor(
    private readonly repository: AllRefundsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The refunds of all payments, also those of the gateway's own dashboard, the newest first. */
  @Get()
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: AllRefundsDto, examples: namedExamples({ both: REFUNDS_EXAMPLE }) })
  async refunds(@Query() query: RefundsQueryDto): Promise<AllRefundsDto> {
    const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
    const { cursor, status } = query;
    const found = await this.repository.list(
      { ...timeRangeOf(query, this.config.booksTimeZone), status },
      limit + 1,
      cursor === undefined ? undefined : readPlace(cursor),
    );
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      data: page.map(viewAnyRefund),
      nextCursor: last && found.length > limit ? writePlace(last) : null,
    };
  }
}

@ApiTags('ledger')
@Controller('v1/movements')
export class MovementsController {
  constructor(
    private readonly list: MovementList,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The ledger: money that moved, by when it moved, the oldest first. */
  @Get()
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: MovementListDto, examples: namedExamples({ refunded: MOVEMENTS_EXAMPLE }) })
  async movements(@Query() query: MovementsQueryDto): Promise<MovementListDto> {
    const { booksTimeZone: zone } = this.config;
    const { kind, currency, reference, paymentId, settled, cursor } = query;
    const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
    const found = await this.list.page(
      {
        ...timeRangeOf(query, zone),
        ...{ kind, currency, reference, paymentId },
        settled: settled === undefined ? undefined : settled === 'true',
      },
      limit + 1,
      cursor === undefined ? undefined : readPlace(cursor),
    );
    const page = found.slice(0, limit);
    const last = page.at(-1)?.movement;
    return {
      data: page.map((one) => viewMovement(one, zone)),
      nextCursor: last && found.length > limit ? writePlace(last) : null,
    };
  }
}
