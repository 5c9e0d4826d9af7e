import { Injectable } from '@nestjs/common';
import { Problem } from '../../http/problems/problem.js';
import type { DifferenceRecord, SettlementRecord } from '../../store/schema.js';
import { WrittenTexts } from '../../store/written-texts.js';
import { presentKind, type DifferenceKind, type DifferenceStep, type FormerKind } from '../difference.js';
import { DifferencesRepository, type DifferencesPage } from '../store/differences.repository.js';
import {
  viewDifference,
  viewOfSettlement,
  type DifferenceDto,
  type DifferenceListDto,
  type SettlementDifferenceListDto,
} from './differences.dto.js';

interface Page {
  readonly kind?: DifferenceKind | FormerKind | undefined;
  readonly cursor?: string | undefined;
  readonly size: number;
}

/** Shows where reports, lists of orders and the ledger differ. */
@Injectable()
export class Differences {
  constructor(
    private readonly repository: DifferencesRepository,
    private readonly texts: WrittenTexts,
  ) {}

  /** One page over all reports, the newest first. */
  async list({
    kind,
    cursor,
    size,
    ...filter
  }: Page & Omit<DifferencesPage, 'kind' | 'before' | 'limit'>): Promise<DifferenceListDto> {
    const present = kind === undefined ? undefined : presentKind(kind);
    const found = await this.repository.list({ ...filter, kind: present, before: cursor, limit: size + 1 });
    return this.page(found, size, viewDifference);
  }

  /** One page of a report's, in the order in which they were found. */
  async listOf(
    settlement: SettlementRecord,
    { kind, cursor, size }: Page,
  ): Promise<SettlementDifferenceListDto> {
    const present = kind === undefined ? undefined : presentKind(kind);
    const page = { kind: present, after: cursor ?? '', limit: size + 1 };
    return this.page(await this.repository.listOf(settlement, page), size, viewOfSettlement);
  }

  /** How many of what a person wanted taken over of a report are in which step. */
  adoptionOf(settlementId: string): Promise<Map<DifferenceStep, number>> {
    return this.repository.adoptionOf(settlementId);
  }

  async view(difference: DifferenceRecord): Promise<DifferenceDto> {
    return viewDifference(difference, await this.notesOf([difference]));
  }

  /** Throws `not-found`. */
  async mustFind(id: string): Promise<DifferenceRecord> {
    const difference = await this.repository.find(id);
    if (!difference) throw new Problem('not-found', 'There is no such difference.');
    return difference;
  }

  private async page<T>(
    found: readonly DifferenceRecord[],
    size: number,
    view: (difference: DifferenceRecord, notes: ReadonlyMap<string, string>) => T,
  ): Promise<{ data: T[]; nextCursor: string | null }> {
    const shown = found.slice(0, size);
    const notes = await this.notesOf(shown);
    return {
      data: shown.map((difference) => view(difference, notes)),
      nextCursor: found.length > size ? (shown.at(-1)?.id ?? null) : null,
    };
  }

  private notesOf(shown: readonly DifferenceRecord[]): Promise<Map<string, string>> {
    return this.texts.read(shown.flatMap(({ noteId }) => noteId ?? []));
  }
}
