import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalDto, EventDto, PaymentDto, RefundDto, TimelineEntryDto } from '../generated/api.js';
import { questionOf, redeliverQuestion, resolveQuestion } from './acts.js';
import { money } from './amounts.js';
import { ApprovalCard } from './approvals.js';
import type { Question } from './ask.js';
import { Problem } from './form.js';
import { Table, type Column } from './list.js';
import { Badges, Copied, Facts, Loaded, Moment, Page, Sum } from './parts.js';
import { explained, inPlainWords, mayBeDone, mayResolve, type ActionName } from './plain-words.js';
import { useRead } from './reading.js';
import { hrefOf } from './route.js';
import { answer } from './service.js';
import { useSession, type Session } from './session.js';
import { detail, entrySentence } from './timeline.js';
import {
  ACTION_WORDS,
  attentionSentence,
  deliveryWords,
  methodWord,
  personOf,
  REFUND_WORDS,
  statusWord,
} from './words.js';

const WAIT_SECONDS = 20;
/** At least this long between two calls, whatever the service answers. */
const PAUSE_MS = 1_000;
const LIVE = ['processing', 'requires_action', 'authorized'];

/** All that is shown of one payment. */
interface Shown {
  payment: PaymentDto;
  timeline: TimelineEntryDto[];
  refunds: RefundDto[];
  /** The other payments of its order. */
  others: PaymentDto[];
  events: EventDto[];
  approvals: ApprovalDto[];
}

async function readPayment({ service, caller }: Session, id: string): Promise<Shown> {
  const params = { path: { id } };
  const payment = await answer(service.GET('/v1/payments/{id}', { params }));
  const mayReadAll = caller.access !== 'books';
  const waiting = { paymentId: id, state: 'waiting' } as const;
  const [timeline, refunds, order, events, approvals] = await Promise.all([
    answer(service.GET('/v1/payments/{id}/events', { params })),
    answer(service.GET('/v1/payments/{id}/refunds', { params })),
    answer(service.GET('/v1/payments', { params: { query: { reference: payment.reference } } })),
    mayReadAll && answer(service.GET('/v1/events', { params: { query: { paymentId: id, limit: '100' } } })),
    mayReadAll && answer(service.GET('/v1/approvals', { params: { query: waiting } })),
  ]);
  return {
    ...{ payment, timeline: timeline.data, refunds: refunds.data },
    others: order.data.filter((other) => other.id !== id),
    events: events ? events.data : [],
    approvals: approvals ? approvals.data : [],
  };
}

/** One payment: what happened, its money, and what may be done. It follows the payment while it is open. */
export function PaymentPage({ id }: { id: string }): JSX.Element {
  const session = useSession();
  const reading = useRead(() => readPayment(session, id), [id], true);
  const { value, again } = reading;
  useFollow(value?.payment, again);
  return (
    <Page title={value?.payment.reference ?? 'Payment'} beside={value && <Badges payment={value.payment} />}>
      <Loaded of={reading}>{(shown) => <Details {...{ shown, again }} />}</Loaded>
    </Page>
  );
}

/** Waits at the service for the next change of a payment that is open, and says what its status is then. */
function useFollow(payment: PaymentDto | undefined, again: () => Promise<void>): void {
  const { service, announce } = useSession();
  const { id = '', reference = '', status = 'failed', needsAttention, pendingOperation } = payment ?? {};
  const now = payment && `${reference}: ${statusWord(status)}${needsAttention ? ', needs attention' : ''}.`;
  const before = useRef<string>();
  useEffect(() => {
    if (before.current !== undefined && now !== undefined) announce(now);
    before.current = now;
  }, [now]);
  const isOpen = LIVE.includes(status) || Boolean(pendingOperation);
  useEffect(() => {
    if (!isOpen) return undefined;
    const stop = new AbortController();
    const wait = { params: { path: { id }, query: { wait: String(WAIT_SECONDS) } }, signal: stop.signal };
    const follow = async (): Promise<void> => {
      if (!document.hidden) await answer(service.GET('/v1/payments/{id}', wait)).then(again, () => undefined);
      setTimeout(() => !stop.signal.aborted && void follow(), PAUSE_MS);
    };
    void follow();
    return () => stop.abort();
  }, [id, isOpen, again]);
}

interface DetailsProps {
  shown: Shown;
  again: () => Promise<void>;
}

function Details({ shown, again }: DetailsProps): JSX.Element {
  const { payment, timeline, refunds, approvals, others, events } = shown;
  const session = useSession();
  const { currency, attentionReasons } = payment;
  const mayAct = session.caller.access === 'full';
  const button = (name: string, subject: string, question: () => Question): JSX.Element => (
    <button
      {...{ type: 'button', class: 'small', 'aria-label': `${name} ${subject}` }}
      onClick={() => session.ask(question(), again)}
    >
      {name}
    </button>
  );
  const timelineColumns: Column<TimelineEntryDto>[] = [
    ['What', (entry) => entrySentence(entry, currency)],
    ['By', ({ actor }) => actor && personOf(actor)],
    ['Note', (entry) => detail(entry, 'note')],
    ['When', ({ at }) => <Moment at={at} />, 'when'],
  ];
  const refundColumns: Column<RefundDto>[] = [
    ['Refund', ({ amount }) => <Sum {...{ amount, currency }} />],
    ['Outcome', ({ status, late }) => (late === true ? 'Came back: not refunded' : REFUND_WORDS[status])],
    ['Reason', ({ reason }) => reason],
    ['Asked', ({ createdAt }) => <Moment at={createdAt} />, 'when'],
  ];
  const resolve = (refund: RefundDto): JSX.Element | false =>
    mayResolve(payment, refund) &&
    button('Resolve', `the refund of ${money(refund.amount, currency)}`, () =>
      resolveQuestion(session, payment, refund),
    );
  const eventColumns: Column<EventDto>[] = [
    ['Event', ({ type }) => <code>{type}</code>],
    ['Delivery', deliveryWords],
    ['When', ({ timestamp }) => <Moment at={timestamp} />, 'when'],
  ];
  const redeliver = (event: EventDto): JSX.Element =>
    button('Redeliver', event.type, () => redeliverQuestion(session, event));
  return (
    <>
      <div class={`card stack ${payment.needsAttention ? 'alerting' : ''}`}>
        {[...attentionReasons.map(attentionSentence), ...inPlainWords(payment, refunds)].map(
          (sentence, index) => (
            <p key={sentence} class={index < attentionReasons.length ? 'strong' : ''}>
              {sentence}
            </p>
          ),
        )}
        {mayAct && <Actions {...{ shown, again }} />}
      </div>
      {approvals.map((approval) => (
        <ApprovalCard key={approval.id} {...{ approval, again }} />
      ))}
      <h3>Money</h3>
      <Money payment={payment} />
      <Rows
        name="Refunds"
        rows={refunds}
        columns={mayAct ? [...refundColumns, ['Action', resolve]] : refundColumns}
      />
      <Rows name="Other payments of this order" rows={others} columns={otherColumns(payment)} />
      <Rows name="Timeline" rows={timeline} columns={timelineColumns} />
      <Rows
        {...{ name: 'Events to your server', rows: events }}
        columns={mayAct ? [...eventColumns, ['Action', redeliver]] : eventColumns}
      />
      <h3>Names</h3>
      <Names payment={payment} />
    </>
  );
}

/** A part of the page that is a table; nothing if it has no rows. */
function Rows<T extends { id: string }>(props: {
  name: string;
  rows: T[];
  columns: Column<T>[];
}): JSX.Element | null {
  const { name, ...table } = props;
  if (table.rows.length === 0) return null;
  return (
    <>
      <h3>{name}</h3>
      <Table {...table} caption={name} keyOf={({ id }) => id} />
    </>
  );
}

function otherColumns({ duplicateOf }: PaymentDto): Column<PaymentDto>[] {
  return [
    ['Payment', ({ id, gatewayReference }) => <a href={hrefOf(`payments/${id}`)}>{gatewayReference}</a>],
    ['Amount', ({ amount, currency }) => <Sum {...{ amount, currency }} />, 'number'],
    ['Status', (other) => <Badges payment={other} />],
    ['Role', ({ id }) => id === duplicateOf && 'Pays the order'],
  ];
}

/** A button for each thing that may be done now, and what it does. */
function Actions({ shown: { payment, refunds }, again }: DetailsProps): JSX.Element {
  const session = useSession();
  const [error, setError] = useState<unknown>();
  const refresh = async (): Promise<void> => {
    const params = { path: { id: payment.id } };
    await answer(session.service.POST('/v1/payments/{id}/refresh', { params, body: {} }));
    await again();
    session.announce('The gateway was asked. The payment is as shown now.');
  };
  const press = (name: ActionName): void => {
    setError(undefined);
    if (name === 'refresh') void refresh().catch(setError);
    else session.ask(questionOf(name, session, payment), again);
  };
  return (
    <>
      <ul class="actions" aria-label="What may be done">
        {mayBeDone(payment, refunds).map((name) => (
          <li key={name}>
            <button type="button" class={name === 'resolve' ? 'primary' : ''} onClick={() => press(name)}>
              {ACTION_WORDS[name]}
            </button>
            <span class="muted">{explained(name, payment)}</span>
          </li>
        ))}
      </ul>
      <Problem error={error} />
    </>
  );
}

function Money({ payment }: { payment: PaymentDto }): JSX.Element {
  const { method, card, currency } = payment;
  const sum = (amount: string | null): JSX.Element | null =>
    amount === null ? null : <Sum {...{ amount, currency }} />;
  return (
    <Facts
      facts={[
        ['Asked for', sum(payment.amount)],
        ['Held', sum(payment.amountAuthorized)],
        ['Paid', sum(payment.amountCaptured)],
        ['Refunded', sum(payment.amountRefunded)],
        ['Disputed', sum(payment.amountDisputed)],
        ['Method', `${methodWord(method)}${card ? ` · ${card.brand} ···· ${card.last4}` : ''}`],
      ]}
    />
  );
}

function Names({ payment }: { payment: PaymentDto }): JSX.Element {
  const { id, reference, gatewayReference, transactionRef, failure, createdAt, paidAt } = payment;
  return (
    <Facts
      facts={[
        ['Reference', <Copied text={reference} name="the reference" />],
        ['Gateway reference', <Copied text={gatewayReference} name="the gateway reference" />],
        ['Transaction', transactionRef && <Copied text={transactionRef} name="the transaction" />],
        ['Payment', <Copied text={id} name="the payment’s id" />],
        ['Failure', failure && <code>{failure.gatewayCode ?? failure.code}</code>],
        ['Created', <Moment at={createdAt} />],
        ['Paid', paidAt && <Moment at={paidAt} />],
      ]}
    />
  );
}
