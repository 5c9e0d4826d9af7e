import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PaymentDto, RefundDto, ResolveDto } from '../generated/api.js';
import { money, typedAmount } from './amounts.js';
import { Ask } from './ask.js';
import { Amount, Choices, Note, type Options } from './fields.js';
import type { DialogProps } from './payment-dialogs.js';
import { answer, Refused } from './service.js';
import { useSession } from './session.js';
import { attentionSentence, statusWord } from './words.js';

/** What a person may say. `as-is`: the payment stays as it is. */
type Outcome = 'as-is' | 'succeeded' | 'failed' | 'voided' | 'confirmed' | 'refused';

const REFUND_OUTCOMES: Options = [
  ['succeeded', 'Refunded: the payer got the money'],
  ['failed', 'Not refunded'],
];

/** What a person may say about a payment. Pure. */
export function outcomesOf({ status, pendingOperation }: PaymentDto): Options {
  const operation = { complete: 'completion', void: 'void' }[pendingOperation?.type ?? ''];
  return [
    ...(operation === undefined
      ? []
      : [['confirmed', `The ${operation} was done`] as const, ['refused', `The ${operation} was not done`] as const]),
    ['as-is', `Leave it as it is: ${statusWord(status)}`],
    ['succeeded', status === 'succeeded' ? 'Paid, but another amount' : 'Paid'],
    ...(status === 'failed' ? [] : [['failed', 'Not paid'] as const]),
    ...(status === 'voided' ? [] : [['voided', 'Reversed: the payer gets everything back'] as const]),
  ];
}

/** What is sent for an outcome. Pure. */
export function resolutionOf(
  outcome: Outcome,
  { payment, refund, amount, note }: { payment: PaymentDto; refund: RefundDto | undefined; amount: string; note: string },
): ResolveDto {
  if (outcome === 'confirmed' || outcome === 'refused') return { operation: outcome, note };
  if (refund !== undefined) return { refundId: refund.id, status: outcome === 'succeeded' ? 'succeeded' : 'failed', note };
  if (outcome === 'as-is') return { status: payment.status, note };
  return { status: outcome, note, ...(outcome === 'succeeded' ? { amountReceived: amount.trim() } : {}) };
}

/** Asks for what only a person can find out: about a payment, or about one of its refunds. */
export function ResolveDialog({
  payment,
  refund,
  done,
  close,
}: DialogProps & { refund?: RefundDto | undefined }): JSX.Element {
  const { service, changes } = useSession();
  const { id, reference, currency } = payment;
  const [outcome, setOutcome] = useState('');
  const [amount, setAmount] = useState(payment.amountCaptured ?? payment.amount);
  const [note, setNote] = useState('');
  const options = refund ? REFUND_OUTCOMES : outcomesOf(payment);
  const isPaid = refund === undefined && outcome === 'succeeded';
  const chosen = options.find(([word]) => word === outcome)?.[1] ?? '';
  const received = isPaid ? typedAmount(amount) : undefined;
  const words = received === undefined ? chosen : `${chosen}, ${money(received, currency)}`;
  const check = (): void => {
    if (isPaid && received === undefined) {
      const faults = [{ pointer: '/amountReceived', message: 'must be an amount, such as 1500.00' }];
      throw new Refused('not-an-amount', 'Check what you typed.', faults);
    }
  };
  const run = async (): Promise<void> => {
    const body = resolutionOf(outcome as Outcome, { payment, refund, amount, note: note.trim() });
    await changes.make(`payments/${id}/resolve`, body, (header) =>
      answer(service.POST('/v1/payments/{id}/resolve', { params: { path: { id }, header }, body })),
    );
    done('Your decision is recorded.');
  };
  const subject = refund ? `the refund of ${money(refund.amount, currency)}` : reference;
  return (
    <Ask
      {...{ check, run, close, title: `Resolve ${subject}?`, action: 'Resolve' }}
      sure={`Record “${words}” for ${subject}? This replaces what the gateway has said so far.`}
    >
      <p>Resolve it only if you know for certain, for example from a bank statement.</p>
      {payment.attentionReasons.map((reason) => (
        <p key={reason} class="muted">
          {attentionSentence(reason)}
        </p>
      ))}
      <Choices legend="What happened" value={outcome} change={setOutcome} options={options} />
      {isPaid && (
        <Amount
          {...{ label: 'Amount received', name: 'amountReceived', value: amount, change: setAmount, currency }}
        />
      )}
      <Note
        {...{ label: 'How you know', name: 'note', value: note, change: setNote, required: true }}
        hint="Kept in the timeline. Write no card or personal data."
      />
    </Ask>
  );
}
