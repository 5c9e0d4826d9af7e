import { formatMajor } from '../../money/money.js';
import type { Change, EventRow, MovementRow } from '../../store/store.js';
import type { Announced, Decision, Entry, Moment } from './input.js';
import type { OrderState, Payment, Session } from './payment.js';
import { paymentView, sessionEventView, timeText } from './view.js';

export interface Recording {
  livemode: boolean;
  /** Whether the moment's month (of `BOOKS_TIME_ZONE`) had ended when the move was recorded. */
  isLate(at: number, recordedAt: number): boolean;
}

/** What a decision writes: documents, events and ledger entries, all from its entries. One commit. */
export function changeOf(decision: Decision, moment: Moment, recording: Recording): Change {
  const { state, changed, entries } = decision;
  if (!state.order) throw new Error('A decision without an order.');
  return {
    order: state.order,
    payments: state.payments.filter(({ id }) => changed.has(id)),
    events: eventsOf(state, entries, moment, recording),
    movements: entries.flatMap((entry) => movementOf(state, entry, moment, recording)),
  };
}

/** Sequences count up to the last one, which the documents have. */
function eventsOf(
  state: OrderState,
  entries: readonly Entry[],
  moment: Moment,
  { livemode }: Recording,
): EventRow[] {
  const announced = entries.filter(({ announce }) => announce !== undefined);
  return announced.map((entry, index) => {
    const behind = announced.slice(index + 1).filter(({ id }) => id === entry.id).length;
    return eventOf(state, entry, behind, moment, livemode);
  });
}

function eventOf(
  state: OrderState,
  entry: Entry,
  behind: number,
  moment: Moment,
  livemode: boolean,
): EventRow {
  const id = moment.id('evt');
  const isPayment = entry.of === 'payment';
  const { at, late } = isPayment ? entry.line : entry;
  const about = isPayment ? paymentOf(state, entry.id) : sessionOf(state, entry.id);
  const sequence = about.sequence - behind;
  const type = `${isPayment ? 'payment' : 'checkout_session'}.${entry.announce ?? ''}`;
  const body = {
    ...{ id, type, apiVersion: 'v1', livemode, timestamp: timeText(at), sequence },
    ...(late && { late }),
    ...(isPayment && entry.operation && { operation: operationView(entry.operation, about.currency) }),
    data: isPayment
      ? paymentView(state, paymentOf(state, entry.id), livemode)
      : sessionEventView(state.reference, sessionOf(state, entry.id), livemode),
  };
  return {
    ...{ id, stream: entry.id, paymentId: isPayment ? entry.id : null, sequence, type, at },
    body: JSON.stringify(body),
  };
}

function operationView({ type, amount, refundId }: Announced, currency: string): object {
  return {
    type,
    ...(amount !== undefined && { amount: formatMajor(amount, currency) }),
    ...(refundId !== undefined && { refundId }),
  };
}

function movementOf(state: OrderState, entry: Entry, moment: Moment, recording: Recording): MovementRow[] {
  if (entry.of !== 'payment' || !entry.money) return [];
  const { money, line } = entry;
  const payment = paymentOf(state, entry.id);
  return [
    {
      id: moment.id('mov'),
      kind: money.kind,
      direction: money.direction,
      amount: money.amount,
      currency: payment.currency,
      at: money.at,
      recordedAt: line.at,
      late: recording.isLate(money.at, line.at),
      paymentId: payment.id,
      reference: payment.reference,
      gatewayReference: payment.gatewayReference,
      transactionRef: payment.transactionRef,
      refundId: money.refundId,
      method: payment.method,
      actor: line.actor,
      reason: money.reason,
      source: money.source,
    },
  ];
}

function paymentOf(state: OrderState, id: string): Payment {
  const payment = state.payments.find((one) => one.id === id);
  if (!payment) throw new Error('An entry of a payment that is not there.');
  return payment;
}

function sessionOf({ order }: OrderState, id: string): Session {
  const session = order?.sessions.find((one) => one.id === id);
  if (!session) throw new Error('An entry of a session that is not there.');
  return session;
}
