import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Answer } from '../../http/server/answer.js';
import { Idempotent, keyedAnswer } from '../../idempotency/idempotent.js';
import { Audited } from '../../audit/audited.js';
import { Keyed, type ReadKeyedCall } from '../../sessions/keyed-call.js';
import { MerchantGuard, ReadAccess } from '../../sessions/merchant.guard.js';
import type { ReferenceRecord } from '../../store/schema.js';
import { HeldReferences } from '../named/held-references.js';
import {
  HeldReferenceDto,
  HeldReferenceListDto,
  HeldReferencesQueryDto,
  ReleaseReferenceDto,
} from '../views/held-reference.dto.js';

const DEFAULT_LIMIT = 50;

@ApiTags('held references')
@Controller('v1/held-references')
@UseGuards(MerchantGuard)
export class HeldReferencesController {
  constructor(private readonly held: HeldReferences) {}

  /**
   * Lists references of which no payment starts (409 `outcome-unknown`): a payment of theirs may have been made that is not known here,
   * and the gateway does not say what became of it. It is asked again at every start, and in the background.
   */
  @Get()
  @ReadAccess()
  @ApiOkResponse({ type: HeldReferenceListDto })
  async list(@Query() { limit, cursor }: HeldReferencesQueryDto): Promise<HeldReferenceListDto> {
    const size = limit === undefined ? DEFAULT_LIMIT : Number(limit);
    const found = await this.held.list(size + 1, cursor);
    const page = found.slice(0, size);
    const data = page.map((reference) => this.view(reference));
    return { data, nextCursor: found.length > size ? (page.at(-1)?.reference ?? null) : null };
  }

  /**
   * Lets payments of a reference start again, on the caller's word that none of the named ones was or will be paid. Their gateway
   * references are never used again.
   */
  @Post(':reference/release')
  @Audited('release')
  @HttpCode(200)
  @Idempotent()
  @ApiOkResponse({ type: HeldReferenceDto })
  async release(
    @Param('reference') reference: string,
    @Body() dto: ReleaseReferenceDto,
    @Keyed() keyed: ReadKeyedCall,
  ): Promise<Answer<HeldReferenceDto>> {
    const made = await this.held.release(reference, dto.note, keyed(dto));
    return keyedAnswer(this.view(made.reference), made.replayed);
  }

  private view(record: ReferenceRecord): HeldReferenceDto {
    const { reference, heldSince, names } = record;
    return {
      reference,
      heldSince: heldSince === null ? null : iso(heldSince),
      names: names.map(({ n, source, at, released }) => ({
        gatewayReference: this.held.gatewayReference(record, n),
        source,
        at: iso(at),
        releasedAt: released ? iso(released.at) : null,
        releasedBy: released?.by ?? null,
      })),
    };
  }
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
