import type { SettlementRecord } from '../../store/schema.js';
import { FORMER_DIFFERENCE_KINDS, FORMER_KINDS, type DifferenceStep } from '../difference.js';
import type { CurrencyTotals } from '../files/report-row.js';
import type { SettlementAdoptionDto, SettlementDto } from './settlements.dto.js';

/** Builds the view field by field. `steps`: how many of what a person wanted taken over are in which. */
export function viewSettlement(
  settlement: SettlementRecord,
  livemode: boolean,
  steps: ReadonlyMap<DifferenceStep, number>,
): SettlementDto {
  const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
  const { id, receivedAt, actor, firstAt, lastAt, rowCount, skipped, counts, ordersAt, orderCount } =
    settlement;
  const { rowsMatched, rowsDifferent, setAside, totals } = settlement;
  return {
    id,
    livemode,
    receivedAt: new Date(receivedAt).toISOString(),
    actor,
    from: time(firstAt),
    to: time(lastAt),
    rows: rowCount,
    skipped,
    rowsMatched,
    rowsDifferent,
    rowsSetAside: setAside?.count ?? 0,
    setAside: setAside?.rows.map(({ line, column }) => ({ line, column })) ?? [],
    totals: (totals as unknown as readonly CurrencyTotals[]).map((one) => ({ ...one })),
    counts: bothNames(counts),
    orders:
      ordersAt === null ? null : { rows: orderCount ?? 0, receivedAt: new Date(ordersAt).toISOString() },
    adoption: steps.size === 0 ? null : viewAdoption(steps),
  };
}

function viewAdoption(steps: ReadonlyMap<DifferenceStep, number>): SettlementAdoptionDto {
  const adoption = { waiting: 0, adopted: 0, adoptedOnWord: 0, left: 0 };
  for (const [step, count] of steps) {
    if (step === 'to_adopt') adoption.waiting += count;
    else if (step === 'adopted') adoption.adopted += count;
    else if (step === 'adopted_on_word') adoption.adoptedOnWord += count;
    else adoption.left += count;
  }
  return adoption;
}

/** Counts have both names of a kind that had another one before 0.3.0; a report of that time has kept the former alone. */
function bothNames(counts: Readonly<Record<string, number>>): Record<string, number> {
  const present = FORMER_DIFFERENCE_KINDS.flatMap((kind) =>
    counts[kind] === undefined ? [] : [[FORMER_KINDS[kind], counts[kind]] as const],
  );
  return { ...Object.fromEntries(present), ...counts };
}
