import { Controller, Get, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Audited } from '../../audit/audited.js';
import { Access } from '../../auth/access.guard.js';
import { actorOf, CurrentCaller, type Caller } from '../../auth/caller.js';
import { CONFIG, type Config } from '../../config/config.js';
import { Problem } from '../../http/problems/problem.js';
import { EdgeRoute } from '../../http/route.js';
import { Answer } from '../../http/server/answer.js';
import { PageQueryDto, pageOf, rowsOf } from '../../payments/api/paging.dto.js';
import { idAt } from '../../payments/api/payment-lists.js';
import { differenceView, SettlementDifferencesDto } from '../differences/differences.dto.js';
import { DifferencesRepository } from '../differences/differences.repository.js';
import { SettlementDto, SettlementListDto, settlementView, type Settlement } from './settlements.dto.js';
import { SettlementsRepository } from './settlements.repository.js';
import { Uploads } from './uploads.js';

/** So many differences of one report are listed. */
const MOST_DIFFERENCES = 10_000;

@ApiTags('accounting')
@Controller('v1/settlements')
export class SettlementsController {
  constructor(
    private readonly uploads: Uploads,
    private readonly settlements: SettlementsRepository,
    private readonly differences: DifferencesRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Uploads a settlement report (CSV, also packed with gzip) and compares it with the ledger. The same bytes are the same report. */
  @Post()
  @Access('full', 'books')
  @EdgeRoute({ body: 'csv' })
  @Audited('compare')
  @ApiConsumes('text/csv')
  @ApiBody({ schema: { type: 'string', description: 'As the profile’s `settlement` describes it.' } })
  @ApiCreatedResponse({ type: SettlementDto })
  @ApiOkResponse({ type: SettlementDto, description: 'These bytes were uploaded before.' })
  async upload(
    @Req() request: FastifyRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<SettlementDto>> {
    const { 'content-encoding': coding = 'identity' } = request.headers;
    if (coding !== 'identity' && coding !== 'gzip')
      throw new Problem('unsupported-media-type', 'Send text/csv, as it is or packed with gzip.');
    const { socket } = request.raw;
    const patience = socket.timeout;
    // Nothing moves on the connection while a report is compared.
    socket.setTimeout(0);
    try {
      const bytes = request.body as AsyncIterable<Uint8Array>;
      const { settlement, isNew } = await this.uploads.take(bytes, coding === 'gzip', actorOf(caller));
      const [view] = await this.views([settlement]);
      return new Answer(view as SettlementDto, { status: isNew ? 201 : 200 });
    } finally {
      // What a refused sender still sends is not kept.
      request.raw.resume();
      socket.setTimeout(patience ?? 0);
    }
  }

  /** Lists settlement reports, newest first. */
  @Get()
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: SettlementListDto })
  async list(@Query() { limit, cursor }: PageQueryDto): Promise<SettlementListDto> {
    const found = await this.settlements.list(rowsOf(limit), idAt(cursor, 'stl'));
    const { rows, nextCursor } = pageOf(found, limit, ({ id }) => id);
    return { data: await this.views(rows), nextCursor };
  }

  /** One settlement report. */
  @Get(':id')
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: SettlementDto })
  async find(@Param('id') id: string): Promise<SettlementDto> {
    const [view] = await this.views([await this.found(id)]);
    return view as SettlementDto;
  }

  /** Lists the differences whose newest row is in this report, open and closed, oldest first: at most 10,000. */
  @Get(':id/differences')
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: SettlementDifferencesDto })
  async ofReport(@Param('id') id: string): Promise<SettlementDifferencesDto> {
    const { n } = await this.found(id);
    return { data: (await this.differences.ofReport(n, MOST_DIFFERENCES)).map(differenceView) };
  }

  private async found(id: string): Promise<Settlement> {
    const settlement = await this.settlements.find(id);
    if (!settlement) throw new Problem('not-found', 'There is no such settlement report.');
    return settlement;
  }

  private async views(settlements: readonly Settlement[]): Promise<SettlementDto[]> {
    const counts = await this.differences.counts(settlements.map(({ n }) => n));
    return settlements.map((settlement) => {
      const own = counts.filter(({ report }) => report === settlement.n);
      return settlementView(settlement, own, this.config.livemode);
    });
  }
}
