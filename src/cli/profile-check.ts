import { PAYMENT_METHODS } from '../config/payment-method.js';
import { NOT_SHOWN } from '../gateway/profile/credential-names.js';
import { loadProfile, ProfileError } from '../gateway/profile/load.js';
import { reportProfile } from '../methods/profile-report.js';
import { EXIT, type Context, type ExitCode } from './command.js';

/** Says whether a profile can be used, what it changes in the built-in one and what is unconfirmed. */
export function profileCheck({ out }: Context, file: string): ExitCode {
  try {
    const { changes, notes, unconfirmed } = reportProfile(loadProfile(file), PAYMENT_METHODS);
    const lines = [
      'The profile can be used.',
      ...changes.map(({ place, builtIn, here }) => `changed   ${place}: ${shown(builtIn)} -> ${shown(here)}`),
      ...notes.map(({ place, message }) => `look at   ${place}: ${message}`),
      unconfirmed.length === 0 ? 'All of it is confirmed.' : `Not confirmed: ${unconfirmed.join(', ')}`,
    ];
    out(`${lines.join('\n')}\n`);
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    out(`${error.message}\n`);
    return EXIT.found;
  }
}

function shown(value: unknown): string {
  if (value === NOT_SHOWN) return NOT_SHOWN;
  return value === undefined ? '(nothing)' : JSON.stringify(value);
}
