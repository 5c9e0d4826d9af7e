import type { GatewayResult } from '../../gateway/gateway-result.js';
import { interpretStatus } from './interpret-status.js';
import type { StatusInquiry } from './status-answer.js';

/**
 * Whether a status answer says how much of a paid payment has been given back by now, so that a later rise is news. One that
 * falls short of what is known lags behind: what rises after it may have been given back before. Pure.
 */
export function saysGivenBack(result: GatewayResult, inquiry: StatusInquiry): boolean {
  if (result.kind !== 'answered') return false;
  const { answered = false, attention, move, refunded } = interpretStatus(result, inquiry);
  if (!answered || attention || move) return false;
  const said = refunded ?? (result.answer.meaning === 'succeeded' ? 0n : undefined);
  return said !== undefined && said >= (inquiry.payment.amountRefunded ?? 0n);
}
