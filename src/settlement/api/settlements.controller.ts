import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { IncomingMessage } from 'node:http';
import { Approvals } from '../../approvals/approvals.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { withUpload } from '../../http/body/upload.js';
import { EdgeRoute } from '../../http/route.js';
import { Answer } from '../../http/server/answer.js';
import { Idempotent, keyedAnswer } from '../../idempotency/idempotent.js';
import { waitingAdoption } from '../../openapi/approval-examples.js';
import { namedExamples } from '../../openapi/named-examples.js';
import { Audited } from '../../audit/audited.js';
import { callerOf, merchantOf, type RequestWithCaller } from '../../auth/caller.js';
import { Keyed, type ReadKeyedCall } from '../../auth/keyed-call.js';
import type { SettlementRecord } from '../../store/schema.js';
import { SettlementsRepository } from '../store/settlements.repository.js';
import { Adopt } from './adopt.js';
import { Differences } from './differences.js';
import {
  viewSettlement,
  AdoptDto,
  AdoptedDto,
  OrdersQueryDto,
  SettlementDto,
  SettlementListDto,
  SettlementsQueryDto,
  ADOPTED_EXAMPLE,
  LIST_EXAMPLE,
  ORDERS_EXAMPLE,
  REPORT_EXAMPLE,
  SETTLEMENT_EXAMPLE,
  WITH_ORDERS_EXAMPLE,
} from './settlements.dto.js';
import {
  SETTLEMENT_DIFFERENCES_EXAMPLE,
  SettlementDifferenceListDto,
  SettlementDifferencesQueryDto,
} from './differences.dto.js';
import { SettlementsService, type Compared, type FileUpload } from './settlements.service.js';
import { Access } from '../../auth/access.guard.js';

const DEFAULT_LIMIT = 50;

@ApiTags('settlements')
@Controller('v1/settlements')
export class SettlementsController {
  constructor(
    private readonly settlements: SettlementsService,
    private readonly adoption: Adopt,
    private readonly found: Differences,
    private readonly approvals: Approvals,
    private readonly repository: SettlementsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Compares a settlement report of the gateway (CSV) with the payments here. A repeat of the same file gets the same comparison
   * (200). It moves no payment: the gateway is asked about the report's claims. If it does not confirm one in time, the payment
   * needs attention.
   */
  @Post()
  @Access('full', 'books')
  @Audited('compare')
  @EdgeRoute({ body: 'csv' })
  @Idempotent()
  @ApiConsumes('text/csv')
  @ApiBody({ schema: { type: 'string', example: REPORT_EXAMPLE } })
  @ApiCreatedResponse({ type: SettlementDto, examples: namedExamples({ compared: SETTLEMENT_EXAMPLE }) })
  @ApiOkResponse({
    type: SettlementDto,
    description: 'This file was compared before.',
    examples: namedExamples({ compared: SETTLEMENT_EXAMPLE }),
  })
  async compare(
    @Req() request: RequestWithCaller,
    @Keyed() keyed: ReadKeyedCall,
  ): Promise<Answer<SettlementDto>> {
    const compared = await uploaded(request, keyed, (upload) => this.settlements.compare(upload));
    const { settlement, created, replayed } = compared;
    return keyedAnswer(await this.view(settlement), replayed, created ? 201 : 200);
  }

  /**
   * Compares the merchant's own list of orders too (CSV with the columns `reference`, `amount`, `currency` and `status`, in any order and with any
   * delimiter). It replaces an earlier list.
   */
  @Post(':id/orders')
  @Access('full', 'books')
  @Audited('orders')
  @HttpCode(200)
  @EdgeRoute({ body: 'csv' })
  @Idempotent()
  @ApiConsumes('text/csv')
  @ApiBody({ schema: { type: 'string', example: ORDERS_EXAMPLE } })
  @ApiOkResponse({ type: SettlementDto, examples: namedExamples({ compared: WITH_ORDERS_EXAMPLE }) })
  async compareOrders(
    @Param('id') id: string,
    @Query() query: OrdersQueryDto,
    @Req() request: RequestWithCaller,
    @Keyed() keyed: ReadKeyedCall,
  ): Promise<Answer<SettlementDto>> {
    const { settlement, replayed } = await uploaded(request, keyed, (upload) =>
      this.settlements.compareOrders(id, query, upload),
    );
    return keyedAnswer(await this.view(settlement), replayed);
  }

  /**
   * Takes over the payments that the report names and that are unknown here, all or those of chosen rows, as after a restored backup. The
   * gateway is asked about each first. A payment is taken over if the gateway reports success, or on the caller's word if its answer says nothing (then it needs
   * attention). Work that takes longer than 20 seconds goes on after the answer. Rows above `APPROVAL_ABOVE`, each by itself, wait for another person (202).
   */
  @Post(':id/adopt')
  @Access('full')
  @Audited('adopt')
  @HttpCode(200)
  @Idempotent()
  @ApiOkResponse({ type: AdoptedDto, examples: namedExamples({ adopted: ADOPTED_EXAMPLE }) })
  @ApiAcceptedResponse({
    type: AdoptedDto,
    description: 'Another person must approve some of the rows first.',
    examples: namedExamples({ waits: { ...ADOPTED_EXAMPLE, ...waitingAdoption } }),
  })
  async adopt(
    @Param('id') id: string,
    @Body() dto: AdoptDto,
    @Keyed() keyed: ReadKeyedCall,
  ): Promise<Answer<AdoptedDto>> {
    const { settlement, replayed, waiting } = await this.adoption.adopt(id, dto.rows, keyed(dto));
    const view: AdoptedDto = await this.view(settlement);
    if (!waiting) return keyedAnswer(view, replayed);
    const [approval] = await this.approvals.view([waiting]);
    if (approval) view.approval = approval;
    return new Answer(view, {
      status: 202,
      headers: replayed ? { 'Idempotency-Replayed': 'true' } : {},
    });
  }

  /** Lists settlement reports, the newest first. */
  @Get()
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: SettlementListDto, examples: namedExamples({ settlements: LIST_EXAMPLE }) })
  async list(@Query() { limit, cursor }: SettlementsQueryDto): Promise<SettlementListDto> {
    const size = limit === undefined ? DEFAULT_LIMIT : Number(limit);
    const found = await this.repository.list(size + 1, cursor);
    const page = found.slice(0, size);
    const data = await Promise.all(page.map((settlement) => this.view(settlement)));
    return { data, nextCursor: found.length > size ? (page.at(-1)?.id ?? null) : null };
  }

  /** One settlement report. */
  @Get(':id')
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: SettlementDto, examples: namedExamples({ compared: SETTLEMENT_EXAMPLE }) })
  async find(@Param('id') id: string): Promise<SettlementDto> {
    return this.view(await this.settlements.mustFind(id));
  }

  /** Lists where a report, or the list of orders beside it, and the ledger differ, and what no report has of its time. */
  @Get(':id/differences')
  @Access('full', 'read', 'books')
  @ApiOkResponse({
    type: SettlementDifferenceListDto,
    examples: namedExamples({ differences: SETTLEMENT_DIFFERENCES_EXAMPLE }),
  })
  async differences(
    @Param('id') id: string,
    @Query() { kind, limit, cursor }: SettlementDifferencesQueryDto,
  ): Promise<SettlementDifferenceListDto> {
    const settlement = await this.settlements.mustFind(id);
    const size = limit === undefined ? DEFAULT_LIMIT : Number(limit);
    return this.found.listOf(settlement, { kind, cursor, size });
  }

  private async view(settlement: SettlementRecord): Promise<SettlementDto> {
    const steps = await this.found.adoptionOf(settlement.id);
    return viewSettlement(settlement, this.config.gateway.mode === 'live', steps);
  }
}

/** Hands the body on as it arrives. Its key is looked at first, and what it asks for when all of it is there. */
function uploaded(
  request: RequestWithCaller,
  keyed: ReadKeyedCall,
  use: (upload: FileUpload) => Promise<Compared>,
): Promise<Compared> {
  const { scope, key, path, actor } = keyed({});
  const names = merchantOf(callerOf(request)).access === 'full';
  return withUpload(request.body as IncomingMessage, (pieces) =>
    use({ scope, key, path, actor, names, pieces }),
  );
}
