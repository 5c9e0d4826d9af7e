import { readFileSync } from 'node:fs';
import { loadProfile, ProfileError, type Profile } from '../../gateway/profile/load.js';
import {
  Rehearsal,
  type RehearsedAnswer,
  type RehearsedRequest,
  type UnsentRequest,
} from '../../gateway/call/rehearsal.js';
import type { UssdBanksResult } from '../../gateway/gateway-result.js';
import type { PaymentRecord } from '../../store/schema.js';
import { isFieldName, type CallFacts } from '../../gateway/requests/payment-fields.js';
import { refundRefOf } from '../../gateway/requests/client-ref.js';
import { parseMajor } from '../../money/money.js';
import { Secret } from '../../secrets/secret.js';
import { type CommandContext, CommandFailure, EXIT, type ExitCode } from '../command.js';
import { whatBecomes } from './what-becomes.js';

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
): ExitCode {
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
  return differing === 0 ? EXIT.done : EXIT.found;
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

/** One recorded exchange with a gateway. */
export interface Exchange {
  readonly operation: string;
  readonly payment: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly expect?: string;
}

/** Reads a file of exchanges. Throws a {@link CommandFailure} that names the first fault. */
export function readExchanges(path: string): Exchange[] {
  let list: unknown;
  try {
    list = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw fault(`${path} cannot be read as JSON`);
  }
  if (!Array.isArray(list)) throw fault(`${path} must be a list of exchanges`);
  return (list as unknown[]).map((entry, index) => readExchange(entry, `/${index}`));
}

function readExchange(entry: unknown, at: string): Exchange {
  if (!isObject(entry)) throw fault(`${at} must be an object`);
  const { operation, payment = {}, status = 200, headers = {}, body, expect, ...others } = entry;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw fault(`${at}/${unknown} is an unknown key`);
  if (typeof operation !== 'string') throw fault(`${at}/operation must be the key of an operation`);
  if (!isObject(payment)) throw fault(`${at}/payment must be an object of fields`);
  for (const name of Object.keys(payment)) {
    if (name !== 'kept' && !isFieldName(name))
      throw fault(`${at}/payment/${name} is not a field of a payment`);
  }
  if (!Number.isInteger(status)) throw fault(`${at}/status must be an HTTP status`);
  if (!isObject(headers)) throw fault(`${at}/headers must be an object`);
  if (expect !== undefined && typeof expect !== 'string') throw fault(`${at}/expect must be a word`);
  const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return {
    ...{ operation, payment, body, status: status as number },
    headers: Object.fromEntries(texts) as Record<string, string>,
    ...(expect !== undefined && { expect }),
  };
}

/** What a payment of 1500.00 NGN looks like, with masks in the place of its secrets. A recorded payment says otherwise. */
export function factsOf(payment: Exchange['payment'], reference: Profile['reference']): CallFacts {
  const text = (name: string, fallback: string): string => {
    const value = payment[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : fallback;
  };
  const currency = text('currency', 'NGN');
  const amount = parseMajor(text('amount', '1500.00'), currency);
  if (amount === undefined)
    throw fault('the amount of a payment must be a decimal in major units of its currency');
  const transactionRef = text('transactionRef', '');
  const clientRef = text('client_ref', 'ORDER-1001_1');
  return {
    ...{ amount, currency, clientRef, bankCode: text('bankCode', '058') },
    ...(transactionRef !== '' && { transactionRef }),
    refundRef: text('refundRef', refundRefOf(clientRef, 1, reference)),
    returnUrl: text('authNotifyUrl', 'https://pay.example/v1/payments/pay_1/return/token'),
    notificationUrl: text('notifyUrl', 'https://pay.example/v1/gateway/notifications'),
    payer: {
      email: text('payerEmail', 'ada@example.com'),
      phone: text('payerPhone', '+2348012345678'),
      firstName: text('firstName', 'Ada'),
      lastName: text('lastName', 'Obi'),
    },
    payerAddress: text('payerAddress', '203.0.113.7'),
    billing: {
      street: '1 Marina',
      city: 'Lagos',
      stateProvince: 'Lagos',
      postCode: '101001',
      country: 'NGA',
    },
    device: {
      ...{ javaEnabled: false, language: 'en-NG', screenHeight: 1080, screenWidth: 1920, colorDepth: 24 },
      ...{ timeZone: 'Africa/Lagos', userAgent: 'Mozilla/5.0' },
    },
    card: {
      number: new Secret('<cardNumber>'),
      ...{ expiryMonth: '12', expiryYear: '2030' },
      cvv: new Secret('<cvv>'),
      pin: new Secret('<card_pin>'),
      nameOnCard: new Secret('Ada Obi'),
    },
    otp: new Secret('<otp>'),
    pin: new Secret('<pin>'),
    kept: isObject(payment['kept']) ? keptOf(payment['kept']) : {},
  };
}

function keptOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fault(message: string): CommandFailure {
  return new CommandFailure(`${message}.`, 'exchanges');
}
