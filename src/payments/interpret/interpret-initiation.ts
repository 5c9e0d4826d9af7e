import { answerExpiry } from '../../gateway/answers/answer-expiry.js';
import type { GatewayAnswer, GatewayResult } from '../../gateway/gateway-result.js';
import { methodOf } from '../../methods/methods.js';
import { challengeAction } from '../../methods/challenge-action.js';
import { redirectAction } from '../../methods/redirect-action.js';
import type {
  Failure,
  NextAction,
  OperationRecord,
  PaymentRecord,
  ReferenceRecord,
} from '../../store/schema.js';
import { differences, mismatches } from './answer.js';
import { failure, failureFrom } from '../state/failures.js';
import { dispute, proposeTransition, type Disputed } from './proposed-transition.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** What the answer to an initiating call is read against. */
export interface Initiation {
  payment: PaymentRecord;
  reference: ReferenceRecord;
  operation: OperationRecord;
  mode: 'test' | 'live';
}

/** What the gateway's answer to an initiating call means for the payment. Pure. */
export function interpretInitiation(result: GatewayResult, initiation: Initiation): PaymentUpdate {
  switch (result.kind) {
    case 'not-sent':
      return {
        ...refused(initiation, failure('gateway_unavailable')),
        problem: {
          code: 'gateway-unavailable',
          detail: 'The gateway could not be reached; nothing was sent.',
        },
      };
    case 'rejected':
      return rejected(initiation, result);
    case 'credentials-rejected':
      return {
        ...refused(initiation, failure('gateway_credentials_rejected')),
        problem: {
          code: 'gateway-credentials-rejected',
          detail: 'The gateway rejected the merchant’s credentials; the payment was not made.',
        },
      };
    case 'busy':
      return {
        ...refused(initiation, failure('gateway_busy')),
        problem: {
          code: 'gateway-busy',
          detail: 'The gateway is busy; the payment was not made. Try again later.',
          retryAfterSeconds: result.retryAfterSeconds ?? 5,
        },
      };
    case 'unknown':
      return unrecognised(initiation, result);
    case 'answered':
      return interpretAnswer(result.answer, initiation);
  }
}

function interpretAnswer(answer: GatewayAnswer, initiation: Initiation): PaymentUpdate {
  const { payment } = initiation;
  if (answer.meaning === 'unknownTransaction') return unknown(initiation, { reason: answer.meaning });
  // Whatever it says, it says it of another payment. An order or an account number of that must not reach the payer.
  const differing = differences(answer, payment, [payment.amount]);
  if (differing.length > 0) return disputed(initiation, answer, differing.join(' '));
  const known = withNames(answer);
  switch (answer.meaning) {
    case 'refused':
    case 'failed':
      return { ...known, ...refused(initiation, failureFrom('declined', answer), answer) };
    case 'expired':
      return { ...known, ...settled(initiation, answer, 'expired', 'refused') };
    case 'voided':
      return { ...known, ...settled(initiation, answer, 'voided', 'confirmed') };
    case 'undecided':
    case 'refunded':
    case 'partiallyRefunded':
    case 'chargedBack':
    case 'disputeWon':
      // The gateway has the payment, so it can no longer count as never received. Nothing that has just begun was given back.
      return { ...known, ...unknown(initiation, { reason: answer.meaning }), answered: true };
    default:
      return { ...known, ...interpretGood(answer, initiation) };
  }
}

function interpretGood(answer: GatewayAnswer, initiation: Initiation): PaymentUpdate {
  const { payment, mode } = initiation;
  const method = methodOf(payment.method);
  if (method.finishesAtOnce && (answer.meaning === 'succeeded' || answer.meaning === 'authorized')) {
    if (mismatches(answer, payment, [payment.amount]).length > 0) {
      return disputed(initiation, answer, 'amount');
    }
    return settled(initiation, answer, answer.meaning, 'confirmed');
  }
  const challenge = challengeAction(answer, method);
  if (challenge) return action(initiation, challenge);
  if (answer.meaning === 'redirect') {
    const redirect = redirectAction(answer, mode);
    return redirect
      ? action(initiation, redirect)
      : unknown(initiation, { reason: 'redirect_address_withheld' });
  }
  // Where an initiating call cannot take money, any success status of the gateway means that it started.
  const filled = method.fillAction(answer, payment, mode);
  if (filled) return action(initiation, filled);
  if (answer.meaning === 'processing') return waiting(initiation);
  return unknown(initiation, { reason: 'no_next_action' });
}

/** An answer that is not understood may still name another payment. */
function unrecognised(
  initiation: Initiation,
  { reason, said }: Extract<GatewayResult, { kind: 'unknown' }>,
): PaymentUpdate {
  const { payment } = initiation;
  const differing = said ? differences(said, payment, [payment.amount]) : [];
  return said && differing.length > 0
    ? disputed(initiation, { meaning: reason, ...said }, differing.join(' '))
    : unknown(initiation, { reason });
}

function withNames(
  answer: GatewayAnswer,
): Pick<PaymentUpdate, 'transactionRef' | 'kept' | 'gatewayExpiresAt'> {
  const expiry = answerExpiry(answer);
  return {
    ...(answer.transactionRef !== undefined && { transactionRef: answer.transactionRef }),
    ...(answer.kept && { kept: answer.kept }),
    ...(expiry !== undefined && { gatewayExpiresAt: expiry }),
  };
}

/** The gateway did not take the request, or the one before it, which tells nothing about the card. */
function rejected(
  initiation: Initiation,
  result: Extract<GatewayResult, { kind: 'rejected' }>,
): PaymentUpdate {
  const update = refused(initiation, failureFrom('gateway_rejected', result));
  return result.preparation && update.move
    ? { ...update, move: { ...update.move, uncounted: true } }
    : update;
}

/** Not paid. Fails the payment only if it is still as the call left it. */
function refused(
  { payment, reference, operation }: Initiation,
  why: Failure,
  answer?: GatewayAnswer,
): PaymentUpdate {
  const operations = [{ id: operation.id, status: 'refused' as const }];
  if (answer) {
    return {
      ...proposeTransition(payment, reference, 'failed', answer, { failure: why }),
      operations,
      answered: true,
      conclusive: true,
    };
  }
  if (payment.status !== 'processing') return { operations };
  return { move: { to: 'failed', by: 'service', failure: why }, operations, conclusive: true };
}

function settled(
  { payment, reference, operation }: Initiation,
  answer: GatewayAnswer,
  target: 'succeeded' | 'authorized' | 'expired' | 'voided',
  status: 'confirmed' | 'refused',
): PaymentUpdate {
  return {
    ...proposeTransition(payment, reference, target, answer, {
      ...(target === 'succeeded' && { captured: payment.amount }),
      ...(target === 'authorized' && { authorized: payment.amount }),
      ...(target === 'expired' && { failure: failureFrom('expired', answer) }),
    }),
    operations: [{ id: operation.id, status }],
    answered: true,
    conclusive: true,
  };
}

function action({ payment, operation }: Initiation, nextAction: NextAction): PaymentUpdate {
  return {
    ...(payment.status === 'processing' && { nextAction }),
    operations: [{ id: operation.id, status: 'confirmed' }],
    answered: true,
    waiting: true,
    conclusive: true,
  };
}

function waiting({ operation }: Initiation): PaymentUpdate {
  return {
    operations: [{ id: operation.id, status: 'confirmed' }],
    answered: true,
    waiting: true,
    conclusive: true,
    timelineNote: { type: 'gateway_waiting' },
  };
}

/** The answer is about another amount or payment. It counts as an answer, and the payment needs attention. */
function disputed(initiation: Initiation, answer: Disputed, mismatch: string): PaymentUpdate {
  return {
    ...unknown(initiation, { mismatch }),
    answered: true,
    ...dispute(initiation.payment, 'mismatch', answer),
  };
}

/**
 * The request may have reached the gateway. The payment is neither paid nor failed, and is checked until that is known.
 */
function unknown({ operation }: Initiation, detail: Record<string, string>): PaymentUpdate {
  return {
    operations: [{ id: operation.id, status: 'unknown' }],
    timelineNote: { type: 'outcome_unknown', detail },
  };
}
