import { parseArgs } from 'node:util';
import type { PaymentMethod } from '../config/read-config.js';
import { PAYMENT_METHODS } from '../config/env.js';
import { NOT_SHOWN } from '../gateway/profile/credential-names.js';
import { loadProfile, ProfileError } from '../gateway/profile/load.js';
import { reportProfile, type ProfileReport } from '../methods/profile-report.js';

/** Exit codes: the profile can be used; it cannot; the command line is wrong; with `--live`, something is unconfirmed. */
export const EXIT = { usable: 0, unusable: 1, usage: 2, unconfirmed: 3 } as const;

const USAGE = `Checks a gateway profile and says what it changes and what is still unconfirmed.

  npm run profile:check -- FILE [--methods card,wallet,transfer,ussd] [--live]

  --methods  the methods that are enabled (PAYMENT_METHODS); all without it
  --live     fail where an assumption that they use is not confirmed, as the start does with GATEWAY_MODE=live

Exit codes: 0 usable, 1 not usable, 2 wrong command line, 3 not confirmed (with --live).`;

/** Runs the command; returns its exit code. */
export function checkProfile(
  args: readonly string[],
  print: (line: string) => void,
): (typeof EXIT)[keyof typeof EXIT] {
  const command = readCommand(args);
  if (!command) {
    print(USAGE);
    return EXIT.usage;
  }
  try {
    const report = reportProfile(loadProfile(command.file), command.methods);
    for (const line of describe(report, command.methods)) print(line);
    return command.live && report.unconfirmed.length > 0 ? EXIT.unconfirmed : EXIT.usable;
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    print(error.message);
    return EXIT.unusable;
  }
}

function readCommand(
  args: readonly string[],
): { file: string; methods: readonly PaymentMethod[]; live: boolean } | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { methods: { type: 'string' }, live: { type: 'boolean', default: false } },
    });
    const [file, ...more] = positionals;
    const names = values.methods?.split(',') ?? PAYMENT_METHODS;
    const methods = PAYMENT_METHODS.filter((method) => names.includes(method));
    if (file === undefined || more.length > 0 || methods.length !== names.length) return undefined;
    return { file, methods, live: values.live };
  } catch {
    return undefined;
  }
}

function describe(report: ProfileReport, methods: readonly PaymentMethod[]): string[] {
  const { changes, confirmed, unconfirmed, notes } = report;
  return [
    'The profile can be used.',
    '',
    changes.length === 0
      ? 'It changes nothing of the built-in profile.'
      : 'It changes of the built-in profile:',
    ...changes.map(({ place, builtIn, here }) => `  ${place}: ${shown(builtIn)} -> ${shown(here)}`),
    ...(notes.length === 0 ? [] : ['', 'Worth a second look:']),
    ...notes.map(({ place, message }) => `  ${place}: ${message}`),
    '',
    `Confirmed: ${confirmed.length === 0 ? 'nothing' : confirmed.join(', ')}`,
    unconfirmed.length === 0
      ? `Nothing that ${methods.join(', ')} use is left unconfirmed.`
      : `Not confirmed, and used by ${methods.join(', ')}: ${unconfirmed.join(', ')}`,
    ...(unconfirmed.length === 0 ? [] : ['docs/assumptions.md says what to check for each.']),
  ];
}

function shown(value: unknown): string {
  if (value === NOT_SHOWN) return NOT_SHOWN;
  return value === undefined ? '(nothing)' : JSON.stringify(value);
}
