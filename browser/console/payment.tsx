import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalDto, EventDto, PaymentDto, RefundDto, TimelineEntryDto } from '../generated/api.js';
import { ApprovalCard } from './approvals.js';
import { money } from './amounts.js';
import { Ask } from './ask.js';
import { Problem } from './fields.js';
import { Badges, Copied, Facts, Moment, Sum } from './parts.js';
import { CancelDialog, CompleteDialog, RefundDialog, VoidDialog, type DialogProps } from './payment-dialogs.js';
import { inPlainWords, mayBeDone, refundable, type ActionName } from './plain-words.js';
import { useRead } from './reading.js';
import { ResolveDialog } from './resolve-dialog.js';
import { hrefOf } from './route.js';
import { answer } from './service.js';
import { mayAct, mayReadAll, useSession, type Session } from './session.js';
import { detail, entrySentence } from './timeline.js';
import { exactTime } from './times.js';
import { attentionSentence, deliveryWords, methodWord, personOf, REFUND_WORDS, statusWord } from './words.js';

const FRESH_SECONDS = 15;
const WAIT_SECONDS = 20;
const PAUSE_MS = 5_000;
const LIVE = ['processing', 'requires_action', 'authorized'];

/** All that is shown of one payment. */
interface Shown {
  payment: PaymentDto;
  timeline: TimelineEntryDto[];
  refunds: RefundDto[];
  events: EventDto[];
  approvals: ApprovalDto[];
  /** The other payments of its order. */
  others: PaymentDto[];
}

async function readPayment({ service, caller }: Session, id: string): Promise<Shown> {
  const params = { path: { id } };
  const payment = await answer(service.GET('/v1/payments/{id}', { params }));
  const nothing = { data: [] };
  const [timeline, refunds, order, events, approvals] = await Promise.all([
    answer(service.GET('/v1/payments/{id}/events', { params })),
    answer(service.GET('/v1/payments/{id}/refunds', { params })),
    answer(service.GET('/v1/payments', { params: { query: { reference: payment.reference } } })),
    mayReadAll(caller)
      ? answer(service.GET('/v1/events', { params: { query: { paymentId: id, limit: '100' } } }))
      : nothing,
    mayReadAll(caller)
      ? answer(service.GET('/v1/approvals', { params: { query: { paymentId: id, state: 'waiting' } } }))
      : nothing,
  ]);
  const others = order.data.filter((other) => other.id !== id);
  return {
    ...{ payment, others, timeline: timeline.data, refunds: refunds.data },
    ...{ events: events.data, approvals: approvals.data },
  };
}

/** One payment: what happened, its money, and what may be done. It follows the payment while it is open. */
export function PaymentPage({ id }: { id: string }): JSX.Element {
  const session = useSession();
  const { value, error, again } = useRead(() => readPayment(session, id), [id], FRESH_SECONDS);
  const payment = value?.payment;
  useFollow(payment, again);
  useAnnounced(payment);
  const done = (words: string): void => {
    session.announce(words);
    void again();
    document.querySelector<HTMLElement>('main h2')?.focus({ preventScroll: true });
  };
  return (
    <section class="stack" aria-label="Payment">
      <h2 tabIndex={-1}>
        {payment?.reference ?? 'Payment'}
        {payment && <Badges payment={payment} />}
      </h2>
      <Problem error={error} />
      {value && <Details shown={value} done={done} />}
    </section>
  );
}

/** Waits at the service for the next change of a payment that is open. */
function useFollow(payment: PaymentDto | undefined, again: () => Promise<void>): void {
  const { service } = useSession();
  const isOpen = payment !== undefined && (LIVE.includes(payment.status) || payment.pendingOperation !== null);
  const id = payment?.id ?? '';
  useEffect(() => {
    if (!isOpen) return undefined;
    const stop = new AbortController();
    const params = { path: { id }, query: { wait: String(WAIT_SECONDS) } };
    const follow = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const started = performance.now();
        if (!document.hidden) await answer(service.GET('/v1/payments/{id}', { params, signal: stop.signal })).then(again);
        const early = PAUSE_MS - (performance.now() - started);
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, document.hidden ? PAUSE_MS : 500));
      }
    };
    const untilStopped = (): Promise<void> =>
      follow().catch(() => {
        if (!stop.signal.aborted) setTimeout(() => void untilStopped(), PAUSE_MS);
      });
    void untilStopped();
    return () => stop.abort();
  }, [id, isOpen, again]);
}

/** Says when the open payment's status changes. */
function useAnnounced(payment: PaymentDto | undefined): void {
  const { announce } = useSession();
  const before = useRef<string>();
  useEffect(() => {
    if (payment === undefined) return;
    const now = `${statusWord(payment.status)}${payment.needsAttention ? ', needs attention' : ''}`;
    if (before.current !== undefined && before.current !== now) announce(`${payment.reference}: ${now}.`);
    before.current = now;
  }, [payment]);
}

function Details({ shown, done }: { shown: Shown; done: (words: string) => void }): JSX.Element {
  const { payment, timeline, refunds, events, approvals, others } = shown;
  const { caller } = useSession();
  return (
    <>
      <div class={`card stack ${payment.needsAttention ? 'alerting' : ''}`}>
        {payment.attentionReasons.map((reason) => (
          <p key={reason}>
            <strong>{attentionSentence(reason)}</strong>
          </p>
        ))}
        {inPlainWords(payment, refunds).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {mayAct(caller) && <Actions payment={payment} refunds={refunds} done={done} />}
      </div>
      {approvals.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} decided={done} />
      ))}
      <Part title="Money">
        <MoneyFacts payment={payment} />
        {refunds.length > 0 && <Refunds payment={payment} refunds={refunds} done={done} />}
      </Part>
      {others.length > 0 && (
        <Part title="Other payments of this order">
          <ul class="lines">
            {others.map((other) => (
              <li key={other.id}>
                <a href={hrefOf(`payments/${other.id}`)}>{other.gatewayReference}</a>
                <Sum amount={other.amount} currency={other.currency} />
                <Badges payment={other} />
                {other.id === payment.duplicateOf && <span class="muted">Pays the order</span>}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title="Timeline">
        <ol class="lines">
          {timeline.map((entry) => (
            <li key={entry.id}>
              <Moment at={entry.at} as={exactTime} />
              <span class={entry.to && 'strong'}>{entrySentence(entry, payment.currency)}</span>
              {entry.actor !== null && <span class="muted">by {personOf(entry.actor)}</span>}
              {detail(entry, 'note') !== '' && <span class="muted">“{detail(entry, 'note')}”</span>}
            </li>
          ))}
        </ol>
      </Part>
      {mayReadAll(caller) && (
        <Part title="Events to your server">
          <Events events={events} done={done} />
        </Part>
      )}
      <Part title="Names">
        <Names payment={payment} />
      </Part>
    </>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <section class="stack">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function MoneyFacts({ payment }: { payment: PaymentDto }): JSX.Element {
  const { method, card, currency } = payment;
  const sum = (amount: string | null): JSX.Element | null =>
    amount === null ? null : <Sum amount={amount} currency={currency} />;
  return (
    <Facts
      rows={[
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
      rows={[
        ['Reference', <Copied text={reference} name="the reference" />],
        ['Gateway reference', <Copied text={gatewayReference} name="the gateway reference" />],
        ['Transaction', transactionRef && <Copied text={transactionRef} name="the transaction" />],
        ['Payment', <Copied text={id} name="the payment’s id" />],
        ['Failure', failure && <code>{failure.gatewayCode ?? failure.code}</code>],
        ['Created', <Moment at={createdAt} as={exactTime} />],
        ['Paid', paidAt && <Moment at={paidAt} as={exactTime} />],
      ]}
    />
  );
}

const DIALOGS: Partial<Record<ActionName, (props: DialogProps) => JSX.Element>> = {
  resolve: ResolveDialog,
  complete: CompleteDialog,
  refund: RefundDialog,
  void: VoidDialog,
  cancel: CancelDialog,
};

const LABELS: Record<ActionName, string> = {
  resolve: 'Resolve',
  complete: 'Complete',
  refund: 'Refund',
  void: 'Void',
  cancel: 'Cancel payment',
  refresh: 'Refresh',
};

interface ActionsProps {
  payment: PaymentDto;
  refunds: RefundDto[];
  done: (words: string) => void;
}

/** A button for each thing that may be done now, and what it does. */
function Actions({ payment, refunds, done }: ActionsProps): JSX.Element {
  const { service } = useSession();
  const [asked, ask] = useState<ActionName>();
  const [error, setError] = useState<unknown>();
  const Dialog = asked && DIALOGS[asked];
  const refresh = async (): Promise<void> => {
    const params = { path: { id: payment.id } };
    await answer(service.POST('/v1/payments/{id}/refresh', { params, body: {} })).then(
      () => done('The gateway was asked. The payment is as shown now.'),
      setError,
    );
  };
  const press = (name: ActionName): void => {
    setError(undefined);
    if (name === 'refresh') void refresh();
    else ask(name);
  };
  return (
    <>
      <ul class="actions" aria-label="What may be done">
        {mayBeDone(payment, refunds).map((name) => (
          <li key={name}>
            <button type="button" class={name === 'resolve' ? 'primary' : ''} onClick={() => press(name)}>
              {LABELS[name]}
            </button>
            <span class="muted">{explained(name, payment)}</span>
          </li>
        ))}
      </ul>
      <Problem error={error} />
      {Dialog && <Dialog payment={payment} done={done} close={() => ask(undefined)} />}
    </>
  );
}

function explained(name: ActionName, payment: PaymentDto): string {
  const of = (amount: string): string => money(amount, payment.currency);
  switch (name) {
    case 'resolve':
      return 'Record what you found out elsewhere.';
    case 'complete':
      return `Take the ${of(payment.amountAuthorized ?? payment.amount)} that is held, or less.`;
    case 'refund':
      return `Give back up to ${of(refundable(payment))}.`;
    case 'void':
      return payment.status === 'authorized' ? 'Let the held money go.' : 'Give back all of the money.';
    case 'cancel':
      return 'Stop waiting for the payer.';
    case 'refresh':
      return 'Ask the gateway now.';
  }
}

function Refunds({ payment, refunds, done }: ActionsProps): JSX.Element {
  const { caller } = useSession();
  const [asked, ask] = useState<RefundDto>();
  const { currency, needsAttention, attentionReasons } = payment;
  const mayResolve = ({ status }: RefundDto): boolean =>
    mayAct(caller) &&
    needsAttention &&
    (status === 'processing' || (status === 'succeeded' && attentionReasons.includes('refund_unexplained')));
  return (
    <ul class="lines" aria-label="Refunds">
      {refunds.map((refund) => (
        <li key={refund.id}>
          <Moment at={refund.createdAt} />
          <span class="strong">
            <Sum amount={refund.amount} currency={currency} />
          </span>
          <span>{refund.late === true ? 'Came back: not refunded' : REFUND_WORDS[refund.status]}</span>
          {refund.reason !== null && <span class="muted">“{refund.reason}”</span>}
          {mayResolve(refund) && (
            <button
              type="button"
              class="small"
              aria-label={`Resolve the refund of ${money(refund.amount, currency)}`}
              onClick={() => ask(refund)}
            >
              Resolve
            </button>
          )}
        </li>
      ))}
      {asked && <ResolveDialog payment={payment} refund={asked} done={done} close={() => ask(undefined)} />}
    </ul>
  );
}

/** What the merchant's server got, or is to get, about this payment. */
function Events({ events, done }: { events: EventDto[]; done: (words: string) => void }): JSX.Element {
  const { service, caller } = useSession();
  const [asked, ask] = useState<EventDto>();
  const redeliver = async ({ id }: EventDto): Promise<void> => {
    await answer(service.POST('/v1/events/{id}/redeliver', { params: { path: { id } }, body: {} }));
    done('The event is on its way.');
  };
  if (events.length === 0) return <p class="muted">None yet.</p>;
  return (
    <>
      <ul class="lines">
        {events.map((event) => (
          <li key={event.id}>
            <Moment at={event.timestamp} as={exactTime} />
            <code>{event.type}</code>
            <span>{deliveryWords(event)}</span>
            {mayAct(caller) && (
              <button type="button" class="small" aria-label={`Redeliver ${event.type}`} onClick={() => ask(event)}>
                Redeliver
              </button>
            )}
          </li>
        ))}
      </ul>
      {asked && (
        <Ask
          {...{ title: 'Send this event again?', action: 'Redeliver event', close: () => ask(undefined) }}
          run={() => redeliver(asked)}
        >
          <p>{asked.type} is sent to your server once more, with the same webhook-id.</p>
        </Ask>
      )}
    </>
  );
}
