import { formatMajor } from '../../money/money.js';
import type { SettlementDifferenceRecord, SettlementRecord } from '../../store/schema.js';
import type { DifferenceKind, DifferenceState } from '../difference.js';
import { minorOf } from '../files/file-amount.js';
import type { SettlementAdoptionDto, SettlementDifferenceDto, SettlementDto } from './settlements.dto.js';

/** Builds the view field by field. */
export function viewSettlement(
  settlement: SettlementRecord,
  livemode: boolean,
  states: ReadonlyMap<DifferenceState, number>,
): SettlementDto {
  const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
  const { id, receivedAt, actor, firstAt, lastAt, rowCount, skipped, setAside } = settlement;
  const { counts, ordersAt, orderCount } = settlement;
  return {
    id,
    livemode,
    receivedAt: new Date(receivedAt).toISOString(),
    actor,
    from: time(firstAt),
    to: time(lastAt),
    rows: rowCount,
    skipped,
    rowsSetAside: setAside?.count ?? 0,
    setAside: setAside?.rows.map(({ line, column }) => ({ line, column })) ?? [],
    counts,
    orders:
      ordersAt === null ? null : { rows: orderCount ?? 0, receivedAt: new Date(ordersAt).toISOString() },
    adoption: states.size === 0 ? null : viewAdoption(states),
  };
}

function viewAdoption(states: ReadonlyMap<DifferenceState, number>): SettlementAdoptionDto {
  const adoption = { waiting: 0, adopted: 0, adoptedOnWord: 0, left: 0 };
  for (const [state, count] of states) {
    if (state === 'to_adopt') adoption.waiting += count;
    else if (state === 'adopted') adoption.adopted += count;
    else if (state === 'adopted_on_word') adoption.adoptedOnWord += count;
    else adoption.left += count;
  }
  return adoption;
}

/** `state` as it is now, where that is more than what was written down. */
export function viewDifference(
  difference: SettlementDifferenceRecord,
  state: DifferenceState | null,
): SettlementDifferenceDto {
  const { kind, line, reference, paymentId, currency } = difference;
  const amount = amountText(difference);
  return {
    kind: kind as DifferenceKind,
    row: line,
    reference,
    ...(paymentId !== null && { paymentId }),
    ...(amount !== undefined && { amount }),
    ...(currency !== null && { currency }),
    ...(state !== null && { state }),
  };
}

/** The amount as people write it; undefined where its currency is not known and it is in minor units. */
function amountText({ amount: digits, decimals, currency }: SettlementDifferenceRecord): string | undefined {
  if (digits === null) return undefined;
  const minor = currency === null ? undefined : minorOf({ digits, decimals }, currency);
  if (minor !== undefined && currency !== null) return formatMajor(minor, currency);
  if (decimals === null) return undefined;
  const text = digits.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}
