import type { Mutant } from './mutant.ts';

/** Without what keeps one wish one call, and an unknown outcome unknown. */
export const CALLS = {
  /** A call whose outcome is unknown is made again. */
  'sent-again': {
    module: 'gateway/call/sender.js',
    replace: [
      'if (!tokens)',
      `if (!tokens) {
        const first = await this.#exchange(plan, request, undefined);
        return { exchange: first.kind === 'unknown' ? await this.#exchange(plan, request, undefined) : first };
      }
      if (!tokens)`,
    ],
  },
  /** A start whose outcome is unknown has failed. */
  'unknown-has-failed': {
    module: 'payments/interpret/meaning.js',
    replace: [
      "if (result.kind !== 'answered')",
      "if (result.kind !== 'answered' && call.operation.type === 'pay') return moves('failed', 'refused')(call, {}); $&",
    ],
  },
  /** An error of the gateway's server is a refusal. */
  'error-is-refusal': {
    module: 'gateway/answers/http-status.js',
    replace: [
      "kind: 'unknown',\n                reason: status >= 300",
      "kind: 'rejected',\n                reason: status >= 300",
    ],
  },
  /** The first "not known" says that a call never arrived. */
  'denied-once': {
    module: 'payments/interpret/interpret-status.js',
    replace: ['if (payment.notKnownCount + 1 < ANSWERS_NEEDED || !isGraceOver(call, inquiry))', 'if (false)'],
  },
  /** A void or completion is over as soon as the former state is shown. */
  'former-state-once': {
    module: 'payments/interpret/interpret-status.js',
    replace: ['formerCount >= ANSWERS_NEEDED && isGraceOver(operation, inquiry)', 'true'],
  },
  /** What the gateway has accepted is refused by time. */
  'accepted-is-refused': {
    module: 'payments/interpret/interpret-status.js',
    replace: ['denied && operation.acceptedAt === null', 'denied'],
  },
  /** The key of a later operation is not kept. */
  'key-not-kept': {
    module: 'idempotency/keyed-writer.js',
    replace: ['if (!made)', 'if (true)'],
  },
  /** Operations on one payment run beside each other. */
  'operations-at-once': {
    module: 'payments/operations/engine.js',
    replace: ["openOperations.some((open) => open.type !== 'pay')", 'false'],
  },
  /** A payment starts beside a live one of its order. */
  'started-beside-live': {
    module: 'sessions/session-guards.js',
    replace: ['if (live !== undefined) {', 'if (false) {'],
  },
  /** A session does not know that its reference is paid. */
  'started-beside-paid': {
    module: 'sessions/session-guards.js',
    replace: ['if (paid !== undefined)', 'if (false)'],
  },
  /** A cancellation does not wait for a clear answer. */
  'canceled-unasked': {
    module: 'payments/inquiry/inquiry.js',
    replace: ['endsByCancel(reading, inquiry.payment, result)', 'true'],
  },
  /** A code whose outcome is unknown leaves the payment as it was. */
  'code-leaves-action': {
    module: 'payments/interpret/meaning.js',
    replace: [/function toProcessing\([^)]*\) \{/, '$& return {};'],
  },
  /** An answer that came after another process took over is dropped. */
  'late-answer-dropped': {
    module: 'payments/interpret/late-answer.js',
    replace: [/export function interpretLate\([^)]*\) \{/, '$& return undefined;'],
  },
  /** An answer to a status query that nobody waits for any more is dropped. */
  'unawaited-answer-dropped': {
    module: 'payments/inquiry/inquiry.js',
    replace: ['void this.recordLate(payment, asking);', ''],
  },
  /** Whoever another payment has paid for completes a hold. */
  'completed-beside-paid': {
    module: 'payments/operations/complete.js',
    replace: ['assertNotPaidByAnother(rows);', ''],
  },
} as const satisfies Record<string, Mutant>;
