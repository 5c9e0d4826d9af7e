import { checkEncryption } from '../../encryption/settings.js';
import { wordsSent } from '../../plan/operation-plan.js';
import { ALL_FIELDS, keptNames, placedOperations } from '../../plan/words.js';
import { perhaps } from '../nearest.js';
import { CARD_BRANDS } from '../../../card-numbers/card-brand.js';
import { operationFields } from '../../requests/payment-fields.js';
import { CREDENTIAL_IN_PROFILE, isCredentialConstant } from '../credential-names.js';
import { DECLINE_REASONS, type Profile } from '../format.js';
import { parsePointer, escapeStep, NOT_A_POINTER, type ProfileProblem, type Report } from '../pointer.js';
import { checkCredentials, checkToken } from './check-credentials.js';
import { checkNotification } from './check-notification.js';
import { checkNames, checkOperation } from './check-operation.js';
import { checkOutcome, checkWords } from './check-outcome.js';
import { checkSettlement } from './check-settlement.js';

/** Finds what a JSON schema cannot check: pointers, templates, regular expressions, and names that must match. */
export function findProfileProblems(profile: Profile): ProfileProblem[] {
  const problems: ProfileProblem[] = [];
  const report: Report = (place, message) => void problems.push({ place, message });
  for (const placed of placedOperations(profile)) checkOperation(profile, placed, report);
  checkNames(profile.card.omit, new Set(operationFields.payCard), '/card/omit', report);
  checkPin(profile, report);
  for (const key of ['list', 'code', 'name'] as const) {
    if (!parsePointer(profile.ussdBanks[key])) report(`/ussdBanks/${key}`, NOT_A_POINTER);
  }
  const words = new Set([...ALL_FIELDS, ...keptNames(profile)]);
  checkOutcome(profile.outcome, '/outcome', { words }, report);
  checkWords(DECLINE_REASONS, profile.declines, '/declines', report, (word) => word.toLowerCase());
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

/** Reports a PIN that is asked for with the card and sent nowhere, or of cards that nobody has. */
function checkPin(profile: Profile, report: Report): void {
  const { when, brands } = profile.card.pin;
  if (when === 'later') return;
  if (brands.length === 0) report('/card/pin/brands', 'are missing: whose PIN is asked for with the card');
  for (const [index, brand] of brands.entries()) {
    if (!CARD_BRANDS.includes(brand)) {
      report(`/card/pin/brands/${index}`, `is no brand of a card${perhaps(brand, CARD_BRANDS)}`);
    }
  }
  if (!sendsPin(profile)) {
    report('/card/pin/when', 'asks for a PIN with the card, and payCard does not send card_pin');
  }
}

/** A template with a fault sends whatever it will send once that is mended. */
function sendsPin(profile: Profile): boolean {
  try {
    return wordsSent(profile, 'payCard').has('card_pin');
  } catch {
    return true;
  }
}
