import {
  headersOf,
  signingOf,
  basicSides,
  CREDENTIAL_WORDS,
  keptNames,
  placedOperations,
  ALL_FIELDS,
} from '../../plan/words.js';
import { SECRET_FIELDS } from '../../requests/payment-fields.js';
import { literalText, parseTemplate, wordsIn } from '../../templates/template.js';
import { isCredentialConstant, CREDENTIAL_IN_PROFILE, isCredentialHeader } from '../credential-names.js';
import type { CredentialSetProfile, Profile, JsonValue, TokenProfile } from '../format.js';
import { perhaps } from '../nearest.js';
import { checkTemplate, type TemplateRules, checkJsonTemplate } from './check-template.js';
import { escapeStep, type Report, NOT_A_POINTER, parsePointer } from '../pointer.js';
import { isLoopbackHost } from '../../../config/addresses.js';

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
    checkTokenWord(profile, text, at, report);
    if (!signing && wordsOf(text).includes('signature'))
      report(at, 'has {signature}, and the set has no "sign"');
  }
  if (!signing) return;
  const over = { words: new Set(['method', 'path', 'body', ...words, ...shared]), basic: true };
  over.words.delete('signature');
  checkTemplate(signing.over, `${place}/sign/over`, over, report);
  checkTokenWord(profile, signing.over, `${place}/sign/over`, report);
  if (!headersOf(set).some(([, text]) => wordsOf(text).includes('signature'))) {
    report(`${place}/sign`, 'makes a {signature} that no header of the set has');
  }
}

function checkTokenWord(profile: Profile, text: string, place: string, report: Report): void {
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

const TOKEN_RULES: TemplateRules = {
  words: new Set(['apiKey', 'accessToken', 'timestamp', 'epoch', 'nonce']),
  basic: true,
};

const TOKEN_LITERAL = 'is a credential in plain sight: write {apiKey} or {accessToken}';

/** Reports faults of the request for a token. */
export function checkToken({ token }: Profile, report: Report): void {
  if (!token) return;
  checkAddress(token.path, report);
  for (const [name, text] of Object.entries(token.headers ?? {})) {
    const at = `/token/headers/${escapeStep(name)}`;
    checkHeaderName(name, at, report);
    checkHeaderText(text, at, TOKEN_RULES, report);
    if (isLiteralCredential(name, text)) report(at, TOKEN_LITERAL);
  }
  if (token.body && token.form) report('/token/form', 'stands beside a body, and a request has one of them');
  checkTokenMembers('body', token, report);
  checkTokenMembers('form', token, report);
  if (!parsePointer(token.value) || token.value === '') report('/token/value', NOT_A_POINTER);
  if (typeof token.expiresIn === 'string' && !parsePointer(token.expiresIn)) {
    report('/token/expiresIn', `${NOT_A_POINTER}, nor a number of seconds`);
  }
}

function checkTokenMembers(part: 'body' | 'form', token: TokenProfile, report: Report): void {
  const members = token[part];
  if (!members) return;
  if (token.method === 'GET') report(`/token/${part}`, 'stands in a GET, which has no body');
  for (const [name, value] of Object.entries<JsonValue>(members)) {
    const at = `/token/${part}/${escapeStep(name)}`;
    checkJsonTemplate(value, at, TOKEN_RULES, report);
    if (isLiteralCredential(name, value)) report(at, TOKEN_LITERAL);
  }
}

function checkAddress(path: string, report: Report): void {
  const place = '/token/path';
  if (/[^\x21-\x7e]|[{}#\\"<>^`|]/.test(path)) {
    return report(place, 'has a character that an address cannot have; percent-encode it');
  }
  if (path.startsWith('/')) return;
  const url = URL.canParse(path) ? new URL(path) : undefined;
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (!url || !isSecure || url.username !== '' || url.password !== '') {
    report(place, 'must begin with a slash, or be an absolute https address without a user name');
  }
}

/** Whether a value is a credential by its name and has nothing filled in. */
export function isLiteralCredential(name: string, value: JsonValue): boolean {
  return isCredentialConstant(name, literalsOf(value));
}

/** A value with nothing in the place of its templates. */
function literalsOf(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    const template = parseTemplate(value);
    return typeof template === 'object' && wordsIn(template).length > 0 ? '' : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(literalsOf);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, literalsOf(member)]));
}

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
function checkHeaderName(name: string, place: string, report: Report): void {
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
function checkHeaderText(text: string, place: string, rules: TemplateRules, report: Report): void {
  if (!/^[\x20-\x7e]*$/.test(text)) report(place, 'has a character that a header cannot have');
  else checkTemplate(text, place, rules, report);
}
