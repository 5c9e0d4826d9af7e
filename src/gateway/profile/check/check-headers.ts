import { CREDENTIAL_IN_PROFILE, isCredentialHeader } from '../credential-names.js';
import { checkTemplate, type TemplateRules } from './check-template.js';
import { escapeStep, type Report } from './report.js';

/** Headers that the service or its transport sets itself. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);

/** Reports a name that no header can have, or that a profile cannot set. */
export function checkHeaderName(name: string, place: string, report: Report): void {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) report(place, 'is no name of a header');
  if (RESERVED_HEADERS.has(name.toLowerCase())) report(place, 'is a header that a profile cannot set');
}

/** Reports what an operation's own headers cannot be. Credentials are none of them: they stand in a set of their own. */
export function checkHeaders(
  headers: Readonly<Record<string, string>>,
  place: string,
  rules: TemplateRules,
  report: Report,
): void {
  for (const [name, text] of Object.entries(headers)) {
    const at = `${place}/${escapeStep(name)}`;
    checkHeaderName(name, at, report);
    if (isCredentialHeader(name)) report(at, CREDENTIAL_IN_PROFILE);
    checkHeaderText(text, at, rules, report);
  }
}

/** Reports a value that no header can have. */
export function checkHeaderText(text: string, place: string, rules: TemplateRules, report: Report): void {
  if (!/^[\x20-\x7e]*$/.test(text)) report(place, 'has a character that a header cannot have');
  else checkTemplate(text, place, rules, report);
}
