import type { PaymentMethod } from '../../config/read-config.js';
import { PAYMENT_METHODS } from '../../config/env.js';
import { loadProfile, ProfileError } from '../../gateway/profile/load.js';
import { reportProfile } from '../../methods/profile-report.js';
import { checkProfile } from '../check-profile.js';
import type { CommandContext } from '../command-context.js';
import { CommandFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-codes.js';

export interface ProfileCheckOptions {
  file: string;
  methods: string;
  live: boolean;
}

/** Says whether a profile can be used, what it changes and what is unconfirmed. */
export function profileCheck({ reporter }: CommandContext, options: ProfileCheckOptions): Promise<ExitCode> {
  const { file, live } = options;
  const methods = readMethods(options.methods);
  const text: string[] = [];
  const args = [file, '--methods', methods.join(','), ...(live ? ['--live'] : [])];
  const code = checkProfile(args, (line) => void text.push(line));
  reporter.report({ text, json: reporter.json ? asJson(file, methods) : undefined });
  return Promise.resolve(code);
}

function readMethods(text: string): PaymentMethod[] {
  const names = text.split(',').map((name) => name.trim());
  const methods = PAYMENT_METHODS.filter((method) => names.includes(method));
  if (methods.length === names.length) return methods;
  throw new CommandFailure(`--methods may hold only ${PAYMENT_METHODS.join(', ')}.`, 'usage', EXIT.usage);
}

function asJson(file: string, methods: readonly PaymentMethod[]): object {
  try {
    return { usable: true, methods, ...reportProfile(loadProfile(file), methods) };
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return { usable: false, problems: error.problems };
  }
}
