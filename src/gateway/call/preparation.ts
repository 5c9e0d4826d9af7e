import { parseAnswer } from '../answers/answer-json.js';
import type { SettledResult } from '../answers/http-status.js';
import { readKept, sourceOf } from '../answers/kept-values.js';
import { meetsRequirements, readRefusal, saysError } from '../answers/outcome.js';
import type { KeptValues } from '../gateway-input.js';
import type { OperationPlan } from '../plan/operation-plan.js';
import type { TransportResult } from '../transport/transport.js';

/** The call before the call could not be made, or nobody knows what became of it. The call itself was not made. */
export const UNPREPARED: SettledResult = { kind: 'not-sent', reason: 'preparation' };

/**
 * What became of a call that is made before another. It moves no money, so whatever it was, nothing was charged: it has
 * succeeded, the gateway is not available, or it has rejected it.
 */
export function readPreparation(
  exchange: TransportResult,
  { keep, reader }: Pick<OperationPlan, 'keep' | 'reader'>,
): { readonly kept: KeptValues } | SettledResult {
  if (exchange.kind !== 'response') return UNPREPARED;
  const { status, body } = exchange;
  if (status >= 500 || status === 401 || status === 403 || status === 429) return UNPREPARED;
  const answer = 'text' in body ? parseAnswer(body.text) : undefined;
  const document = answer?.ok ? answer.document : undefined;
  if (status >= 200 && status <= 299) {
    const kept = readKept(keep, sourceOf(document));
    const isComplete = Object.keys(kept).length === keep.length;
    if (isComplete && !saysError(reader, document) && meetsRequirements(reader, document)) return { kept };
  }
  return {
    kind: 'rejected',
    status: status === 400 || status === 404 ? status : 422,
    preparation: true,
    ...readRefusal(reader, document),
  };
}
