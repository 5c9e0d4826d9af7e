import { headersOf, signingOf } from '../../plan/credential-set.js';
import { basicSides, CREDENTIAL_WORDS, keptNames, placedOperations } from '../../plan/words.js';
import { ALL_FIELDS } from '../../plan/words.js';
import { SECRET_FIELDS } from '../../requests/payment-fields.js';
import { literalText, parseTemplate, wordsIn } from '../../templates/template.js';
import { isCredentialConstant } from '../credential-names.js';
import type { CredentialSetProfile, Profile } from '../format.js';
import { perhaps } from '../nearest.js';
import { checkTemplate, type TemplateRules } from './check-template.js';
import { checkHeaderName, checkHeaderText } from './check-headers.js';
import { escapeStep, type Report } from './report.js';

const LITERAL =
  'is a credential in plain sight, and a profile is passed round: write {apiKey} or {accessToken}, and set GATEWAY_API_KEY and GATEWAY_ACCESS_TOKEN';

/** Words that stand for a credential, so that nothing else beside them need be one. */
const PROOFS: ReadonlySet<string> = new Set(['apiKey', 'accessToken', 'token', 'signature']);

/** Reports faults of the sets of credentials, and operations that name a set that there is not. */
export function checkCredentials(profile: Profile, report: Report): void {
  const shared = [...ALL_FIELDS, ...keptNames(profile)].filter((name) => !SECRET_FIELDS.has(name));
  for (const [name, set] of Object.entries(profile.credentials)) {
    checkSet(profile, set, `/credentials/${escapeStep(name)}`, shared, report);
  }
  const names = Object.keys(profile.credentials);
  for (const { place, key, operation } of placedOperations(profile)) {
    const { credentials } = operation;
    if (typeof credentials === 'string' && !names.includes(credentials)) {
      const at = `/${place}/${escapeStep(key)}/credentials`;
      report(at, `names a set that "credentials" does not have${perhaps(credentials, names)}`);
    }
  }
}

function checkSet(
  profile: Profile,
  set: CredentialSetProfile,
  place: string,
  shared: readonly string[],
  report: Report,
): void {
  const signing = signingOf(set);
  const words = CREDENTIAL_WORDS.filter((word) => word !== 'signature' || signing);
  const rules: TemplateRules = { words: new Set([...words, ...shared]), basic: true };
  for (const [header, text] of headersOf(set)) {
    const at = `${place}/${escapeStep(header)}`;
    checkHeaderName(header, at, report);
    checkHeaderText(text, at, rules, report);
    checkLiteral(header, text, at, report);
    checkToken(profile, text, at, report);
    if (!signing && wordsOf(text).includes('signature'))
      report(at, 'has {signature}, and the set has no "sign"');
  }
  if (!signing) return;
  const over = { words: new Set(['method', 'path', 'body', ...words, ...shared]), basic: true };
  over.words.delete('signature');
  checkTemplate(signing.over, `${place}/sign/over`, over, report);
  checkToken(profile, signing.over, `${place}/sign/over`, report);
  if (!headersOf(set).some(([, text]) => wordsOf(text).includes('signature'))) {
    report(`${place}/sign`, 'makes a {signature} that no header of the set has');
  }
}

function checkToken(profile: Profile, text: string, place: string, report: Report): void {
  if (!profile.token && wordsOf(text).includes('token')) {
    report(place, 'has {token}, and the profile has no "token" that says how to fetch one');
  }
}

function checkLiteral(header: string, text: string, place: string, report: Report): void {
  const template = parseTemplate(text);
  if (typeof template === 'string' || wordsIn(template).some((word) => PROOFS.has(word) || basicSides(word)))
    return;
  const rest = literalText(template).replace(/^(?:Bearer|Basic|Token)\s*/i, '');
  if (isCredentialConstant(header, rest)) report(place, LITERAL);
}

function wordsOf(text: string): string[] {
  const template = parseTemplate(text);
  return typeof template === 'string' ? [] : wordsIn(template);
}
