import type { Command } from 'commander';
import { PAYMENT_METHODS } from '../config/payment-method.js';
import { addApiCommands } from './api-commands.js';
import { TRIGGERS, WORKED_PROFILES } from './choices.js';
import {
  argument,
  choice,
  flag,
  neededText,
  type Register,
  severalArguments,
  text,
  textOr,
  wholeNumber,
} from './register.js';

/** All commands. Each implementation is loaded only when it runs, so that small commands stay fast. */
export function addCommands(program: Command, register: Register): void {
  register(
    program,
    'doctor',
    'checks configuration, store, clock, gateway and webhook, and says what to do',
    {
      offline: flag('--offline', 'skips checks that need the network'),
      strict: flag('--strict', 'exits with 1 for warnings, too'),
    },
    async (context, options) => (await import('./doctor/doctor.js')).doctor(context, options),
  );
  register(
    program,
    'migrate',
    "brings the store's schema up to date, as a job before replicas start",
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
  addDatabase(program.command('db').description('prepares a PostgreSQL'), register);
  addStore(program.command('store').description('maintains the store'), register);
  addApiCommands(program, register);
  addDevelopment(program, register);
  addProfile(program.command('profile').description('checks, tries and creates gateway profiles'), register);
  addCardKeys(
    program.command('card-key').description('manages the keys with which browsers encrypt cards'),
    register,
  );
}

function addDatabase(db: Command, register: Register): void {
  register(
    db,
    'roles',
    'prints SQL for a role that migrates and one for replicas; changes nothing',
    {
      migrating: textOr('--migrating <role>', 'the role that owns the tables', 'tillfront_migrate'),
      running: textOr('--running <role>', 'the role of replicas', 'tillfront_run'),
      schema: textOr('--schema <schema>', 'where the tables are', 'public'),
    },
    async (context, options) => (await import('./commands/db-roles.js')).databaseRoles(context, options),
  );
}

function addStore(store: Command, register: Register): void {
  register(
    store,
    'accept-loss',
    'accepts that the store has lost commits, so that payments are accepted again',
    {},
    async (context) => (await import('./commands/store-losses.js')).acceptLoss(context),
  );
  register(
    store,
    'backup',
    'copies the embedded store into a file, while the service runs',
    { file: argument('<file>', 'where to write it; an existing file is not touched') },
    async (context, { file }) => (await import('./commands/store-backup.js')).backUpStore(context, file),
  );
  register(store, 'losses', 'lists what the store has lost, and who has accepted it', {}, async (context) =>
    (await import('./commands/store-losses.js')).listLosses(context),
  );
}

/** For whoever connects a shop or a gateway, in test mode. */
function addDevelopment(program: Command, register: Register): void {
  register(
    program,
    'listen',
    'forwards new events of a service in test mode to your machine, signed',
    {
      forward: neededText('--forward <url>', 'where to post them, such as http://localhost:8080/webhooks'),
      after: text('--after <event>', 'begins after this event; without it, with the next one'),
      count: wholeNumber('--count <number>', 'ends after so many events; 0 means with Ctrl-C', {
        min: 0,
        max: 100_000,
        fallback: 0,
      }),
    },
    async (context, options) => (await import('./commands/listen.js')).listen(context, options),
  );
  register(
    program,
    'trigger',
    'makes a test payment that ends with this event; needs the sandbox gateway',
    { event: argument('<event>', 'the type of the event', TRIGGERS) },
    async (context, { event }) => (await import('./commands/trigger.js')).trigger(context, event),
  );
  register(
    program,
    'go-live',
    "tries the running service against the gateway's test system, and says what that confirms",
    {
      scenarios: text(
        '--scenarios <file>',
        "test cards and amounts of the gateway's test system; without it, the sandbox's",
      ),
      report: textOr('--report <file>', 'where to write the report', 'go-live-report.md'),
      unattended: flag('--unattended', 'skips scenarios in which a person acts as the payer'),
      waitSeconds: wholeNumber('--wait <seconds>', 'how long a person may take for each step', {
        min: 1,
        max: 3600,
        fallback: 600,
      }),
      example: flag('--example', 'prints a scenarios file to begin with'),
    },
    async (context, options) => (await import('./go-live/go-live.js')).goLive(context, options),
  );
}

const profileFile = argument('<file>', 'a gateway profile');

function addProfile(profile: Command, register: Register): void {
  register(
    profile,
    'check',
    'says whether a gateway profile can be used, what it changes and what is unconfirmed',
    {
      file: profileFile,
      methods: textOr('--methods <methods>', 'the enabled methods, comma-separated', PAYMENT_METHODS.join()),
      live: flag('--live', 'exits with 3 if something that they use is unconfirmed'),
    },
    async (context, options) => (await import('./commands/profile.js')).profileCheck(context, options),
  );
  register(
    profile,
    'new',
    'writes a profile to start from, with a file that explains it',
    {
      file: argument('<file>', 'where to write it; an existing file is not touched'),
      like: choice('--like <gateway>', 'the public gateway that yours is most like', WORKED_PROFILES),
    },
    async (context, options) => (await import('./commands/profile.js')).profileNew(context, options),
  );
  register(
    profile,
    'try',
    'tries a gateway profile on recorded exchanges, without a gateway',
    { file: profileFile, exchanges: argument('<exchanges>', 'a JSON file of recorded exchanges') },
    async (context, options) => (await import('./profile-try/profile-try.js')).profileTry(context, options),
  );
  register(
    profile,
    'confirm',
    'lists something as confirmed in a gateway profile, and changes nothing else in it',
    {
      file: profileFile,
      names: severalArguments('<names...>', 'keys of operations, outcome, encryption or notification'),
    },
    async (context, options) => (await import('./commands/profile.js')).profileConfirm(context, options),
  );
}

const pemFile = text('--file <file>', 'the PEM file; by default the one that the configuration names');

function addCardKeys(cardKey: Command, register: Register): void {
  register(
    cardKey,
    'list',
    'lists the keys; browsers get the first one',
    { file: pemFile },
    async (context, { file }) => (await import('./commands/card-key.js')).listCardKeys(context, file),
  );
  register(
    cardKey,
    'rotate',
    'creates a new key and puts it first; the former one still decrypts',
    {
      file: pemFile,
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
