import type { Command } from 'commander';
import { PAYMENT_METHODS } from '../config/payment-method.js';
import { SUMMARY_KEYS } from '../reports/totals.repository.js';
import { DIFFERENCE_KINDS, FORMER_DIFFERENCE_KINDS } from '../settlement/difference.js';
import { PAYMENT_STATUSES } from '../store/schema.js';
import {
  argument,
  choice,
  flag,
  type Register,
  severalArguments,
  text,
  textOr,
  wholeNumber,
  wholeNumbers,
} from './register.js';

/** Commands that ask the running service over its API. Those that print one list of it stand in `commands/lists.ts`. */
export function addApiCommands(program: Command, register: Register): void {
  addPayments(program.command('payments').description('shows payments, and gives money back'), register);
  register(
    program,
    'audit',
    'lists who did what with merchant keys, oldest first',
    {
      after: text('--after <entry>', 'only entries after this one'),
      limit: wholeNumber('--limit <number>', 'the most to list', { min: 1, max: 100_000, fallback: 100 }),
    },
    async (context, options) => (await import('./commands/lists.js')).LISTS.audit(context, options),
  );
  addReports(program.command('reports').description('adds up and exports payments'), register);
  addSettlements(
    program.command('settlement').description("compares the gateway's settlement reports with the payments"),
    register,
  );
  addUpkeep(program, register);
}

const payment = argument('<payment>', 'id of a payment, or the reference of its order');

function addPayments(payments: Command, register: Register): void {
  register(
    payments,
    'list',
    'lists payments, newest first',
    {
      reference: text('--reference <reference>', 'only those with this reference'),
      status: choice('--status <status>', 'only those in this status', PAYMENT_STATUSES),
      method: choice('--method <method>', 'only those by this method', PAYMENT_METHODS),
      from: text('--from <time>', 'only those made at this time or date (of BOOKS_TIME_ZONE), or later'),
      to: text('--to <time>', 'only those made before this time, or until the end of this date'),
      amount: text('--amount <amount>', 'only those of this amount, such as 1500.00'),
      last4: text('--last4 <digits>', 'only those by a card that ends in these digits'),
      gatewayReference: text('--gateway-reference <reference>', 'only the one with this gateway reference'),
      needsAttention: flag('--needs-attention', 'only those that need attention'),
      limit: wholeNumber('--limit <number>', 'the most to list', { min: 1, max: 100_000, fallback: 50 }),
    },
    async (context, options) => (await import('./commands/lists.js')).LISTS.payments(context, options),
  );
  register(payments, 'show', 'shows a payment with its timeline', { payment }, async (context, options) =>
    (await import('./commands/payments.js')).showPayment(context, options.payment),
  );
  register(
    payments,
    'refund',
    'gives back all or part of a paid payment',
    {
      payment,
      amount: text('--amount <amount>', 'how much, such as 500.00; without it, all that is left'),
      reason: text('--reason <text>', 'why, for your own records'),
      key: text(
        '--idempotency-key <key>',
        'the key of a call that got no answer, to ask for the same refund again',
      ),
      yes: flag('--yes', 'do not ask before the refund'),
    },
    async (context, options) =>
      (await import('./commands/payments.js')).refundPayment(context, options.payment, options),
  );
  register(
    payments,
    'refunds',
    "lists a payment's refunds, oldest first",
    { payment },
    async (context, options) => (await import('./commands/lists.js')).LISTS.refunds(context, options),
  );
}

const TIMES = {
  from: text('--from <time>', 'payments made at this time or date (of BOOKS_TIME_ZONE), or later'),
  to: text('--to <time>', 'payments made before this time, or until the end of this date'),
};

function addReports(reports: Command, register: Register): void {
  register(
    reports,
    'summary',
    'adds up payments, separately for each status and currency',
    { ...TIMES, by: choice('--by <key>', 'by day (the default), month, method or currency', SUMMARY_KEYS) },
    async (context, options) => (await import('./commands/lists.js')).LISTS.summary(context, options),
  );
  register(
    reports,
    'payments',
    'writes payments to a file for spreadsheets',
    { ...TIMES, file: textOr('--file <file>', 'where to write them', 'payments.csv') },
    async (context, options) => (await import('./commands/reports.js')).reportPayments(context, options),
  );
}

const settlement = argument('<settlement>', 'id of a settlement');

function addSettlements(settlements: Command, register: Register): void {
  register(
    settlements,
    'compare',
    'compares a report (CSV); exits with 1 if anything differs, with 4 if the file is faulty',
    {
      file: argument('<file>', "the gateway's settlement report"),
      orders: text('--orders <file>', 'also your own list: reference,amount,currency,status'),
      columns: text(
        '--columns <names>',
        'columns of it with other names: reference=order_number,amount=total',
      ),
      paid: text('--paid <words>', 'the words of its status that mean paid, separated by commas'),
      refunded: text('--refunded <words>', 'those that mean given back whole'),
      free: text('--free <words>', 'those of an order for which nothing is to be paid'),
    },
    async (context, { file, orders, ...options }) =>
      (await import('./commands/settlement-compare.js')).compareSettlement(context, {
        file,
        orders,
        options,
      }),
  );
  register(
    settlements,
    'adopt',
    'takes over payments that a report names and that are unknown here; asks the gateway first',
    {
      id: settlement,
      rows: wholeNumbers(
        '--rows <lines>',
        'only these lines of the report, separated by commas; the header is 1',
      ),
    },
    async (context, options) => (await import('./commands/settlements.js')).adoptSettlement(context, options),
  );
  register(
    settlements,
    'list',
    'lists the reports that were compared, newest first',
    { limit: wholeNumber('--limit <number>', 'the most to list', { min: 1, max: 10_000, fallback: 50 }) },
    async (context, options) => (await import('./commands/lists.js')).LISTS.settlements(context, options),
  );
  register(
    settlements,
    'show',
    'shows a report and its differences',
    {
      id: settlement,
      kind: choice('--kind <kind>', 'only differences of this kind', [
        ...DIFFERENCE_KINDS,
        ...FORMER_DIFFERENCE_KINDS,
      ]),
    },
    async (context, options) => (await import('./commands/settlements.js')).showSettlement(context, options),
  );
}

function addUpkeep(program: Command, register: Register): void {
  register(
    program,
    'reconcile',
    'asks the gateway now about open payments, or about the given ones',
    {
      ids: severalArguments(
        '[payments...]',
        'ids of payments; without any, all that are processing, waiting or held',
      ),
    },
    async (context, { ids }) => (await import('./commands/reconcile.js')).reconcile(context, ids),
  );
  register(
    program,
    'redeliver',
    "sends events to the merchant's server again, under their ids",
    {
      ids: severalArguments('[events...]', 'ids of events'),
      undelivered: flag('--undelivered', 'all events that were given up or refused with 410'),
      waiting: flag('--waiting', 'sends those now that wait for a later attempt'),
      after: text('--after <event>', 'looks only at events after this one'),
    },
    async (context, options) => (await import('./commands/redeliver.js')).redeliver(context, options),
  );
}
