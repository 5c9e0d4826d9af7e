import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApprovedDto, PaymentDto, RefundDto } from '../generated/api.js';
import { money, typedAmount } from './amounts.js';
import { Ask } from './ask.js';
import { Amount, Note } from './fields.js';
import { refundable } from './plain-words.js';
import { answer, Refused } from './service.js';
import { useSession } from './session.js';
import { dateTime } from './times.js';
import { REFUND_WORDS } from './words.js';

export interface DialogProps {
  payment: PaymentDto;
  /** Gets what happened, in words. */
  done: (words: string) => void;
  close: () => void;
}

/** A refusal of what is no amount, before anything is sent. */
function checkAmount(text: string, name: string): void {
  if (typedAmount(text) !== undefined) return;
  const faults = [{ pointer: `/${name}`, message: 'must be an amount, such as 1500.00' }];
  throw new Refused('not-an-amount', 'Check what you typed.', faults);
}

/** An amount as typed, in words; empty if it is none. */
function wordsOf(text: string, currency: string): string {
  const amount = typedAmount(text);
  return amount === undefined ? '' : money(amount, currency);
}

export function RefundDialog({ payment, done, close }: DialogProps): JSX.Element {
  const { service, changes } = useSession();
  const { id, reference, currency, amountCaptured } = payment;
  const rest = refundable(payment);
  const [amount, setAmount] = useState(rest);
  const [reason, setReason] = useState('');
  const given = wordsOf(amount, currency);
  const run = async (): Promise<void> => {
    const body = { amount: amount.trim(), ...(reason.trim() === '' ? {} : { reason: reason.trim() }) };
    const made = await changes.make(`payments/${id}/refunds`, body, (header) =>
      answer(service.POST('/v1/payments/{id}/refunds', { params: { path: { id }, header }, body })),
    );
    done(refundWords(made, given));
  };
  return (
    <Ask
      {...{ run, close, title: `Refund ${reference}?`, action: `Refund ${given}`.trim() }}
      check={() => checkAmount(amount, 'amount')}
      sure={`Refund ${given} of ${reference} to the payer? This cannot be undone.`}
    >
      <p>
        {money(amountCaptured ?? payment.amount, currency)} was paid. {money(rest, currency)} can be refunded.
      </p>
      <Amount label="Amount" name="amount" {...{ value: amount, change: setAmount, currency }} />
      <Note
        {...{ label: 'Reason', name: 'reason', value: reason, change: setReason }}
        hint="For your own records. The gateway does not get it."
      />
    </Ask>
  );
}

function refundWords(made: RefundDto | ApprovedDto, given: string): string {
  if ('approval' in made)
    return `Nothing was sent yet: the refund of ${given} waits for a second person, until ${dateTime(made.approval.expiresAt)}.`;
  return `Refund of ${given}: ${REFUND_WORDS[made.status].toLowerCase()}.`;
}

export function CompleteDialog({ payment, done, close }: DialogProps): JSX.Element {
  const { service, changes } = useSession();
  const { id, reference, currency } = payment;
  const held = payment.amountAuthorized ?? payment.amount;
  const [amount, setAmount] = useState(held);
  const given = wordsOf(amount, currency);
  const run = async (): Promise<void> => {
    const body = amount.trim() === held ? {} : { amount: amount.trim() };
    await changes.make(`payments/${id}/complete`, body, (header) =>
      answer(service.POST('/v1/payments/{id}/complete', { params: { path: { id }, header }, body })),
    );
    done(`The gateway was asked to take ${given}.`);
  };
  return (
    <Ask
      {...{ run, close, title: `Complete ${reference}?`, action: `Take ${given}`.trim() }}
      check={() => checkAmount(amount, 'amount')}
      sure={`Take ${given} of ${money(held, currency)}? What you do not take goes back to the payer.`}
    >
      <p>{money(held, currency)} is held.</p>
      <Amount label="Amount" name="amount" {...{ value: amount, change: setAmount, currency }} />
    </Ask>
  );
}

export function VoidDialog({ payment, done, close }: DialogProps): JSX.Element {
  const { service, changes } = useSession();
  const { id, status, reference, currency } = payment;
  const isHeld = status === 'authorized';
  const amount = money((isHeld ? payment.amountAuthorized : payment.amountCaptured) ?? payment.amount, currency);
  const run = async (): Promise<void> => {
    await changes.make(`payments/${id}/void`, {}, (header) =>
      answer(service.POST('/v1/payments/{id}/void', { params: { path: { id }, header }, body: {} })),
    );
    done(`The gateway was asked to void ${amount}.`);
  };
  return (
    <Ask {...{ run, close, title: `Void ${reference}?`, action: `Void ${amount}` }}>
      <p>
        {isHeld ? `The hold of ${amount} is released.` : `All ${amount} go back to the payer.`} This cannot be undone.
      </p>
    </Ask>
  );
}

export function CancelDialog({ payment, done, close }: DialogProps): JSX.Element {
  const { service, changes } = useSession();
  const { id, reference, amount, currency } = payment;
  const run = async (): Promise<void> => {
    await changes.make(`payments/${id}/cancel`, {}, (header) =>
      answer(service.POST('/v1/payments/{id}/cancel', { params: { path: { id }, header }, body: {} })),
    );
    done('The gateway was asked, and the payment is as shown now.');
  };
  return (
    <Ask {...{ run, close, title: `Cancel ${reference}?`, action: `Cancel the payment of ${money(amount, currency)}` }}>
      <p>We ask the gateway first. If the payer has already paid, the payment stays paid.</p>
    </Ask>
  );
}
