import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { EventDto, PaymentDto, RefundDto, TimelineEntryDto } from '../generated/api.js';
import { questionOf, redeliverQuestion, resolveQuestion } from './acts.js';
import { money } from './amounts.js';
import { Waiting } from './approvals.js';
import { AskButton } from './ask.js';
import { Form } from './form.js';
import { List, Table, type Column } from './list.js';
import { Badges, Facts, Loaded, Moment, Page, PaymentLink, Sum } from './parts.js';
import { inPlainWords, mayBeDone, mayResolve } from './plain-words.js';
import { useRead, type PageOf } from './reading.js';
import { hrefOf } from './route.js';
import { answer } from './service.js';
import { useSession, type Session } from './session.js';
import { detail, entryWords } from './timeline.js';
import { attentionSentence, inWords, methodWords, personOf } from './words.js';

interface Shown {
  payment: PaymentDto;
  timeline: TimelineEntryDto[];
  refunds: RefundDto[];
}

async function readPayment({ service }: Session, id: string): Promise<Shown> {
  const params = { path: { id } };
  const [payment, timeline, refunds] = await Promise.all([
    answer(service.GET('/v1/payments/{id}', { params })),
    answer(service.GET('/v1/payments/{id}/events', { params })),
    answer(service.GET('/v1/payments/{id}/refunds', { params })),
  ]);
  return { payment, timeline: timeline.data, refunds: refunds.data };
}

/** One payment: what happened, its money, and what may be done. */
export function PaymentPage({ id }: { id: string }): JSX.Element {
  const session = useSession();
  const reading = useRead(() => readPayment(session, id), true);
  const payment = reading.value?.payment;
  const isMerchant = session.caller.access !== 'books';
  useNews(payment);
  return (
    <Page title={payment?.reference ?? 'Payment'} beside={payment && <Badges payment={payment} />}>
      <Loaded of={reading}>
        {(shown) => (
          <>
            <Story {...shown} />
            {isMerchant && <Waiting paymentId={id} />}
            <Figures payment={shown.payment} />
            <Refunds {...shown} />
            <h3>Timeline</h3>
            <Table
              {...{ caption: 'Timeline', rows: shown.timeline, columns: timelineColumns(shown.payment) }}
            />
            {isMerchant && <Events id={id} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Announces a status that has changed. */
function useNews(payment: PaymentDto | undefined): void {
  const { announce } = useSession();
  const { reference, status, needsAttention } = payment ?? {};
  const now = status && `${reference}: ${inWords(status)}${needsAttention ? ', needs attention' : ''}.`;
  const before = useRef<string>();
  useEffect(() => {
    if (before.current && now) announce(now);
    before.current = now;
  }, [now]);
}

/** What happened in plain words, and a button for each thing that may be done now. */
function Story({ payment, refunds }: Shown): JSX.Element {
  const session = useSession();
  const refresh = async (): Promise<void> => {
    await session.changes.post(`payments/${payment.id}/refresh`, {});
    session.changed();
    session.announce('The gateway was asked. The payment is as shown now.');
  };
  return (
    <div class={`card stack ${payment.needsAttention ? 'alerting' : ''}`}>
      {payment.attentionReasons.map((reason) => (
        <p key={reason} class="strong">
          {attentionSentence(reason)}
        </p>
      ))}
      {inPlainWords(payment).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {session.caller.access === 'full' && (
        <Form
          {...{ fields: [], action: 'Refresh', label: 'What may be done', kind: 'actions', run: refresh }}
        >
          {mayBeDone(payment, refunds).map((name) => (
            <AskButton
              {...{ key: name, name: inWords(name), kind: '' }}
              question={() => questionOf(name, session, payment)}
            />
          ))}
        </Form>
      )}
    </div>
  );
}

function Figures({ payment }: { payment: PaymentDto }): JSX.Element {
  const { currency, paidAt, transactionRef, failure, duplicateOf, reference } = payment;
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
        ['Method', methodWords(payment)],
        ['Created', <Moment at={payment.createdAt} />],
        ['Paid on', paidAt && <Moment at={paidAt} />],
        ['Order', <a href={hrefOf('payments', { reference })}>{reference}</a>],
        ['Duplicate of', duplicateOf && <PaymentLink id={duplicateOf} name={duplicateOf} />],
        ['Gateway reference', <code>{payment.gatewayReference}</code>],
        ['Transaction', transactionRef && <code>{transactionRef}</code>],
        ['Payment', <code>{payment.id}</code>],
        ['Failure', failure && <code>{failure.gatewayCode ?? failure.code}</code>],
      ]}
    />
  );
}

function Refunds({ payment, refunds }: Shown): JSX.Element | null {
  const session = useSession();
  const { currency } = payment;
  const columns: Column<RefundDto>[] = [
    ['Refund', ({ amount }) => <Sum {...{ amount, currency }} />],
    ['Outcome', ({ status, late }) => (late === true ? 'Came back: not refunded' : inWords(status))],
    ['Reason', ({ reason }) => reason],
    ['Asked', ({ createdAt }) => <Moment at={createdAt} />, 'when'],
    [
      'Action',
      (refund) =>
        session.caller.access === 'full' &&
        mayResolve(payment, refund) && (
          <AskButton
            {...{ name: 'Resolve', about: `the refund of ${money(refund.amount, currency)}` }}
            question={() => resolveQuestion(session, payment, refund)}
          />
        ),
    ],
  ];
  if (refunds.length === 0) return null;
  return (
    <>
      <h3>Refunds</h3>
      <Table {...{ caption: 'Refunds', rows: refunds, columns }} />
    </>
  );
}

function timelineColumns({ currency }: PaymentDto): Column<TimelineEntryDto>[] {
  return [
    ['What', (entry) => entryWords(entry, currency)],
    ['By', ({ actor }) => actor && personOf(actor)],
    ['Note', (entry) => detail(entry, 'note')],
    ['When', ({ at }) => <Moment at={at} />, 'when'],
  ];
}

/** The events to the merchant's server. */
function Events({ id }: { id: string }): JSX.Element {
  const session = useSession();
  const query = { paymentId: id, limit: '100' };
  const read = async (): Promise<PageOf<EventDto>> => {
    const { data } = await answer(session.service.GET('/v1/events', { params: { query } }));
    return { data };
  };
  const columns: Column<EventDto>[] = [
    ['Event', ({ type }) => <code>{type}</code>],
    ['Delivery', ({ delivery }) => inWords(delivery.status)],
    ['When', ({ timestamp }) => <Moment at={timestamp} />, 'when'],
    [
      'Action',
      (event) =>
        session.caller.access === 'full' && (
          <AskButton name="Redeliver" about={event.type} question={() => redeliverQuestion(session, event)} />
        ),
    ],
  ];
  return (
    <>
      <h3>Events to your server</h3>
      <List {...{ caption: 'Events to your server', columns, empty: 'None yet.', isFresh: true, read }} />
    </>
  );
}
