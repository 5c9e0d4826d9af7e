import { checkEncryption } from '../../encryption/settings.js';
import { ALL_FIELDS, keptNames, placedOperations } from '../../plan/words.js';
import { operationFields } from '../../requests/payment-fields.js';
import { CREDENTIAL_IN_PROFILE, isCredentialConstant } from '../credential-names.js';
import type { Profile } from '../format.js';
import { parsePointer } from '../pointer.js';
import { checkCredentials } from './check-credentials.js';
import { checkNotification } from './check-notification.js';
import { checkNames, checkOperation } from './check-operation.js';
import { checkOutcome } from './check-outcome.js';
import { checkSettlement } from './check-settlement.js';
import { checkToken } from './check-token.js';
import { escapeStep, NOT_A_POINTER, type ProfileProblem, type Report } from './report.js';

/** Finds what a JSON schema cannot check: pointers, templates, regular expressions, and names that must match. */
export function findProfileProblems(profile: Profile): ProfileProblem[] {
  const problems: ProfileProblem[] = [];
  const report: Report = (place, message) => void problems.push({ place, message });
  for (const placed of placedOperations(profile)) checkOperation(profile, placed, report);
  checkNames(profile.card.omit, new Set(operationFields.payCard), '/card/omit', report);
  for (const key of ['list', 'code', 'name'] as const) {
    if (!parsePointer(profile.ussdBanks[key])) report(`/ussdBanks/${key}`, NOT_A_POINTER);
  }
  const words = new Set([...ALL_FIELDS, ...keptNames(profile)]);
  checkOutcome(profile.outcome, '/outcome', { words }, report);
  checkNotification(profile.notification, report);
  for (const [name, value] of Object.entries(profile.encryption.siblings ?? {})) {
    if (isCredentialConstant(name, value)) {
      report(`/encryption/siblings/${escapeStep(name)}`, CREDENTIAL_IN_PROFILE);
    }
  }
  checkEncryption(profile, report);
  if (profile.settlement) checkSettlement(profile.settlement, report);
  checkCredentials(profile, report);
  checkToken(profile, report);
  return problems;
}
