import type { KeptValues } from '../gateway-input.js';
import type { GatewayAnswer, GatewayResult } from '../gateway-result.js';
import type { OperationPlan } from '../plan/operation-plan.js';
import type { OperationKey } from '../profile/format.js';
import type { CallFacts } from '../requests/payment-fields.js';
import type { Conversation } from './http-status.js';
import { readKept, sourceOf } from './answer-values.js';
import { readOutcome } from './outcome.js';

/** What an answer is read with, beside its operation's plan. */
export interface MeaningContext {
  readonly facts: CallFacts;
  readonly currency: string;
  /** What the call before the call brought. */
  readonly prepared: KeptValues;
  /** Whether the gateway has an operation. */
  readonly supports: (key: OperationKey) => boolean;
}

/** What an answer says, with the values that are kept of it. Pure. */
export function meanAnswer(
  plan: OperationPlan,
  conversation: Conversation,
  { facts, currency, prepared, supports }: MeaningContext,
): GatewayResult {
  if (conversation.kind !== 'document') return conversation;
  const { document, unlessListed } = conversation;
  const result = readOutcome(plan.reader, document, currency, plan.word(facts));
  if (result.kind !== 'answered') return unlessListed ?? result;
  if (unlessListed && result.answer.meaning === 'refused') return unlessListed;
  const answer = askable(result.answer, supports);
  const kept = { ...prepared, ...readKept(plan.keep, sourceOf(document)) };
  return { kind: 'answered', answer: Object.keys(kept).length > 0 ? { ...answer, kept } : answer };
}

/** What the gateway asks the payer for, where it has no operation that takes it: nobody can put that to a payer. */
function askable(answer: GatewayAnswer, supports: MeaningContext['supports']): GatewayAnswer {
  const { meaning } = answer;
  const lacks =
    (meaning === 'pin' && !supports('validatePin')) || (meaning === 'otp' && !supports('validateOtp'));
  return lacks ? { ...answer, meaning: 'unsupported' } : answer;
}
