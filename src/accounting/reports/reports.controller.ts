import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../auth/access.guard.js';
import { DAY_MS } from '../../calendar/time-zone.js';
import { CONFIG, type Config } from '../../config/config.js';
import { validationFailed } from '../../http/problems/problem.js';
import { timeRangeOf } from '../../payments/api/payment-lists.js';
import { Store } from '../../store/store.js';
import { MovementsRepository } from '../movements/movements.repository.js';
import type { RangeQueryDto } from '../../payments/api/paging.dto.js';
import type { Range } from './buckets.js';
import { movementsTable, paymentsTable } from './csv.js';
import { readOverview } from './overview.js';
import { CsvQueryDto, OverviewDto, SummaryDto, SummaryQueryDto } from './reports.dto.js';
import { movementSummary, paymentSummary } from './summary.js';

const MONTHS = 13;
const MOST_SETTLED_MS = 92 * DAY_MS;
const CSV = { content: { 'text/csv': { schema: { type: 'string' } } } };

@ApiTags('accounting')
@Controller('v1/reports')
export class ReportsController {
  constructor(
    private readonly movements: MovementsRepository,
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Adds up payments and money by day, month, method or currency. */
  @Get('summary')
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: SummaryDto })
  async summary(@Query() query: SummaryQueryDto): Promise<SummaryDto> {
    const { by = 'day', settled } = query;
    const range = this.range(query);
    const zone = this.config.booksTimeZone;
    const withSettled = settled === 'true';
    // A day more, because a range of days may have one of 25 hours.
    if (withSettled && range.to - range.from > MOST_SETTLED_MS + DAY_MS / 24)
      throw validationFailed([
        { pointer: '/from', message: 'must be at most 92 days before to, with settled=true' },
      ]);
    return {
      data: await paymentSummary(this.store, range, by, zone),
      movements: await movementSummary(this.store, range, by, zone, withSettled),
    };
  }

  /** Figures of the present moment. */
  @Get('overview')
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: OverviewDto })
  overview(): Promise<OverviewDto> {
    const { booksTimeZone, merchant } = this.config;
    return readOverview(this.store, booksTimeZone, merchant.webhookUrl !== undefined);
  }

  /** Payments as a table, oldest first. */
  @Get('payments.csv')
  @Access('full', 'read', 'books')
  @ApiOkResponse({ description: 'A table (RFC 4180).', ...CSV })
  payments(@Query() query: CsvQueryDto, @Res() reply: FastifyReply): void {
    send(reply, 'payments', paymentsTable(this.store, this.range(query, 0), query.for === 'spreadsheet'));
  }

  /** The ledger as a table, oldest first: amounts signed, dates and times of `BOOKS_TIME_ZONE`. */
  @Get('movements.csv')
  @Access('full', 'read', 'books')
  @ApiOkResponse({ description: 'A table (RFC 4180).', ...CSV })
  async ledger(@Query() query: CsvQueryDto, @Res() reply: FastifyReply): Promise<void> {
    const { booksTimeZone } = this.config;
    const bom = query.for === 'spreadsheet';
    const range = this.range(query, 0);
    send(reply, 'movements', await movementsTable(this.movements, this.store, range, booksTimeZone, bom));
  }

  /** Without a beginning, the last 13 months or from another time. */
  private range(query: RangeQueryDto, usual?: number): Range {
    const { from, to = this.store.now() + 1 } = timeRangeOf(query, this.config.booksTimeZone);
    return { from: from ?? usual ?? this.monthsBefore(to), to };
  }

  private monthsBefore(to: number): number {
    const zone = this.config.booksTimeZone;
    const last = new Date(zone.localTime(to - 1));
    return zone.startOf(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - (MONTHS - 1), 1) / DAY_MS);
  }
}

function send(reply: FastifyReply, name: string, table: Readable): void {
  void reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(table);
}
