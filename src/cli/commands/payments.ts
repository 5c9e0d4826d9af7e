import type { PaymentDto, TimelineDto, TimelineEntryDto } from '../../payments/views/payment.dto.js';
import { serviceOf, type CommandContext } from '../command-context.js';
import { CommandFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ServiceClient } from '../service-client.js';
import { table } from '../output/table.js';

/** The largest page that the service returns. */
const PAGE = 100;

export interface PaymentFilter {
  reference?: string | undefined;
  status?: string | undefined;
  method?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  amount?: string | undefined;
  last4?: string | undefined;
  gatewayReference?: string | undefined;
  needsAttention: boolean;
  limit: number;
}

/** Lists payments, the newest first. */
export async function listPayments(context: CommandContext, filter: PaymentFilter): Promise<ExitCode> {
  const payments = await findPayments(serviceOf(context), filter);
  context.reporter.report({
    text:
      payments.length === 0
        ? ['No payments.']
        : table([
            ['CREATED', 'PAYMENT', 'REFERENCE', 'METHOD', 'AMOUNT', 'STATUS', ''],
            ...payments.map(asRow),
          ]),
    json: { data: payments },
  });
  return EXIT.done;
}

/** Loads page after page until there are enough payments. */
export async function findPayments(service: ServiceClient, filter: PaymentFilter): Promise<PaymentDto[]> {
  const query = new URLSearchParams({ limit: String(Math.min(PAGE, filter.limit)) });
  const { limit: _, needsAttention, ...words } = filter;
  for (const [name, word] of Object.entries(words)) if (word !== undefined) query.set(name, word);
  if (needsAttention) query.set('needsAttention', 'true');
  const found: PaymentDto[] = [];
  for await (const page of service.pages<PaymentDto>(`/v1/payments?${query.toString()}`, 'cursor')) {
    found.push(...page);
    if (found.length >= filter.limit) break;
  }
  return found.slice(0, filter.limit);
}

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
  const [payment, ...more] = await findPayments(service, {
    reference,
    status: undefined,
    needsAttention: false,
    limit: PAGE,
  });
  if (!payment) throw new CommandFailure(`There is no payment with the reference ${reference}.`, 'not-found');
  if (more.length === 0) return payment.id;
  throw new CommandFailure(
    [
      `The reference ${reference} has ${more.length + 1} payments; name one:`,
      ...table([payment, ...more].map(asRow)).map((line) => `  ${line}`),
    ].join('\n'),
    'ambiguous',
    EXIT.usage,
  );
}

function asRow(payment: PaymentDto): string[] {
  const { createdAt, id, reference, method, amount, currency, status } = payment;
  return [createdAt, id, reference, method, `${amount} ${currency}`, status, remarks(payment).join(', ')];
}

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
