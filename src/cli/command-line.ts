import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config/config-error.js';
import { packageVersion } from '../config/package-version.js';
import { type CommandContext, CommandFailure, EXIT, type ExitCode } from './command.js';
import { addCommands } from './commands.js';
import { addParameters, readParameters, type Register } from './register.js';
import { Reporter, type Terminal } from './output.js';

/** The surroundings of a command line. */
export interface CommandWorld {
  /** Read only when a command is about to run. */
  environment: () => NodeJS.ProcessEnv;
  terminal: Terminal;
}

const EPILOGUE = `
Exit codes: 0 done, nothing is wrong; 1 done, but something is wrong or has failed; 2 wrong command line;
3 nothing is wrong, but assumptions are unconfirmed; 4 not possible.

Commands that call the running service find it at TILLFRONT_URL (else PUBLIC_BASE_URL, else this machine's PORT)
and send it MERCHANT_API_KEY (or MERCHANT_API_KEY_FILE). Secrets are never given on the command line.`;

/** Runs one command and returns its exit code. Never throws and never exits. */
export async function runCommandLine(args: readonly string[], world: CommandWorld): Promise<ExitCode> {
  const { terminal } = world;
  let code: ExitCode = EXIT.done;
  const register: Register = (parent, name, description, parameters, work) => {
    const command = parent.command(name).description(description);
    addParameters(command, parameters);
    command.option('--json', 'print one JSON document, for programs').action(async () => {
      const reporter = new Reporter(terminal, command.opts()['json'] === true);
      code = await guarded(reporter, terminal, () => {
        const context: CommandContext = { env: world.environment(), reporter };
        return work(context, readParameters(command, parameters));
      });
    });
  };
  const program = buildProgram();
  addCommands(program, register);
  quiet(program, terminal);
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return code;
}

function buildProgram(): Command {
  return new Command('tillfront')
    .description('Checks, queries and maintains a Tillfront service.')
    .version(packageVersion(), '--version', 'print the version of this command')
    .addHelpText('after', EPILOGUE)
    .helpCommand(true);
}

/**
 * Sends errors and help to our terminal, and ends parsing instead of the process. Subcommands do not inherit these
 * settings.
 */
function quiet(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .showHelpAfterError('(add --help to see the options)')
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    });
  for (const child of command.commands) quiet(child, terminal);
}

/** Reports a failure in the reporter's format, without a stack where the message says everything. */
async function guarded(
  reporter: Reporter,
  terminal: Terminal,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    const { message, code, exitCode } = described(error);
    if (reporter.json) reporter.report({ text: [], json: { error: { code, message } } });
    else terminal.err(message);
    return exitCode;
  }
}

function described(error: unknown): { message: string; code: string; exitCode: ExitCode } {
  if (error instanceof CommandFailure) return error;
  if (error instanceof ConfigError) {
    return { message: error.message, code: 'configuration', exitCode: EXIT.impossible };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message, code: 'unexpected', exitCode: EXIT.impossible };
}
