import { formatMajor } from '../../money/money.js';
import type { Draft } from './draft.js';
import { EXPIRED } from './facts.js';
import type { Command, NewKey } from './input.js';
import { duplicateWithMoney, paidBy, refuseWhereBlocked } from './orders.js';
import {
  blankPayment,
  isLive,
  moneyHeld,
  openOperation,
  type Operation,
  type OperationType,
  type Payment,
  type Session,
} from './payment.js';
import { Refusal } from './refusal.js';

/** How often a payer may send what was asked for. */
const MAX_CODES = { otp: 5, pin: 3 };
/** Under this caller an order keeps which approvals were decided. */
const APPROVAL = 'approval';

type Start = Extract<Command, { do: 'pay' }>;
type Sender = { actor: string; process: string; key?: NewKey; approval?: string };

/** Begins an operation: the intent that is durable before it is sent. Throws `Refusal` where it is not allowed. */
export function command(draft: Draft, what: Command, sender: Sender): void {
  if (what.do === 'pay') return start(draft, what, sender);
  const payment = allowed(draft, what);
  if (sender.approval !== undefined) decideApproval(draft, sender.approval);
  if (what.do === 'void' && what.policy) payment.voidTried = true;
  intend(draft, payment, operationOf(draft, what, payment, sender));
  const refund =
    what.do === 'refund' ? { type: 'refund' as const, id: what.operation, paymentId: payment.id } : undefined;
  const approval =
    sender.approval === undefined ? undefined : { type: 'approval' as const, id: sender.approval };
  draft.keep(sender.key, approval ?? refund ?? { type: 'payment', id: payment.id }, what.operation);
}

/** A refund that a second person must approve first: the rules hold, nothing is sent. */
export function askApproval(
  draft: Draft,
  what: Extract<Command, { do: 'refund' }>,
  id: string,
  key: NewKey,
): void {
  const payment = allowed(draft, what);
  const amount = what.amount ?? moneyHeld(payment);
  draft.say(payment, 'approval_asked', {
    announce: 'approval_needed',
    operation: { type: 'refund', amount },
    detail: { approvalId: id, amount: formatMajor(amount, payment.currency) },
  });
  draft.keep(key, { type: 'approval', id, paymentId: payment.id });
}

/** Records that an approval is decided. Throws where it was decided before. */
export function decideApproval(draft: Draft, id: string): void {
  if (draft.order.keys.some(({ caller, key }) => caller === APPROVAL && key === id))
    throw new Refusal('invalid-state', 'This approval was decided already.');
  draft.keep({ caller: APPROVAL, key: id, path: '', fingerprint: '' }, { type: 'approval', id });
}

/** Throws where an operation is not allowed: by its own status, the open operation, the order, attention, in this order. */
function allowed(draft: Draft, what: Exclude<Command, Start>): Payment {
  const payment = draft.payment(what.payment);
  switch (what.do) {
    case 'otp':
    case 'pin':
      allowCode(payment, what.do);
      break;
    case 'complete':
      allowComplete(draft, payment, what.amount);
      break;
    case 'void':
      allowVoid(draft, payment);
      break;
    case 'refund':
      allowRefund(draft, payment, what.amount);
  }
  const open = openOperation(payment);
  if (open)
    throw new Refusal('operation-in-progress', `A ${open.type} of this payment is still open.`, payment.id);
  allowInOrder(draft, payment, what.do);
  refuseWhereBlocked(draft.all());
  return payment;
}

function start(draft: Draft, what: Start, sender: Sender): void {
  const session = draft.session(what.session);
  allowStart(draft, session);
  const n = draft.order.attempts + 1;
  draft.order.attempts = n;
  session.started += 1;
  const payment = draft.add(newPayment(draft, session, n, what));
  draft.order.live = payment.id;
  draft.say(payment, 'created', { to: 'processing' });
  intend(draft, payment, operationOf(draft, what, payment, sender));
  draft.keep(sender.key, { type: 'payment', id: payment.id }, what.operation);
}

/** In the contract's order: paid, in progress, closed or expired, blocked. */
function allowStart(draft: Draft, session: Session): void {
  const { order } = draft;
  const paid = session.status === 'paid' ? order.payer : paidBy(order, draft.all());
  if (paid || session.status === 'paid')
    throw new Refusal('session-paid', 'This order is paid already.', paid ?? undefined);
  const live = draft.all().find(isLive);
  if (live)
    throw new Refusal('payment-in-progress', 'Another payment of this order is in progress.', live.id);
  if (session.status === 'closed') throw new Refusal('session-closed', 'This checkout session is closed.');
  if (session.status === 'expired' || session.expiresAt <= draft.now)
    throw new Refusal('session-expired', 'This checkout session has expired.');
  refuseWhereBlocked(draft.all());
}

function newPayment(draft: Draft, session: Session, n: number, what: Start): Payment {
  const { now, order, rules } = draft;
  return {
    ...blankPayment(),
    id: what.payment,
    reference: order.reference,
    sessionId: session.id,
    n,
    gatewayReference: rules.gatewayReference(order.reference, n),
    method: what.method,
    status: 'processing',
    amount: session.amount,
    currency: session.currency,
    card: what.card,
    metadata: session.metadata,
    denials: { count: 0, last: 0 },
    check: { at: null, attempts: 0, urgent: true, since: now },
    sequence: 0,
    createdAt: now,
    updatedAt: now,
    statusSince: now,
  };
}

/** A payment that the gateway knows and the store lost: it enters as `processing`, beside a live or paid one as `expired`. */
export function adopt(draft: Draft, id: string, n: number): Payment {
  const newest = draft.order.sessions.at(-1);
  if (!newest) throw new Refusal('not-found', 'There is no such session.');
  const free = draft.order.live === null && paidBy(draft.order, draft.all()) === undefined;
  const payment = newPayment(draft, draft.session(newest.id), n, {
    do: 'pay',
    session: newest.id,
    payment: id,
    operation: '',
    method: 'unknown',
    card: null,
  });
  Object.assign(payment, { adopted: true, status: free ? 'processing' : 'expired', answeredAt: draft.now });
  if (!free) payment.failure = EXPIRED;
  draft.order.attempts = Math.max(draft.order.attempts, n);
  if (free) draft.order.live = payment.id;
  draft.add(payment);
  draft.say(payment, 'adopted', { to: payment.status });
  return payment;
}

function allowCode(payment: Payment, type: 'otp' | 'pin'): void {
  const open = openOperation(payment);
  if (payment.status !== 'requires_action' || (payment.nextAction?.type !== type && open?.type !== type))
    throw new Refusal('invalid-state', 'No such code is asked for now.', payment.id);
  const sent = payment.operations.filter((operation) => operation.type === type).length;
  if (sent >= MAX_CODES[type])
    throw new Refusal(
      'invalid-state',
      `No more than ${MAX_CODES[type]} can be sent for one payment.`,
      payment.id,
    );
}

function allowComplete(draft: Draft, payment: Payment, amount: bigint | null): void {
  if (!draft.rules.has.complete)
    throw new Refusal('not-supported', 'This gateway cannot complete a payment.', payment.id);
  if (payment.status !== 'authorized')
    throw new Refusal('invalid-state', 'Only an authorized payment can be completed.', payment.id);
  if (amount !== null && amount > authorizedOf(payment))
    throw new Refusal('validation-failed', 'More than what was authorized.', payment.id, '/amount');
}

function allowVoid(draft: Draft, payment: Payment): void {
  if (!draft.rules.has.void)
    throw new Refusal('not-supported', 'This gateway cannot void a payment. Refund it instead.', payment.id);
  if (payment.status !== 'authorized' && payment.status !== 'succeeded')
    throw new Refusal('invalid-state', 'Only an authorized or succeeded payment can be voided.', payment.id);
  if (payment.refunded > 0n || payment.disputed || payment.disputedAmount > 0n)
    throw new Refusal(
      'invalid-state',
      'A payment that was refunded or is disputed cannot be voided.',
      payment.id,
    );
}

function allowRefund(draft: Draft, payment: Payment, amount: bigint | null): void {
  if (!draft.rules.has.refund)
    throw new Refusal('not-supported', 'This gateway cannot refund a payment.', payment.id);
  if (payment.status !== 'succeeded')
    throw new Refusal('invalid-state', 'Only a succeeded payment can be refunded.', payment.id);
  if (payment.disputed) throw new Refusal('invalid-state', 'A disputed payment takes no refund.', payment.id);
  const rest = moneyHeld(payment);
  if (rest <= 0n || (amount ?? rest) > rest)
    throw new Refusal('invalid-state', 'More than what is left of the payment.', payment.id);
}

/** Rules about the whole order: nothing charges once it is paid; while a duplicate holds money only duplicates are given back. */
function allowInOrder(draft: Draft, payment: Payment, type: OperationType): void {
  const { order } = draft;
  if (type === 'otp' || type === 'pin' || type === 'complete') {
    const paid = paidBy(order, draft.all());
    if (paid !== undefined) throw new Refusal('session-paid', 'This order is paid already.', paid);
    return;
  }
  const duplicate = duplicateWithMoney(order, draft.all());
  if (duplicate && !order.duplicates.includes(payment.id))
    throw new Refusal(
      'invalid-state',
      'A duplicate payment of this order holds money: void or refund it first.',
      duplicate.id,
    );
}

function operationOf(draft: Draft, what: Command, payment: Payment, sender: Sender): Operation {
  const operation: Operation = {
    id: what.operation,
    type: what.do,
    state: 'intended',
    process: sender.process,
    actor: sender.actor,
    since: draft.now,
  };
  if (what.do === 'complete') operation.amount = what.amount ?? authorizedOf(payment);
  if (what.do === 'refund') {
    operation.amount = what.amount ?? moneyHeld(payment);
    operation.refundRef = what.refundRef;
    if (what.reason !== null) operation.reason = what.reason;
  }
  return operation;
}

function intend(draft: Draft, payment: Payment, operation: Operation): void {
  payment.operations.push(operation);
  draft.say(payment, 'sent', { detail: { operation: operation.type } });
  draft.effects.push({ do: 'send', payment: payment.id, operation: { ...operation } });
}

function authorizedOf(payment: Payment): bigint {
  return payment.authorized ?? payment.amount;
}
