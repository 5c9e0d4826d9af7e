import type { PaymentMethod } from '../../config/read-config.js';
import { PAYMENT_METHODS } from '../../config/env.js';
import { NOT_SHOWN } from '../../gateway/profile/credential-names.js';
import { loadProfile, ProfileError } from '../../gateway/profile/load.js';
import type { MethodFields } from '../../methods/method-fields.js';
import { reportProfile, type ProfileReport } from '../../methods/profile-report.js';
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
  const methods = readMethods(options.methods);
  try {
    const report = reportProfile(loadProfile(options.file), methods);
    reporter.report({ text: describe(report, methods), json: { usable: true, methods, ...report } });
    const fails = options.live && report.unconfirmed.length > 0;
    return Promise.resolve(fails ? EXIT.unconfirmed : EXIT.done);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    reporter.report({ text: [error.message], json: { usable: false, problems: error.problems } });
    return Promise.resolve(EXIT.found);
  }
}

function readMethods(text: string): PaymentMethod[] {
  const names = text.split(',').map((name) => name.trim());
  const methods = PAYMENT_METHODS.filter((method) => names.includes(method));
  if (methods.length === names.length) return methods;
  throw new CommandFailure(`--methods may contain only ${PAYMENT_METHODS.join(', ')}.`, 'usage', EXIT.usage);
}

function describe(report: ProfileReport, methods: readonly PaymentMethod[]): string[] {
  const { changes, confirmed, unconfirmed, notes, asked } = report;
  return [
    'The profile can be used.',
    '',
    changes.length === 0
      ? 'It changes nothing in the built-in profile.'
      : 'It changes this in the built-in profile:',
    ...changes.map(({ place, builtIn, here }) => `  ${place}: ${shown(builtIn)} -> ${shown(here)}`),
    ...(notes.length === 0 ? [] : ['', 'Worth a second look:']),
    ...notes.map(({ place, message }) => `  ${place}: ${message}`),
    '',
    'What payers are asked for, as far as the session does not bring it:',
    ...methods.map((method) => `  ${method}: ${askedBy(asked[method])}`),
    '',
    `Confirmed: ${confirmed.length === 0 ? 'nothing' : confirmed.join(', ')}`,
    unconfirmed.length === 0
      ? `Everything that ${methods.join(', ')} use is confirmed.`
      : `Not confirmed, and used by ${methods.join(', ')}: ${unconfirmed.join(', ')}`,
    ...(unconfirmed.length === 0 ? [] : ['docs/assumptions.md says what to check for each.']),
  ];
}

/** What the browser says of itself is not asked for. */
function askedBy(fields: MethodFields | undefined): string {
  const { card = [], payer = [], billing = [] } = fields ?? {};
  const names = [...card.map((member) => `card.${member}`), ...payer, ...billing.map(withCountry)];
  return names.length === 0 ? 'nothing' : names.join(', ');
}

function withCountry(member: string): string {
  const isRegional = member === 'stateProvince' || member === 'postCode';
  return isRegional ? `${member} (where the country requires it)` : member;
}

function shown(value: unknown): string {
  if (value === NOT_SHOWN) return NOT_SHOWN;
  return value === undefined ? '(nothing)' : JSON.stringify(value);
}
