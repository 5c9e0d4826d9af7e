import { setTimeout as pause } from 'node:timers/promises';
import type { DifferenceKind, FormerKind } from '../../settlement/difference.js';
import type { SettlementDifferenceDto } from '../../settlement/api/differences.dto.js';
import type { AdoptedDto, SettlementDto } from '../../settlement/api/settlements.dto.js';
import { type CommandContext, EXIT, type ExitCode } from '../command.js';
import { serviceOf, type ServiceClient } from '../service-client.js';
import { table } from '../output.js';
import { countsInWords } from './lists.js';

/** How many differences are printed. Programs get all of them. */
const MOST_PRINTED = 50;
const LOOK_EVERY_MS = 500;

/** Shows a report with what differs. */
export async function showSettlement(
  context: CommandContext,
  { id, kind }: { id: string; kind: DifferenceKind | FormerKind | undefined },
): Promise<ExitCode> {
  const service = serviceOf(context);
  const settlement = await service.get<SettlementDto>(`/v1/settlements/${encodeURIComponent(id)}`);
  const differences = await differencesOf(service, id, kind);
  context.reporter.report({
    text: describeSettlement(settlement, differences),
    json: { settlement, differences },
  });
  return EXIT.done;
}

/** Takes over what is unknown here, and waits until all of it was asked about. */
export async function adoptSettlement(
  context: CommandContext,
  { id, rows }: { id: string; rows: readonly number[] | undefined },
): Promise<ExitCode> {
  const service = serviceOf(context);
  const path = `/v1/settlements/${encodeURIComponent(id)}`;
  const answer = await service.post<AdoptedDto>(`${path}/adopt`, {
    ...(rows && { rows }),
  });
  const { approval } = answer;
  let settlement: SettlementDto = answer;
  const total = settlement.adoption?.waiting ?? 0;
  const progress = context.reporter.progress('Asking the gateway', total);
  for (let done = 0; (settlement.adoption?.waiting ?? 0) > 0;) {
    await pause(LOOK_EVERY_MS);
    settlement = await service.get<SettlementDto>(path);
    for (const now = total - (settlement.adoption?.waiting ?? 0); done < now; done += 1) progress.step();
  }
  progress.end();
  const { adopted = 0, adoptedOnWord = 0, left = 0 } = settlement.adoption ?? {};
  const differences = await differencesOf(service, id);
  const wanted = differences.filter(({ step }) => step?.startsWith('left_') || step?.startsWith('adopted'));
  const open = wanted.filter(({ step }) => step !== 'adopted');
  context.reporter.report({
    text: [
      `${adopted} confirmed by the gateway. ${adoptedOnWord} on your word alone: they wait for the gateway or another person. ${left} left.`,
      ...(approval
        ? [
            `Rows above the bound of approvals wait until another person approves them, the first at the latest ${approval.expiresAt} (${approval.id}).`,
          ]
        : []),
      ...describeDifferences(open),
    ],
    json: { settlement: { ...settlement, ...(approval && { approval }) }, differences: wanted },
  });
  return open.length > 0 || approval ? EXIT.found : EXIT.done;
}

/** All of a report's differences. */
export function differencesOf(
  service: ServiceClient,
  id: string,
  kind?: DifferenceKind | FormerKind,
): Promise<SettlementDifferenceDto[]> {
  return service.all(`/v1/settlements/${encodeURIComponent(id)}/differences`, { kind });
}

/** A report and what differs, for a person. */
export function describeSettlement(
  settlement: SettlementDto,
  differences: readonly SettlementDifferenceDto[],
): string[] {
  const { id, from, to, rows, skipped, counts, orders, adoption, totals } = settlement;
  const { rowsMatched, rowsDifferent, rowsSetAside, setAside } = settlement;
  const left = Object.entries(skipped).map(([why, count]) => `${count} for their ${why}`);
  return [
    ...table([
      ['Settlement', id],
      ['Time', from === null || to === null ? 'none' : `${from} to ${to}`],
      ['Rows', `${rows}${left.length === 0 ? '' : `, skipped: ${left.join(', ')}`}`],
      ['Matched', String(rowsMatched)],
      ['Different', String(rowsDifferent)],
      ...(rowsSetAside > 0 ? [['Set aside', `${rowsSetAside}, ${placesOf(setAside)}`]] : []),
      ...totals.map(({ currency, gross, fees, net, ...back }) => [
        currency,
        `payments ${gross}, refunds ${back.refunds}, chargebacks ${back.chargebacks}, reversals ${back.reversals}, fees ${fees}, net ${net}, paid out ${back.payouts}`,
      ]),
      ...(orders ? [['Orders', String(orders.rows)]] : []),
      ['Differences', countsInWords(counts)],
      ...(adoption
        ? [
            [
              'Taken over',
              `${adoption.adopted}, on a person's word ${adoption.adoptedOnWord}, left ${adoption.left}, waiting ${adoption.waiting}`,
            ],
          ]
        : []),
    ]),
    ...describeDifferences(differences),
  ];
}

/** Where rows stand that could not be read, without what is in them. */
function placesOf(rows: SettlementDto['setAside']): string {
  const places = rows
    .slice(0, MOST_PRINTED)
    .map(({ line, column }) => `line ${line}${column === null ? '' : ` (${column})`}`);
  const more = rows.length - places.length;
  return `${places.join(', ')}${more > 0 ? `, and ${more} more: --json has them` : ''}`;
}

function describeDifferences(differences: readonly SettlementDifferenceDto[]): string[] {
  if (differences.length === 0) return [];
  const more = differences.length - MOST_PRINTED;
  return [
    '',
    ...table([
      ['ROW', 'KIND', 'REFERENCE', 'EXPECTED', 'FOUND', 'PAYMENT', ''],
      ...differences.slice(0, MOST_PRINTED).map(asRow),
    ]),
    ...(more > 0 ? [`and ${more} more: --json has them all`] : []),
  ];
}

function asRow(difference: SettlementDifferenceDto): string[] {
  const { row, name, reference, expected, found, paymentId, state, reason, step } = difference;
  const money = (one: typeof found): string => `${one?.amount ?? '-'} ${one?.currency ?? ''}`.trim();
  return [
    row === null ? '-' : String(row),
    name,
    reference,
    money(expected),
    money(found),
    paymentId ?? '-',
    (state === 'closed' ? `closed ${reason ?? ''}` : (step ?? '')).replaceAll('_', ' ').trim(),
  ];
}
