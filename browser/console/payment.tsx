import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalDto, EventDto, PaymentDto, RefundDto, TimelineEntryDto } from '../generated/api.js';
import { questionOf } from './acts.js';
import { ApprovalCard } from './approvals.js';
import type { Question } from './ask.js';
import { Problem } from './form.js';
import { Badges, Loaded, Page } from './parts.js';
import { EntryLine, EventLine, Money, Names, OtherLine, RefundLine } from './payment-parts.js';
import { explained, inPlainWords, mayBeDone, type ActionName } from './plain-words.js';
import { useRead } from './reading.js';
import { answer } from './service.js';
import { useSession, type Session } from './session.js';
import { ACTION_WORDS, attentionSentence, statusWord } from './words.js';

const FRESH_SECONDS = 15;
const WAIT_SECONDS = 20;
const PAUSE_MS = 3_000;
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
  const reading = useRead(() => readPayment(session, id), [id], FRESH_SECONDS);
  const { value, again } = reading;
  const payment = value?.payment;
  useFollow(payment, again);
  useAnnounced(payment);
  const ask = (question: Question): void =>
    session.ask({
      ...question,
      run: async (values) => {
        const words = await question.run(values);
        await again();
        return words;
      },
    });
  const title = (
    <>
      {payment?.reference ?? 'Payment'} {payment && <Badges payment={payment} />}
    </>
  );
  return (
    <Page title={title}>
      <Loaded of={reading}>{(shown) => <Details {...{ shown, ask, again }} />}</Loaded>
    </Page>
  );
}

/** Waits at the service for the next change of a payment that is open. */
function useFollow(payment: PaymentDto | undefined, again: () => Promise<void>): void {
  const { service } = useSession();
  const { id = '', status = '', pendingOperation } = payment ?? {};
  const isOpen = LIVE.includes(status) || Boolean(pendingOperation);
  useEffect(() => {
    if (!isOpen) return undefined;
    const stop = new AbortController();
    const wait = { params: { path: { id }, query: { wait: String(WAIT_SECONDS) } }, signal: stop.signal };
    const follow = async (): Promise<void> => {
      if (!document.hidden) await answer(service.GET('/v1/payments/{id}', wait)).then(again, () => undefined);
      // At least this long between two calls, whatever the service answers.
      setTimeout(() => !stop.signal.aborted && void follow(), document.hidden ? PAUSE_MS : 500);
    };
    void follow();
    return () => stop.abort();
  }, [id, isOpen, again]);
}

/** Says when the open payment changes. */
function useAnnounced(payment: PaymentDto | undefined): void {
  const { announce } = useSession();
  const before = useRef('');
  useEffect(() => {
    if (payment === undefined) return;
    const now = `${statusWord(payment.status)}${payment.needsAttention ? ', needs attention' : ''}`;
    if (before.current !== '' && before.current !== now) announce(`${payment.reference}: ${now}.`);
    before.current = now;
  }, [payment]);
}

interface DetailsProps {
  shown: Shown;
  ask: (question: Question) => void;
  again: () => Promise<void>;
}

function Details({ shown, ask, again }: DetailsProps): JSX.Element {
  const { payment, timeline, refunds, approvals, others } = shown;
  const { caller } = useSession();
  return (
    <>
      <div class={`card stack ${payment.needsAttention ? 'alerting' : ''}`}>
        {payment.attentionReasons.map((reason) => (
          <p key={reason} class="strong">
            {attentionSentence(reason)}
          </p>
        ))}
        {inPlainWords(payment, refunds).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {caller.access === 'full' && <Actions {...{ shown, ask, again }} />}
      </div>
      {approvals.map((approval) => (
        <ApprovalCard key={approval.id} {...{ approval, again }} />
      ))}
      <Part title="Money">
        <Money payment={payment} />
        <Lines of={refunds} line={(refund) => <RefundLine {...{ payment, refund, ask }} />} />
      </Part>
      {others.length > 0 && (
        <Part title="Other payments of this order">
          <Lines of={others} line={(other) => <OtherLine payment={payment} other={other} />} />
        </Part>
      )}
      <Part title="Timeline">
        <Lines of={timeline} line={(entry) => <EntryLine entry={entry} currency={payment.currency} />} />
      </Part>
      {caller.access !== 'books' && (
        <Part title="Events to your server">
          <Lines of={shown.events} line={(event) => <EventLine {...{ event, ask }} />} />
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

function Lines<T extends { id: string }>({
  of,
  line,
}: {
  of: T[];
  line: (row: T) => JSX.Element;
}): JSX.Element {
  return (
    <ul class="lines">
      {of.map((row) => (
        <li key={row.id}>{line(row)}</li>
      ))}
    </ul>
  );
}

/** A button for each thing that may be done now, and what it does. */
function Actions({ shown: { payment, refunds }, ask, again }: DetailsProps): JSX.Element {
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
    else ask(questionOf(name, session, payment));
  };
  return (
    <>
      <ul class="lines actions" aria-label="What may be done">
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
