import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config/read-env.js';
import { packageVersion } from '../config/package-version.js';
import { CommandFailure, EXIT, type Context, type ExitCode, type Surroundings } from './command.js';

/** One command: its name with the arguments, what it does, and its work, which is loaded only when it runs. */
interface Entry {
  readonly usage: string;
  readonly does: string;
  readonly options?: readonly [flags: string, does: string][];
  readonly run: (context: Context, args: readonly Argument[], options: Options) => Promise<ExitCode>;
}

type Argument = string | readonly string[] | undefined;
type Options = Readonly<Record<string, unknown>>;

const COMMANDS: readonly Entry[] = [
  {
    usage: 'doctor',
    does: 'checks configuration, store, gateway, webhook and readiness, and says what to do',
    run: async (context) => (await import('./doctor/doctor.js')).doctor(context),
  },
  {
    usage: 'api <method> <path> [content...]',
    does: 'calls the service: content is name=value, or @file (@- for the standard input)',
    options: [
      ['--idempotency-key <key>', 'the key of a call that got no answer, to make the same call again'],
    ],
    run: async (context, [method, path, content], options) =>
      (await import('./api.js')).callApi(context, {
        method: one(method),
        path: one(path),
        content: several(content),
        idempotencyKey: typeof options['idempotencyKey'] === 'string' ? options['idempotencyKey'] : undefined,
      }),
  },
  {
    usage: 'health',
    does: 'asks the service whether a payment could be recorded now',
    options: [['--live', 'only whether its process answers']],
    run: async (context, _none, options) =>
      (await import('./health.js')).health(context, options['live'] === true ? 'live' : 'ready'),
  },
  {
    usage: 'settlement compare <file>',
    does: 'sends a settlement report to the service, and says what differs from the ledger',
    options: [['--json', 'the report and its open differences as JSON']],
    run: async (context, [file], options) =>
      (await import('./settlement.js')).settlementCompare(context, one(file), options['json'] === true),
  },
  {
    usage: 'profile check <file>',
    does: 'says what is wrong with a gateway profile, what payers are asked for, and what would be sent',
    run: async (context, [file]) => (await import('./profile.js')).profileCheck(context, one(file)),
  },
  {
    usage: 'profile try <file> <exchanges>',
    does: 'shows for recorded exchanges the request, the word that decided, and its meaning',
    run: async (context, [file, exchanges]) =>
      (await import('./profile.js')).profileTry(context, one(file), one(exchanges)),
  },
  ...(
    [
      ['migrate', "brings the store's schema up to date, as a job before replicas start"],
      ['backup <file>', 'copies the embedded store into a file while the service runs'],
      ['copy <folder>', 'copies the embedded store of a folder into DATABASE_URL'],
      ['restored', 'declares that the store lost data: the gateway is asked about orders first'],
      ['trusted', 'ends that state'],
    ] as const
  ).map(([usage, does]) => ({
    usage: `store ${usage}`,
    does,
    run: async (context: Context, [argument]: readonly Argument[]) =>
      (await import('./store.js')).store(context, usage.split(' ')[0] ?? '', one(argument)),
  })),
];

const EPILOGUE = `
Exit codes: 0 done, nothing is wrong; 1 something is wrong or was refused; 2 wrong command line; 4 not possible.

The service is found at TILLFRONT_URL, else on this machine by the service's own variables. The key is TILLFRONT_API_KEY,
else the first of MERCHANT_API_KEY. Keys are never given on the command line.`;

/** Runs one command and returns its exit code. Never throws and never exits. */
export async function runCommandLine(args: readonly string[], around: Surroundings): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const program = new Command('tillfront')
    .description('Checks, calls and maintains a Tillfront service.')
    .version(packageVersion(), '--version')
    .addHelpText('after', EPILOGUE);
  for (const entry of COMMANDS)
    addCommand(program, entry, async (given, options) => {
      code = await guarded(around, entry, given, options);
    });
  quiet(program, around);
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return code;
}

/** Words before the first argument are groups: `store migrate` is `migrate` of the group `store`. */
function addCommand(
  program: Command,
  { usage, does, options = [] }: Entry,
  run: (given: readonly Argument[], options: Options) => Promise<void>,
): void {
  const [first = '', second = ''] = usage.split(' ');
  const isGroup = /^[a-z]+$/.test(second);
  const parent = isGroup ? group(program, first) : program;
  const command = parent.command(isGroup ? usage.slice(first.length + 1) : usage).description(does);
  for (const [flags, meaning] of options) command.option(flags, meaning);
  command.action(() => run(command.processedArgs as Argument[], command.opts()));
}

function group(program: Command, name: string): Command {
  return program.commands.find((command) => command.name() === name) ?? program.command(name);
}

/** Sends errors and help to our streams, and ends parsing instead of the process. */
function quiet(command: Command, { out, err }: Surroundings): void {
  command
    .exitOverride()
    .showHelpAfterError('(add --help to see the options)')
    .configureOutput({ writeOut: out, writeErr: err });
  for (const child of command.commands) quiet(child, { environment: () => ({}), out, err });
}

/** A failure that a person can mend is reported without a stack. */
async function guarded(
  { environment, out, err }: Surroundings,
  entry: Entry,
  given: readonly Argument[],
  options: Options,
): Promise<ExitCode> {
  try {
    return await entry.run({ env: environment(), out, err }, given, options);
  } catch (error) {
    if (error instanceof CommandFailure || error instanceof ConfigError) err(`${error.message}\n`);
    else err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return error instanceof CommandFailure ? error.exitCode : EXIT.impossible;
  }
}

function one(argument: Argument): string {
  return typeof argument === 'string' ? argument : '';
}

function several(argument: Argument): readonly string[] {
  return typeof argument === 'object' ? argument : [];
}
