import type { Command } from 'commander';
import { PAYMENT_METHODS } from '../config/env.js';
import { SUMMARY_KEYS } from '../reports/summary.js';
import { PAYMENT_STATUSES } from '../store/schema.js';
import { type Register, choice, flag, single, text, textOr, wholeNumber } from './register.js';
import { addDatabaseCommands } from './database-commands.js';
import { addDevelopmentCommands } from './development-commands.js';
import { addSettlementCommands } from './settlement-commands.js';
import { WORKED_PROFILES } from './worked-profiles.js';

const PEM_FILE = 'the PEM file; by default the one that the configuration names';

/** All commands. Each implementation is loaded only when it runs, so that small commands stay fast. */
export function addCommands(program: Command, register: Register): void {
  register(
    program
      .command('doctor')
      .description('checks configuration, store, clock, gateway and webhook, and says what to do'),
    {
      offline: flag('--offline', 'skips checks that need the network'),
      strict: flag('--strict', 'exits with 1 for warnings, too'),
    },
    async (context, options) => (await import('./doctor/doctor.js')).doctor(context, options),
  );
  register(
    program
      .command('migrate')
      .description("brings the store's schema up to date, as a job before replicas start"),
    {
      check: flag('--check', 'only says whether it is; exits with 1 if not', ['fromEmbedded']),
      folder: text(
        '--from-embedded <folder>',
        'copies the embedded store of this folder into an empty PostgreSQL',
      ),
    },
    async (context, { check, folder }) =>
      folder === undefined
        ? (await import('./commands/migrate.js')).migrate(context, check)
        : (await import('./commands/copy-embedded.js')).copyEmbedded(context, folder),
  );
  addDatabaseCommands(program, register);
  const payments = program.command('payments').description('shows payments, and gives money back');
  addPayments(payments, register);
  addRefunds(payments, register);
  register(
    program.command('audit').description('lists who did what with merchant keys, oldest first'),
    {
      after: text('--after <entry>', 'only entries after this one'),
      limit: wholeNumber('--limit <number>', 'the most to list', { min: 1, max: 100_000, fallback: 100 }),
    },
    async (context, options) => (await import('./commands/audit.js')).listAudit(context, options),
  );
  addReports(program.command('reports').description('adds up and exports payments'), register);
  addSettlementCommands(
    program.command('settlement').description("compares the gateway's settlement reports with the payments"),
    register,
  );
  addUpkeep(program, register);
  addDevelopmentCommands(program, register);
  addProfile(program.command('profile').description('checks, tries and creates gateway profiles'), register);
  addCardKeys(
    program.command('card-key').description('manages the keys with which browsers encrypt cards'),
    register,
  );
}

function addPayments(payments: Command, register: Register): void {
  register(
    payments.command('list').description('lists payments, newest first'),
    {
      reference: text('--reference <reference>', 'only those with this reference'),
      status: choice('--status <status>', 'only those in this status', PAYMENT_STATUSES),
      method: choice('--method <method>', 'only those by this method', PAYMENT_METHODS),
      from: text('--from <time>', 'only those made at this time or date (UTC), or later'),
      to: text('--to <time>', 'only those made before this time, or until the end of this date'),
      amount: text('--amount <amount>', 'only those of this amount, such as 1500.00'),
      last4: text('--last4 <digits>', 'only those by a card that ends in these digits'),
      gatewayReference: text('--gateway-reference <reference>', 'only the one with this gateway reference'),
      needsAttention: flag('--needs-attention', 'only those that need attention'),
      limit: wholeNumber('--limit <number>', 'the most to list', { min: 1, max: 100_000, fallback: 50 }),
    },
    async (context, options) => (await import('./commands/payments.js')).listPayments(context, options),
  );
  register(
    payments
      .command('show')
      .description('shows a payment with its timeline')
      .argument('<payment>', 'id of a payment, or the reference of its order'),
    {},
    async (context, _options, [payment]) =>
      (await import('./commands/payments.js')).showPayment(context, single(payment)),
  );
}

function addRefunds(payments: Command, register: Register): void {
  register(
    payments
      .command('refund')
      .description('gives back all or part of a paid payment')
      .argument('<payment>', 'id of a payment, or the reference of its order'),
    {
      amount: text('--amount <amount>', 'how much, such as 500.00; without it, all that is left'),
      reason: text('--reason <text>', 'why, for your own records'),
      key: text(
        '--idempotency-key <key>',
        'the key of a call that got no answer, to ask for the same refund again',
      ),
      yes: flag('--yes', 'do not ask before the refund'),
    },
    async (context, options, [payment]) =>
      (await import('./commands/refunds.js')).refundPayment(context, single(payment), options),
  );
  register(
    payments
      .command('refunds')
      .description("lists a payment's refunds, oldest first")
      .argument('<payment>', 'id of a payment, or the reference of its order'),
    {},
    async (context, _options, [payment]) =>
      (await import('./commands/refunds.js')).listRefunds(context, single(payment)),
  );
}

const STRETCH = {
  from: text('--from <time>', 'payments made at this time or date (UTC), or later'),
  to: text('--to <time>', 'payments made before this time, or until the end of this date'),
};

function addReports(reports: Command, register: Register): void {
  register(
    reports.command('summary').description('adds up payments, separately for each status and currency'),
    { ...STRETCH, by: choice('--by <key>', 'by day (the default), method or currency', SUMMARY_KEYS) },
    async (context, options) => (await import('./commands/reports.js')).reportSummary(context, options),
  );
  register(
    reports.command('payments').description('writes payments to a file for spreadsheets'),
    { ...STRETCH, file: textOr('--file <file>', 'where to write them', 'payments.csv') },
    async (context, options) => (await import('./commands/reports.js')).reportPayments(context, options),
  );
}

function addUpkeep(program: Command, register: Register): void {
  register(
    program
      .command('reconcile')
      .description('asks the gateway now about open payments, or about the given ones')
      .argument('[payments...]', 'ids of payments; without any, all that are processing, waiting or held'),
    {},
    async (context, _options, [ids]) =>
      (await import('./commands/reconcile.js')).reconcile(context, several(ids)),
  );
  register(
    program
      .command('redeliver')
      .description("sends events to the merchant's server again, under their ids")
      .argument('[events...]', 'ids of events'),
    {
      undelivered: flag('--undelivered', 'all events that were given up or refused with 410'),
      waiting: flag('--waiting', 'sends those now that wait for a later attempt'),
      after: text('--after <event>', 'looks only at events after this one'),
    },
    async (context, options, [ids]) =>
      (await import('./commands/redeliver.js')).redeliver(context, { ids: several(ids), ...options }),
  );
}

function addProfile(profile: Command, register: Register): void {
  register(
    profile
      .command('check')
      .description('says whether a gateway profile can be used, what it changes and what is unconfirmed')
      .argument('<file>', 'a gateway profile'),
    {
      methods: textOr('--methods <methods>', 'the enabled methods, comma-separated', PAYMENT_METHODS.join()),
      live: flag('--live', 'exits with 3 if something that they use is unconfirmed'),
    },
    async (context, options, [file]) =>
      (await import('./commands/profile.js')).profileCheck(context, { file: single(file), ...options }),
  );
  register(
    profile
      .command('new')
      .description('writes a profile to start from, with a file that explains it')
      .argument('<file>', 'where to write it; an existing file is not touched'),
    { like: choice('--like <gateway>', 'the public gateway that yours is most like', WORKED_PROFILES) },
    async (context, { like }, [file]) =>
      (await import('./commands/profile-new.js')).profileNew(context, { file: single(file), like }),
  );
  register(
    profile
      .command('try')
      .description('tries a gateway profile on recorded exchanges, without a gateway')
      .argument('<file>', 'a gateway profile')
      .argument('<exchanges>', 'a JSON file of recorded exchanges'),
    {},
    async (context, _options, [file, exchanges]) =>
      (await import('./commands/profile-try.js')).profileTry(context, {
        file: single(file),
        exchanges: single(exchanges),
      }),
  );
  register(
    profile
      .command('confirm')
      .description('lists something as confirmed in a gateway profile, and changes nothing else in it')
      .argument('<file>', 'a gateway profile')
      .argument('<names...>', 'keys of operations, outcome, encryption or notification'),
    {},
    async (context, _options, [file, names]) =>
      (await import('./commands/profile-confirm.js')).profileConfirm(context, {
        file: single(file),
        names: several(names),
      }),
  );
}

function addCardKeys(cardKey: Command, register: Register): void {
  register(
    cardKey.command('list').description('lists the keys; browsers get the first one'),
    { file: text('--file <file>', PEM_FILE) },
    async (context, { file }) => (await import('./commands/card-key.js')).listCardKeys(context, file),
  );
  register(
    cardKey
      .command('rotate')
      .description('creates a new key and puts it first; the former one still decrypts'),
    {
      file: text('--file <file>', PEM_FILE),
      keep: wholeNumber('--keep <number>', 'how many of the former keys stay', {
        min: 0,
        max: 10,
        fallback: 1,
      }),
      bits: wholeNumber('--bits <number>', 'size of the new key', { min: 2048, max: 8192, fallback: 2048 }),
    },
    async (context, options) => (await import('./commands/card-key.js')).rotateCardKey(context, options),
  );
}

const several = (given: unknown): string[] =>
  Array.isArray(given) ? given.filter((one) => typeof one === 'string') : [];
