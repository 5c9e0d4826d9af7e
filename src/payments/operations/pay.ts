import { clientRefOf, fitsGateway } from '../../gateway/requests/client-ref.js';
import type { SendGate } from '../../gateway/gateway.js';
import type { GatewayResult } from '../../gateway/gateway-result.js';
import { Problem } from '../../http/problems/problem.js';
import type { MethodDescriptor, Order } from '../../methods/method-descriptor.js';
import { methodFields } from '../../methods/method-fields.js';
import type { KeyedCall } from '../../auth/keyed-call.js';
import { moveSession } from '../../sessions/move-session.js';
import { holderFrom, type Holder } from '../../sessions/payer-details.js';
import { assertPayable, assertTokenReads } from '../../sessions/session-guards.js';
import type { Changes, Snapshot, Wanted } from '../../store/payment-writer.js';
import type { Billing, Payer, ReferenceRecord, SessionRecord } from '../../store/schema.js';
import type { Sent } from '../interpret/echoed.js';
import { returnUrlOf } from '../state/gateway-facts.js';
import type { CardPresenter } from './card-testing.js';
import type { CommandContext, Found, Intent, Step } from './command.js';
import { newPayment, type PaymentStart } from './new-payment.js';

/**
 * Starts a payment of a session. Refused, with nothing recorded and its key unused, where the session does not allow it, where the payer
 * lacks something, or where too many cards were declined.
 */
export interface Pay extends Omit<PaymentStart, 'method'> {
  readonly type: 'pay';
  readonly call: KeyedCall;
  readonly sessionId: string;
  readonly method: MethodDescriptor;
  /** What the body says of who pays, besides the session. */
  readonly given: { readonly payer?: Payer | undefined; readonly billing?: Billing | undefined };
  /** Where the payer's request came from. */
  readonly payerAddress: string;
  /** Everything that the payer sent. It is removed from the gateway's answer before that is kept. */
  readonly sent: Sent;
  /** Why a new request is refused. A repeated one gets the answer of the first. */
  readonly refusal?: Problem | undefined;
  /** Sends it to the gateway. Called once, after the intent was committed. */
  readonly send: (order: Order, gate: SendGate) => Promise<GatewayResult>;
}

/** The order that a payment is for. */
export async function targetOf(
  { sessionId }: Pay,
  { references }: CommandContext,
): Promise<{ reference: string; sessionId: string }> {
  const reference = await references.of(sessionId);
  if (reference === undefined) throw noSession();
  return { reference, sessionId };
}

/** What else its first write looks at. */
export function lookForPayment(command: Pay, { cardTesting }: CommandContext): Pick<Wanted, 'declines'> {
  const presenter = presenterOf(command);
  return presenter ? cardTesting.counting(presenter) : {};
}

/** Throws `unauthorized` where the payer's token has expired. */
export function admitPayer({ session }: Snapshot, now: number): void {
  assertTokenReads(session, now);
}

/** The intent of a new payment, with its rows. Throws where none may be started now. */
export function intendPayment(
  command: Pay,
  { session, reference, declines }: Snapshot,
  now: number,
  { found, context }: { found: Found; context: CommandContext },
): Step {
  const { config, profile, store, cardTesting } = context;
  assertTokenReads(session, now);
  assertPayable(session, reference, now);
  if (config.payments.holdNewPayments) {
    throw new Problem('payments-held', 'No payment can be started just now. Try again later.', {
      retryAfterSeconds: 60,
    });
  }
  const spent = spentSession(session, reference, now, { found, context });
  if (spent) return spent;
  const presenter = presenterOf(command);
  const refusal = (presenter && cardTesting.refusal(declines, presenter)) ?? command.refusal;
  if (refusal) throw refusal;
  assertMethodOffered(session, command.method, context);
  const holder = readHolder(command, session, context);
  assertReferenceFits(reference, context);
  const start = { ...command, method: command.method.name };
  const { operation: row, ...changes } = newPayment(
    session,
    reference,
    start,
    store.owner,
    now,
    profile.reference,
  );
  return {
    changes,
    intent: { payment: changes.payment, session, row, holder },
    made: {
      sessionId: session.id,
      paymentId: changes.payment.id,
      operationId: row.id,
      sessionExpiresAt: session.expiresAt,
    },
  };
}

/** Sends it. */
export function sendPayment(
  command: Pay,
  intent: Intent,
  gate: SendGate,
  context: CommandContext,
): Promise<GatewayResult> {
  const { payment } = intent;
  const order: Order = {
    clientRef: payment.gatewayReference,
    amount: payment.amount,
    currency: payment.currency,
    ...holderOf(intent),
    payerAddress: command.payerAddress,
    returnUrl: returnUrlOf(payment.id, context.config),
  };
  return command.send(order, gate);
}

/** Throws `validation-failed` where the method needs more, or where something does not fit. */
function readHolder({ given, method }: Pay, session: SessionRecord, { profile }: CommandContext): Holder {
  return holderFrom(session, given, methodFields(profile, method.name));
}

function holderOf({ holder }: Intent): Holder {
  if (!holder) throw new Error('A payment was begun without anybody who pays');
  return holder;
}

/** Whoever asks about a session that does not exist learns no more than about one whose time is over. */
export function noSession(): Problem {
  return new Problem('unauthorized', 'This client token has expired.');
}

/** Who presents a card, and from where. */
function presenterOf({ card, addressFingerprint: address }: Pay): CardPresenter | undefined {
  return card && { address, network: card.networkFingerprint, card: card.fingerprint };
}

/**
 * What is done in place of a payment where the session has had as many as it may have: it is closed. A session has at most as many as its
 * reference, so they are counted only once that has so many.
 */
function spentSession(
  session: SessionRecord,
  { attempts, reference }: ReferenceRecord,
  now: number,
  { found: { counted }, context }: { found: Found; context: CommandContext },
): Step {
  const { config, repository, store } = context;
  const { maxPaymentsPerSession: most } = config.payments;
  if (most === 0 || attempts < most) return undefined;
  if (counted?.attempts !== attempts) {
    const count = async (): Promise<Found> => {
      const payments = await repository.countOfSession({ id: session.id, reference }, most);
      return { counted: { attempts, payments } };
    };
    return { changes: {}, first: count };
  }
  if (counted.payments < most) return undefined;
  const moved = moveSession(session, {
    to: 'closed',
    closedReason: 'attempts',
    at: now,
    livemode: config.gateway.mode === 'live',
    epoch: store.epoch.number,
    deliver: config.merchant.webhookUrl !== undefined,
  });
  const changes: Changes = moved ? { session: moved.session, events: [moved.event] } : {};
  const detail = 'This session has had as many payments as it may have. It is closed.';
  return { changes, refused: new Problem('session-closed', detail) };
}

/** Throws `validation-failed` where the service or this session does not offer a method. */
function assertMethodOffered(
  { methods }: SessionRecord,
  { name }: MethodDescriptor,
  { config }: CommandContext,
): void {
  if (methods.includes(name) && config.payments.methods.includes(name)) return;
  throw new Problem('validation-failed', `This session does not offer payment by ${name}.`, {
    errors: [{ pointer: '', message: `this session does not offer payment by ${name}` }],
  });
}

/** A reference that fitted when its session was made no longer does once its payments need one more digit. */
function assertReferenceFits({ reference, attempts }: ReferenceRecord, { profile }: CommandContext): void {
  if (fitsGateway(clientRefOf(reference, attempts + 1, profile.reference), profile.reference)) return;
  throw new Problem(
    'invalid-state',
    'No further payment is possible: its reference would be too long for the gateway.',
  );
}
