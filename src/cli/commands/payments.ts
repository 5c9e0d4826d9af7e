import { randomUUID } from 'node:crypto';
import type { PaymentDto, TimelineDto, TimelineEntryDto } from '../../payments/views/payment.dto.js';
import type { ApprovedDto } from '../../approvals/approval.dto.js';
import type { PaymentRefundDto } from '../../payments/views/refund.dto.js';
import { type CommandContext, CommandFailure, EXIT, type ExitCode } from '../command.js';
import { serviceOf, type ServiceClient, ServiceRefusal } from '../service-client.js';
import { cellsOf, table, type Columns } from '../output.js';

/** How many payments of one reference are named, to choose from. */
const MOST_NAMED = 100;

/** A payment in a list. */
export const PAYMENT_COLUMNS: Columns<PaymentDto> = {
  CREATED: ({ createdAt }) => createdAt,
  PAYMENT: ({ id }) => id,
  REFERENCE: ({ reference }) => reference,
  METHOD: ({ method }) => method,
  AMOUNT: ({ amount, currency }) => `${amount} ${currency}`,
  STATUS: ({ status }) => status,
  '': (payment) => remarks(payment).join(', '),
};

/** Shows a payment with its timeline. It is found by id, or by a reference that has only one. */
export async function showPayment(context: CommandContext, given: string): Promise<ExitCode> {
  const service = serviceOf(context);
  const id = await paymentIdOf(service, given);
  const payment = await service.get<PaymentDto>(`/v1/payments/${encodeURIComponent(id)}`);
  const { data: timeline } = await service.get<TimelineDto>(`/v1/payments/${encodeURIComponent(id)}/events`);
  context.reporter.report({
    text: [...describe(payment), '', 'Timeline:', ...table(timeline.map(asTimelineRow))],
    json: { payment, timeline },
  });
  return EXIT.done;
}

/** The id of the payment that is named by its id, or by a reference that has only one. */
export async function paymentIdOf(service: ServiceClient, given: string): Promise<string> {
  return given.startsWith('pay_') ? given : onlyPaymentOf(service, given);
}

async function onlyPaymentOf(service: ServiceClient, reference: string): Promise<string> {
  const query = { reference, limit: MOST_NAMED };
  const [payment, ...more] = await service.all<PaymentDto>('/v1/payments', query);
  if (!payment) throw new CommandFailure(`There is no payment with the reference ${reference}.`, 'not-found');
  if (more.length === 0) return payment.id;
  throw new CommandFailure(
    [
      `The reference ${reference} has ${more.length + 1} payments; name one:`,
      ...table([payment, ...more].map((one) => cellsOf(PAYMENT_COLUMNS, one))).map((line) => `  ${line}`),
    ].join('\n'),
    'ambiguous',
    EXIT.usage,
  );
}

/** What is noteworthy about a payment besides its status. */
function remarks(payment: PaymentDto): string[] {
  const { needsAttention, pendingOperation, duplicateOf, failure } = payment;
  return [
    ...(needsAttention ? ['needs attention'] : []),
    ...(pendingOperation ? [`${pendingOperation.type} unknown since ${pendingOperation.since}`] : []),
    ...(duplicateOf === null ? [] : [`duplicate of ${duplicateOf}`]),
    ...(failure ? [failure.code] : []),
  ];
}

function describe(payment: PaymentDto): string[] {
  const { failure, card, nextAction } = payment;
  const amounts = [
    `${payment.amount} ${payment.currency}`,
    ...(payment.amountAuthorized === null ? [] : [`held ${payment.amountAuthorized}`]),
    ...(payment.amountCaptured === null ? [] : [`paid ${payment.amountCaptured}`]),
    ...(payment.amountRefunded === null ? [] : [`given back ${payment.amountRefunded}`]),
  ];
  return table([
    ['Payment', `${payment.id}${payment.livemode ? '' : ' (test money)'}`],
    ['Status', [payment.status, ...remarks(payment).filter((remark) => remark !== failure?.code)].join(', ')],
    ...(failure ? [['Failure', `${failure.code}: ${failure.message}`]] : []),
    ...(nextAction ? [['Waiting for', nextAction.type]] : []),
    ['Amount', amounts.join(', ')],
    ['Method', card ? `${payment.method}, ${card.brand ?? 'card'} ending in ${card.last4}` : payment.method],
    ['Reference', `${payment.reference}, at the gateway ${payment.gatewayReference}`],
    ['Session', payment.sessionId],
    ['Created', payment.createdAt],
  ]);
}

function asTimelineRow(entry: TimelineEntryDto): string[] {
  const { at, type, from, to, late, actor, detail } = entry;
  const move = to === undefined ? '' : from === undefined ? to : `${from} -> ${to}`;
  const members = Object.entries(detail ?? {}).map(([name, value]) => `${name}: ${value}`);
  const rest = [
    ...(late === true ? ['late'] : []),
    ...(actor === undefined ? [] : [`by ${actor}`]),
    ...members,
  ];
  return [`  ${at}`, type, move, rest.join(', ')];
}

export interface RefundOptions {
  amount: string | undefined;
  reason: string | undefined;
  key: string | undefined;
  /** Nobody is asked before the refund. */
  yes: boolean;
}

/**
 * Gives money of a payment back, after a question to whoever sits at the terminal. Where no answer comes, the failure names the key with which the same refund can be asked for
 * again: with another one it would be a second refund.
 */
export async function refundPayment(
  context: CommandContext,
  given: string,
  { amount, reason, key = randomUUID(), yes }: RefundOptions,
): Promise<ExitCode> {
  const service = serviceOf(context);
  const id = await paymentIdOf(service, given);
  if (!yes) {
    const payment = await service.get<PaymentDto>(`/v1/payments/${encodeURIComponent(id)}`);
    if (!(await context.reporter.confirms(question(payment, amount))))
      throw new CommandFailure('Nothing was refunded.', 'declined', EXIT.found);
  }
  const body = { ...(amount !== undefined && { amount }), ...(reason !== undefined && { reason }) };
  let answer: PaymentRefundDto | ApprovedDto;
  try {
    answer = await service.post<PaymentRefundDto | ApprovedDto>(
      `/v1/payments/${encodeURIComponent(id)}/refunds`,
      body,
      undefined,
      key,
    );
  } catch (error) {
    if (error instanceof ServiceRefusal || !(error instanceof CommandFailure)) throw error;
    throw new CommandFailure(
      `${error.message}\nThe refund may have been made. Ask for the same one again with --idempotency-key ${key}`,
      error.code,
    );
  }
  if ('approval' in answer) return reportApproval(context, id, answer);
  const refund = answer;
  const said = {
    succeeded: 'was given back',
    processing: 'is being given back: the outcome is not known yet',
    failed: 'was not given back',
  }[refund.status];
  context.reporter.report({ text: [`${refund.amount} of ${id} ${said} (${refund.id}).`], json: refund });
  return refund.status === 'failed' ? EXIT.found : EXIT.done;
}

/** What a person at the terminal is asked. */
function question(payment: PaymentDto, amount: string | undefined): string {
  const { reference, currency, amountCaptured, amountRefunded } = payment;
  const before = amountRefunded === null ? '' : `, ${amountRefunded} of it refunded before`;
  const paid = `${amountCaptured ?? '0'} ${currency} was paid${before}`;
  const what = amount === undefined ? 'all that is left' : `${amount} ${currency}`;
  return `Refund ${what} of ${reference} (${paid})? It cannot be undone.`;
}

/** Nothing was sent: another person must approve it. A repeated call may find it decided. */
function reportApproval(context: CommandContext, id: string, answer: ApprovedDto): ExitCode {
  const { approval } = answer;
  const said =
    approval.state === 'waiting'
      ? `waits until another person approves it, at the latest ${approval.expiresAt}. Nothing was sent yet`
      : `is ${approval.state}`;
  context.reporter.report({
    text: [`The refund of ${approval.amount} of ${id} ${said} (${approval.id}).`],
    json: answer,
  });
  return EXIT.done;
}
