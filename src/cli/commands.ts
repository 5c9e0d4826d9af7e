import { type Command, InvalidArgumentError, Option } from 'commander';
import { PAYMENT_METHODS } from '../config/env.js';
import { PAYMENT_STATUSES } from '../store/schema.js';
import type { CommandContext } from './command-context.js';
import type { ExitCode } from './exit-codes.js';

/** An argument, or all of those that may be repeated. */
type Argument = string | string[] | undefined;

/** What a command does with its arguments and options, which the command line has checked. */
export type Work = (
  context: CommandContext,
  args: readonly Argument[],
  options: Record<string, unknown>,
) => Promise<ExitCode>;

/** Ties a command to its work. */
export type Register = (command: Command, work: Work) => void;

/** All commands. The work of each is loaded only when it runs, so that a small question has a quick answer. */
export function addCommands(program: Command, register: Register): void {
  register(
    program
      .command('doctor')
      .description(
        'checks the configuration, the store, the clock, the gateway, the webhook; says what to do',
      )
      .option('--offline', 'leaves out what needs the network')
      .option('--strict', 'exits with 1 for warnings too'),
    async (context, _args, options) =>
      (await import('./doctor/doctor.js')).doctor(context, {
        offline: options['offline'] === true,
        strict: options['strict'] === true,
      }),
  );
  register(
    program
      .command('migrate')
      .description("brings the store's schema up to date, as a job before replicas start")
      .addOption(
        new Option('--check', 'only says whether it is; exits with 1 where it is not').conflicts(
          'fromEmbedded',
        ),
      )
      .option(
        '--from-embedded <folder>',
        'copies the embedded store of this folder into an empty PostgreSQL',
      ),
    async (context, _args, options) => {
      const folder = options['fromEmbedded'] as string | undefined;
      if (folder !== undefined)
        return (await import('./commands/copy-embedded.js')).copyEmbedded(context, folder);
      return (await import('./commands/migrate.js')).migrate(context, options['check'] === true);
    },
  );
  addPayments(program.command('payments').description('looks at payments'), register);
  addUpkeep(program, register);
  addProfile(program.command('profile').description('looks at gateway profiles'), register);
  addCardKeys(
    program.command('card-key').description('keeps the keys that browsers encrypt cards with'),
    register,
  );
}

function addPayments(payments: Command, register: Register): void {
  register(
    payments
      .command('list')
      .description('lists payments, the newest first')
      .option('--reference <reference>', "only this reference's")
      .addOption(new Option('--status <status>', 'only those in this status').choices(PAYMENT_STATUSES))
      .option('--needs-attention', 'only those that a person must look at')
      .option('--limit <number>', 'at most so many', wholeNumber(1, 100_000), 50),
    async (context, _args, options) =>
      (await import('./commands/payments.js')).listPayments(context, {
        reference: options['reference'] as string | undefined,
        status: options['status'] as string | undefined,
        needsAttention: options['needsAttention'] === true,
        limit: options['limit'] as number,
      }),
  );
  register(
    payments
      .command('show')
      .description('shows a payment with its timeline')
      .argument('<payment>', 'id of a payment, or the reference of its order'),
    async (context, [payment]) =>
      (await import('./commands/payments.js')).showPayment(context, single(payment)),
  );
}

function addUpkeep(program: Command, register: Register): void {
  register(
    program
      .command('reconcile')
      .description('asks the gateway now about payments that are open, or about the given ones')
      .argument('[payments...]', 'ids of payments; without any, all that are processing, waiting or held'),
    async (context, [ids]) => (await import('./commands/reconcile.js')).reconcile(context, several(ids)),
  );
  register(
    program
      .command('redeliver')
      .description("sends events to the merchant's server again, under their ids")
      .argument('[events...]', 'ids of events')
      .option('--undelivered', 'all that were given up or refused with 410')
      .option('--after <event>', 'looks only at events after this one'),
    async (context, [ids], options) =>
      (await import('./commands/redeliver.js')).redeliver(context, {
        ids: several(ids),
        undelivered: options['undelivered'] === true,
        after: options['after'] as string | undefined,
      }),
  );
  register(
    program
      .command('go-live')
      .description("tries the running service against the gateway's test system, and says what that confirms")
      .option(
        '--scenarios <file>',
        "test cards and amounts of the gateway's test system; without it, the sandbox's",
      )
      .option('--report <file>', 'where to write the report', 'go-live-report.md')
      .option('--unattended', 'leaves out what a person has to do as the payer')
      .option('--wait <seconds>', 'how long a person may take for each step', wholeNumber(1, 3600), 600)
      .option('--example', 'prints a scenarios file to begin with'),
    async (context, _args, options) =>
      (await import('./go-live/go-live.js')).goLive(context, {
        scenarios: options['scenarios'] as string | undefined,
        report: options['report'] as string,
        unattended: options['unattended'] === true,
        waitSeconds: options['wait'] as number,
        example: options['example'] === true,
      }),
  );
}

function addProfile(profile: Command, register: Register): void {
  register(
    profile
      .command('check')
      .description('says whether a gateway profile can be used, what it changes and what is unconfirmed')
      .argument('<file>', 'a gateway profile')
      .option('--methods <methods>', 'the enabled methods, comma-separated', PAYMENT_METHODS.join(','))
      .option('--live', 'exits with 3 where something that they use is unconfirmed'),
    async (context, [file], options) =>
      (await import('./commands/profile.js')).profileCheck(context, {
        file: single(file),
        methods: options['methods'] as string,
        live: options['live'] === true,
      }),
  );
}

function addCardKeys(cardKey: Command, register: Register): void {
  register(
    cardKey
      .command('list')
      .description('lists the keys, the one that browsers get first')
      .option('--file <file>', 'the PEM file; without it, the one that the configuration names'),
    async (context, _args, options) =>
      (await import('./commands/card-key.js')).listCardKeys(context, options['file'] as string | undefined),
  );
  register(
    cardKey
      .command('rotate')
      .description('makes a new key and puts it first; the one before goes on decrypting')
      .option('--file <file>', 'the PEM file; without it, the one that the configuration names')
      .option('--keep <number>', 'how many of the former keys stay', wholeNumber(0, 10), 1)
      .option('--bits <number>', 'size of the new key', wholeNumber(2048, 8192), 2048),
    async (context, _args, options) =>
      (await import('./commands/card-key.js')).rotateCardKey(context, {
        file: options['file'] as string | undefined,
        keep: options['keep'] as number,
        bits: options['bits'] as number,
      }),
  );
}

const several = (given: Argument): string[] => (Array.isArray(given) ? given : []);

const single = (given: Argument): string => (typeof given === 'string' ? given : '');

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^[0-9]{1,6}$/.test(text) || number < min || number > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return number;
  };
}
