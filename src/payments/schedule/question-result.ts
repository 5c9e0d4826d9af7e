import type { QuestionResult } from './question-schedule.js';
import type { UnknownReason, UssdBanksResult } from '../../gateway/gateway-result.js';

/** Answers that came whole, though they could not be understood: about one payment, not about the operation. */
const STRANGE: ReadonlySet<UnknownReason> = new Set([
  'too-large',
  'unrecognised',
  'contradiction',
  'requirement',
]);

/** Whether the gateway answered a status query, so that its operation works, whatever the answer says. */
export function isAnswered(result: UssdBanksResult): boolean {
  switch (result.kind) {
    case 'answered':
    case 'banks':
    case 'rejected':
    case 'busy':
      return true;
    case 'unknown':
      return STRANGE.has(result.reason);
    case 'not-sent':
    case 'credentials-rejected':
      return false;
  }
}

/** How a status query ended, as far as its operation's health is concerned. */
export function questionResult(result: UssdBanksResult): QuestionResult {
  if (result.kind === 'busy') return 'busy';
  return isAnswered(result) ? 'answered' : 'failed';
}
