import { openAsBlob } from 'node:fs';
import type { SettlementDto } from '../accounting/settlement/settlements.dto.js';
import type { DifferenceDto, SettlementDifferencesDto } from '../accounting/differences/differences.dto.js';
import type { ProblemDocument } from '../http/problems/problem.js';
import { CommandFailure, EXIT, type Context, type ExitCode } from './command.js';
import { callService, keyOf } from './service.js';

/** So many differences are written line by line. */
const MOST_WRITTEN = 50;

/** Sends a settlement report to the running service, and writes what differs. */
export async function settlementCompare(
  { env, out }: Context,
  file: string,
  json: boolean,
): Promise<ExitCode> {
  const body = await contentOf(file);
  const key = keyOf(env);
  const headers = { 'content-type': 'text/csv' };
  const settlement = await answerOf<SettlementDto>(
    await callService(env, { method: 'POST', path: '/v1/settlements', body, headers }, key),
  );
  const path = `/v1/settlements/${settlement.id}/differences`;
  const { data } = await answerOf<SettlementDifferencesDto>(
    await callService(env, { method: 'GET', path }, key),
  );
  const open = data.filter(({ state }) => state === 'open');
  out(json ? `${JSON.stringify({ settlement, differences: open }, null, 2)}\n` : textOf(settlement, open));
  const { counts, rowsSetAside } = settlement;
  const differs = Object.values(counts).some((count) => count > 0);
  return differs || rowsSetAside > 0 || isOfOthers(settlement) ? EXIT.found : EXIT.done;
}

/** It is read while it is sent. */
async function contentOf(file: string): Promise<Blob> {
  try {
    return await openAsBlob(file);
  } catch {
    throw new CommandFailure(`${file} cannot be read.`);
  }
}

async function answerOf<T>(response: Response): Promise<T> {
  const answer = (await response.json().catch(() => ({}))) as T & Partial<ProblemDocument>;
  if (response.ok) return answer;
  const faults = (answer.errors ?? []).map(({ pointer, message }) => `\n  ${pointer} ${message}`);
  throw new CommandFailure(
    `${answer.detail ?? `What answers is not this service (HTTP ${response.status}).`}${faults.join('')}`,
  );
}

/** Whether no row of the report is ours. */
function isOfOthers({ rows, rowsOther, rowsSetAside, skipped }: SettlementDto): boolean {
  return rows - rowsOther - rowsSetAside - skipped.status - skipped.ignore <= 0;
}

function textOf(settlement: SettlementDto, open: readonly DifferenceDto[]): string {
  const { id, rows, rowsSeen, rowsOther, rowsSetAside, setAside, totals } = settlement;
  const sums = totals.map(
    ({ currency, gross, fees, net, payouts }) =>
      `${currency}: gross ${gross}, fees ${fees}, net ${net}, payouts ${payouts}`,
  );
  const unread = setAside
    .slice(0, MOST_WRITTEN)
    .map(({ line, column }) => `line ${line}: ${column ?? 'the row'} cannot be read`);
  const found = open.slice(0, MOST_WRITTEN).map((one) => {
    const amount = (money: DifferenceDto['found']): string =>
      money ? `${money.amount} ${money.currency}` : 'nothing';
    return `${one.kind} ${one.reference}: expected ${amount(one.expected)}, found ${amount(one.found)}`;
  });
  return [
    `${id}: ${rows} rows, ${rowsSeen} of them in earlier reports, ${rowsOther} of other shops, ${rowsSetAside} set aside`,
    ...sums,
    ...unread,
    ...found,
    ...(open.length > found.length ? [`and ${open.length - found.length} more differences`] : []),
    ...(isOfOthers(settlement) ? ['No row has a reference of this shop.'] : []),
    ...(open.length === 0 ? ['No open difference.'] : []),
    '',
  ].join('\n');
}
