import type { JSX } from 'preact';
import type { EventDto, PaymentDto, RefundDto, TimelineEntryDto } from '../generated/api.js';
import { redeliverQuestion, resolveQuestion } from './acts.js';
import { money } from './amounts.js';
import type { Question } from './ask.js';
import { Badges, Copied, Facts, Moment, Sum } from './parts.js';
import { mayResolve } from './plain-words.js';
import { hrefOf } from './route.js';
import { useSession } from './session.js';
import { detail, entrySentence } from './timeline.js';
import { exactTime } from './times.js';
import { deliveryWords, methodWord, personOf, REFUND_WORDS } from './words.js';

/** The parts of a payment's page that only show. */

export function Money({ payment }: { payment: PaymentDto }): JSX.Element {
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

export function Names({ payment }: { payment: PaymentDto }): JSX.Element {
  const { id, reference, gatewayReference, transactionRef, failure, createdAt, paidAt } = payment;
  return (
    <Facts
      facts={[
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

interface RefundLineProps {
  payment: PaymentDto;
  refund: RefundDto;
  ask: (question: Question) => void;
}

export function RefundLine({ payment, refund, ask }: RefundLineProps): JSX.Element {
  const session = useSession();
  const { amount, status, late, reason, createdAt } = refund;
  return (
    <>
      <Moment at={createdAt} as={exactTime} />
      <span class="strong">
        <Sum amount={amount} currency={payment.currency} />
      </span>
      <span>{late === true ? 'Came back: not refunded' : REFUND_WORDS[status]}</span>
      {reason !== null && <span class="muted">“{reason}”</span>}
      {session.caller.access === 'full' && mayResolve(payment, refund) && (
        <button
          {...{ type: 'button', class: 'small' }}
          aria-label={`Resolve the refund of ${money(amount, payment.currency)}`}
          onClick={() => ask(resolveQuestion(session, payment, refund))}
        >
          Resolve
        </button>
      )}
    </>
  );
}

export function OtherLine({ payment, other }: { payment: PaymentDto; other: PaymentDto }): JSX.Element {
  return (
    <>
      <a href={hrefOf(`payments/${other.id}`)}>{other.gatewayReference}</a>
      <Sum amount={other.amount} currency={other.currency} />
      <Badges payment={other} />
      {other.id === payment.duplicateOf && <span class="muted">Pays the order</span>}
    </>
  );
}

export function EntryLine({ entry, currency }: { entry: TimelineEntryDto; currency: string }): JSX.Element {
  const note = detail(entry, 'note');
  return (
    <>
      <Moment at={entry.at} as={exactTime} />
      <span class={entry.to && 'strong'}>{entrySentence(entry, currency)}</span>
      {entry.actor !== null && <span class="muted">by {personOf(entry.actor)}</span>}
      {note !== '' && <span class="muted">“{note}”</span>}
    </>
  );
}

export function EventLine({
  event,
  ask,
}: {
  event: EventDto;
  ask: (question: Question) => void;
}): JSX.Element {
  const session = useSession();
  return (
    <>
      <Moment at={event.timestamp} as={exactTime} />
      <code>{event.type}</code>
      <span>{deliveryWords(event)}</span>
      {session.caller.access === 'full' && (
        <button
          {...{ type: 'button', class: 'small' }}
          aria-label={`Redeliver ${event.type}`}
          onClick={() => ask(redeliverQuestion(session, event))}
        >
          Redeliver
        </button>
      )}
    </>
  );
}
