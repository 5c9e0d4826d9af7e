import { loadProfile, ProfileError, type Profile } from '../../gateway/profile/load.js';
import {
  Rehearsal,
  type RehearsedAnswer,
  type RehearsedRequest,
  type UnsentRequest,
} from '../../gateway/call/rehearsal.js';
import type { UssdBanksResult } from '../../gateway/gateway-result.js';
import type { PaymentRecord } from '../../store/schema.js';
import type { CommandContext } from '../command-context.js';
import { CommandFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { factsOf, readExchanges, type Exchange } from '../profile-try/exchanges.js';
import { whatBecomes } from '../profile-try/what-becomes.js';

/** What one exchange showed. */
interface Tried {
  readonly operation: string;
  readonly requests: readonly (RehearsedRequest | null)[];
  /** What the payment lacks, so that a request would not be sent. */
  readonly lacks: readonly string[];
  readonly decidedBy: RehearsedAnswer['decidedBy'] | null;
  readonly meaning: string;
  /** Why an answer with a listed word means unknown all the same. */
  readonly because: string | null;
  readonly payment: {
    status: string;
    nextAction: string | null;
    failure: string | null;
    reason: string | null;
    needsAttention: boolean;
  } | null;
  readonly expect: string | null;
  readonly asExpected: boolean;
}

/** Tries a profile without a gateway, on recorded exchanges. */
export function profileTry(
  { reporter }: CommandContext,
  { file, exchanges }: { file: string; exchanges: string },
): Promise<ExitCode> {
  const profile = usable(file);
  const rehearsal = new Rehearsal(profile);
  const tried = readExchanges(exchanges).map((exchange) => tryOne(rehearsal, profile, exchange));
  const differing = tried.filter(({ asExpected }) => !asExpected).length;
  reporter.report({
    text: [
      ...tried.flatMap(describe),
      differing === 0
        ? `${tried.length} exchanges, all as expected.`
        : `${differing} of ${tried.length} exchanges are not as expected.`,
    ],
    json: { exchanges: tried, differing },
  });
  return Promise.resolve(differing === 0 ? EXIT.done : EXIT.found);
}

function usable(file: string): Profile {
  try {
    return loadProfile(file);
  } catch (error) {
    if (error instanceof ProfileError) throw new CommandFailure(error.message, 'profile', EXIT.found);
    throw error;
  }
}

function tryOne(
  rehearsal: Rehearsal,
  { reference }: Profile,
  { operation, payment, expect, ...answer }: Exchange,
): Tried {
  if (!rehearsal.has(operation)) {
    throw new CommandFailure(`The gateway of this profile has no operation ${operation}.`, 'exchanges');
  }
  const facts = factsOf(payment, reference);
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
  const recorded = { status: answer.status, text, retryAfter: answer.headers['retry-after'] };
  const { result, decidedBy } = rehearsal.read(operation, facts, recorded);
  const after = whatBecomes(operation, result, facts);
  const meaning = result.kind === 'answered' ? result.answer.meaning : result.kind;
  const requests = rehearsal.requests(operation, facts);
  const lacks = [...new Set(requests.flatMap((request) => (isSent(request) ? [] : request.lacks)))];
  return {
    operation,
    requests: requests.map((request) => (isSent(request) ? request : null)),
    lacks,
    decidedBy: decidedBy ?? null,
    meaning,
    because: becauseOf(result),
    payment: after ? shown(after) : null,
    expect: expect ?? null,
    asExpected:
      lacks.length === 0 && (expect === undefined || isAsExpected(operation, expect, meaning, after)),
  };
}

function isSent(request: RehearsedRequest | UnsentRequest): request is RehearsedRequest {
  return !('lacks' in request);
}

/**
 * A word of a payment's status is compared with that; another with its next action, or with what the answer means. Of a refund, a
 * status is the refund's own: the payment stays paid.
 */
function isAsExpected(
  operation: string,
  expect: string,
  meaning: string,
  after: PaymentRecord | undefined,
): boolean {
  if (operation === 'refund' || operation === 'refundStatus') {
    return expect === meaning || (expect === 'succeeded' && GIVEN_BACK.has(meaning));
  }
  if (after && STATUSES.has(expect)) return after.status === expect;
  return expect === after?.nextAction?.type || expect === meaning;
}

/** What confirms a refund. */
const GIVEN_BACK: ReadonlySet<string> = new Set(['succeeded', 'refunded', 'partiallyRefunded']);

const STATUSES: ReadonlySet<string> = new Set([
  ...['processing', 'requires_action', 'authorized', 'succeeded', 'failed', 'canceled', 'expired', 'voided'],
]);

function shown({
  status,
  nextAction,
  failure,
  needsAttention,
}: PaymentRecord): NonNullable<Tried['payment']> {
  const { code = null, reason = null } = failure ?? {};
  return { status, nextAction: nextAction?.type ?? null, failure: code, reason, needsAttention };
}

/** What outweighs a listed word. */
function becauseOf(result: UssdBanksResult): string | null {
  if (result.kind !== 'unknown') return null;
  switch (result.reason) {
    case 'unrecognised':
      return result.said ? `"${result.said.word}", which comes before it, is not listed` : null;
    case 'contradiction':
      return 'the answer contradicts itself';
    case 'requirement':
      return 'the answer does not meet "require"';
    default:
      return null;
  }
}

function describe({
  operation,
  requests,
  lacks,
  decidedBy,
  meaning,
  because,
  payment,
  expect,
  asExpected,
}: Tried): string[] {
  const becomes = payment
    ? [
        ...[payment.status, payment.nextAction, payment.failure, payment.reason],
        payment.needsAttention ? 'needs attention' : null,
      ]
    : [];
  return [
    `${operation}`,
    ...requests.flatMap((request) => describeRequest(request, lacks)),
    decidedBy
      ? `  ${decidedBy.pointer} is "${decidedBy.word}", ${because === null ? `which means ${meaning}` : `but ${because}: ${meaning}`}`
      : `  no listed word; it means ${meaning}`,
    ...(payment ? [`  the payment: ${becomes.filter((word) => word !== null).join(', ')}`] : []),
    ...(asExpected ? [] : [lacks.length > 0 ? '  NOT SENT' : `  EXPECTED ${String(expect)}`]),
    '',
  ];
}

function describeRequest(request: RehearsedRequest | null, lacks: readonly string[]): string[] {
  if (!request) {
    return [
      `  not sent: the payment of this exchange lacks ${lacks.join(' and ')} ("payment", kept values under its "kept")`,
    ];
  }
  return [
    `  ${request.method} ${request.path}`,
    ...Object.entries(request.headers).map(([name, value]) => `    ${name}: ${value}`),
    ...(request.body === undefined ? [] : [`    ${request.body}`]),
    ...(request.encrypted === undefined ? [] : [`    encrypted: ${request.encrypted}`]),
  ];
}
