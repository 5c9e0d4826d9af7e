import { formatMajor } from '../../money/money.js';
import type { Change, EventRow, MovementRow } from '../../store/store.js';
import type { Decision, Entry, Moment } from './input.js';
import type { OrderState, Payment } from './payment.js';
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
  const left = new Map<string, number>();
  for (const { id } of announced) left.set(id, (left.get(id) ?? 0) + 1);
  return announced.map((entry) => {
    const behind = (left.get(entry.id) ?? 1) - 1;
    left.set(entry.id, behind);
    return entry.of === 'payment'
      ? paymentEvent(state, entry, behind, moment, livemode)
      : sessionEvent(state, entry, behind, moment, livemode);
  });
}

function paymentEvent(
  state: OrderState,
  entry: Extract<Entry, { of: 'payment' }>,
  behind: number,
  moment: Moment,
  livemode: boolean,
): EventRow {
  const payment = paymentOf(state, entry.id);
  const { operation, line } = entry;
  const id = moment.id('evt');
  const sequence = payment.sequence - behind;
  const type = `payment.${entry.announce ?? ''}`;
  const body = {
    id,
    type,
    apiVersion: 'v1',
    livemode,
    timestamp: timeText(line.at),
    sequence,
    ...(line.late ? { late: true } : {}),
    ...(operation
      ? {
          operation: {
            type: operation.type,
            ...(operation.amount === undefined
              ? {}
              : { amount: formatMajor(operation.amount, payment.currency) }),
            ...(operation.refundId === undefined ? {} : { refundId: operation.refundId }),
          },
        }
      : {}),
    data: paymentView(state, payment, livemode),
  };
  return {
    id,
    stream: payment.id,
    paymentId: payment.id,
    sequence,
    type,
    body: JSON.stringify(body),
    at: line.at,
  };
}

function sessionEvent(
  state: OrderState,
  entry: Extract<Entry, { of: 'session' }>,
  behind: number,
  moment: Moment,
  livemode: boolean,
): EventRow {
  const session = state.order?.sessions.find(({ id }) => id === entry.id);
  if (!session) throw new Error('An entry of a session that is not there.');
  const id = moment.id('evt');
  const sequence = session.sequence - behind;
  const type = `checkout_session.${entry.announce}`;
  const body = {
    id,
    type,
    apiVersion: 'v1',
    livemode,
    timestamp: timeText(entry.at),
    sequence,
    ...(entry.late ? { late: true } : {}),
    data: sessionEventView(state.reference, session, livemode),
  };
  return {
    id,
    stream: session.id,
    paymentId: null,
    sequence,
    type,
    body: JSON.stringify(body),
    at: entry.at,
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
