import { Injectable } from '@nestjs/common';
import { PaymentsRepository } from '../../payments/state/payments.repository.js';
import type { SettlementDifferenceRecord, SettlementRecord } from '../../store/schema.js';
import type { DifferenceKind, DifferenceState } from '../difference.js';
import { isConfirmed } from '../follow/claims.js';
import { SettlementsRepository } from '../store/settlements.repository.js';
import { viewDifference } from './settlement-view.js';
import type { SettlementDifferenceListDto } from './settlements.dto.js';

/** Shows what reports differ in, a page at a time. */
@Injectable()
export class Differences {
  constructor(
    private readonly repository: SettlementsRepository,
    private readonly payments: PaymentsRepository,
  ) {}

  async list(
    settlement: SettlementRecord,
    { size, ...page }: { kind?: DifferenceKind; after: number; size: number },
  ): Promise<SettlementDifferenceListDto> {
    const found = await this.repository.differences(settlement, { ...page, limit: size + 1 });
    const shown = found.slice(0, size);
    const data = await Promise.all(
      shown.map(async (difference) => viewDifference(difference, await this.stateOf(difference))),
    );
    return { data, nextCursor: found.length > size ? String(shown.at(-1)?.number ?? 0) : null };
  }

  /** What the gateway has confirmed is confirmed at once, though nobody has looked yet. */
  private async stateOf(difference: SettlementDifferenceRecord): Promise<DifferenceState | null> {
    const state = difference.state as DifferenceState | null;
    if (state !== 'to_ask' && state !== 'asked' && state !== 'unconfirmed') return state;
    const payment = await this.payments.find(difference.paymentId ?? '');
    return payment && isConfirmed(difference, payment) ? 'confirmed' : state;
  }
}
